/** Keys for tests: of databases without a service, and those of a running service. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { webhookSecretContext } from '../../../main/accounts/store/account-records.ts';
import type { Database } from '../../../main/accounts/store/tables.ts';
import { currentEpoch, Keyring } from '../../../main/encryption/keyring.ts';

/** The keys of databases that no service has opened. They have no file. */
export const testKeyring = Keyring.read('', Buffer.alloc(32, 'key'), currentEpoch());

/** Returns the keys of a service that has been started on the data folder. */
export function keyringOf(data: string): Keyring {
  const path = join(data, 'encryption.key');
  return Keyring.read(path, readFileSync(path), 0);
}

/** Gives each account of the database this secret for its callbacks. */
export async function setWebhookSecrets(
  database: Database,
  secret: string,
  keyring = testKeyring,
): Promise<void> {
  for (const { id } of await database.selectFrom('accounts').select('id').execute())
    await database
      .updateTable('accounts')
      .set({ webhook_secret: keyring.encryptSecret(secret, webhookSecretContext(id)) })
      .where('id', '=', id)
      .execute();
}
