/** Opens the keys of an installation, which are in a file, and checks that they are those of the database. */
import { join, resolve } from 'node:path';
import { readKeyFile } from '../encryption/key-file.ts';
import { currentEpoch, Keyring, newKeyMaterial } from '../encryption/keyring.ts';
import { fileErrorReason, isMissingFile, messageOf } from '../failure/failure.ts';
import type { Settings } from '../settings/table.ts';
import { lockKeyCreation } from './store/dialect.ts';
import type { Store } from './store/store.ts';
import type { Database } from './store/tables.ts';
import { retryWhileBusy } from './store/write-retries.ts';

export interface KeyringOptions {
  readonly store: Pick<Store, 'database' | 'isShared'>;
  readonly settings: Pick<Settings, 'encryption-key-file'> & { readonly data: string };
  /** Called if a new key had to be created, because the key file is gone. What was encrypted before is lost. */
  readonly onKeyLost?: (path: string) => void;
}

const setting = 'encryption-key-file';

/** Others than the owner's group: secrets of systemd and Kubernetes can be read by a group that only the service has. */
const refusedMode = 0o007;

/** Opens the key file, or creates it with the first start. @throws Error with a one-sentence message */
export async function openKeyring(options: KeyringOptions): Promise<Keyring> {
  const { database } = options.store;
  return await retryWhileBusy(() =>
    database.transaction().execute(async (transaction) => {
      await lockKeyCreation(transaction);
      return await openIn(transaction, options);
    }),
  );
}

async function openIn(
  transaction: Database,
  { store, settings, onKeyLost }: KeyringOptions,
): Promise<Keyring> {
  const path = keyFilePath(settings);
  const row = await transaction.selectFrom('encryption').selectAll().executeTakeFirst();
  const content = await readIfExists(path);
  if (content === undefined && row !== undefined) {
    // Of one node with its own file, the key is where the database is, and cannot be anywhere else.
    if (store.isShared || settings[setting] !== undefined) throw missingKey(path);
    onKeyLost?.(path);
  }
  const firstEpoch = content === undefined ? currentEpoch() : (row?.first_epoch ?? currentEpoch());
  const keyring = Keyring.read(path, content ?? newKeyMaterial(), firstEpoch);
  if (content !== undefined && row !== undefined && row.check_value !== keyring.checkValue)
    throw wrongKey(path);
  if (content === undefined) await saveNew(keyring, path);
  const values = { check_value: keyring.checkValue, first_epoch: firstEpoch };
  if (row === undefined) await transaction.insertInto('encryption').values(values).execute();
  else if (content === undefined) await transaction.updateTable('encryption').set(values).execute();
  return keyring;
}

function keyFilePath({ data, [setting]: file }: KeyringOptions['settings']): string {
  return file === undefined ? join(data, 'encryption.key') : resolve(data, file);
}

async function readIfExists(path: string): Promise<Buffer | undefined> {
  try {
    return await readKeyFile(path, { setting, refusedMode });
  } catch (problem) {
    if (isMissingFile((problem as Error).cause)) return undefined;
    throw problem;
  }
}

async function saveNew(keyring: Keyring, path: string): Promise<void> {
  await keyring.save().catch((cause: unknown) => {
    const reason = fileErrorReason(cause as NodeJS.ErrnoException);
    throw new Error(`${setting}: ${path} cannot be created: ${reason || messageOf(cause)}.`, { cause });
  });
}

function missingKey(path: string): Error {
  return new Error(
    `${setting}: ${path} is missing, but the database has values that are encrypted with a key. Copy the key file of another node to this path, or name its path with ${setting} (docs/cluster.md).`,
  );
}

function wrongKey(path: string): Error {
  return new Error(
    `${setting}: ${path} is not the key of this database, whose values are encrypted with another one. Copy the key file of another node, or from before the change, to this path (docs/cluster.md).`,
  );
}
