/** Whether a name and a key are an account's. It knows nothing about HTTP. */
import { accountOfRow, type Account } from './account.ts';
import { findKey } from './keys.ts';
import type { Database } from './tables.ts';

export type Authenticate = (user: string, key: string) => Promise<Account | undefined>;

/** How exactly a key's last use is kept, in milliseconds. */
const grain = 60_000;

/** Looks into the database each time, so that a key made or revoked by another process is so at once. */
export function openAuthentication(database: Database, { demo }: { readonly demo: boolean }): Authenticate {
  const noteUse = openNotesOfUse(database);
  return async (user, key) => {
    const candidates = await activeKeysOf(database, user);
    const found = findKey(key, candidates);
    if (found === undefined || (found.demo === 1 && !demo)) return undefined;
    noteUse(found);
    return accountOfRow(found);
  };
}

async function activeKeysOf(database: Database, user: string) {
  const rows = await database
    .selectFrom('accounts')
    .innerJoin('keys', 'keys.account_id', 'accounts.id')
    .select(['accounts.id', 'accounts.name', 'operator', 'demo', 'debug_log'])
    .select(['keys.id as key_id', 'salt', 'hash', 'last_used_at'])
    .where('accounts.name', '=', user)
    .where('tray', '=', 0)
    .where('hot_folders', '=', 0)
    .where('revoked_at', 'is', null)
    .execute();
  // @photostructure/sqlite 1.2.1 binds a text only up to its first NUL.
  return rows.filter(({ name }) => name === user);
}

interface UsedKey {
  readonly key_id: string;
  readonly last_used_at: number | null;
}

/** Writes a key's last use when its last note is older than the grain, after the request has gone on. */
function openNotesOfUse(database: Database): (key: UsedKey) => void {
  const writing = new Set<string>();
  return ({ key_id: id, last_used_at: last }) => {
    const now = Date.now();
    if (writing.has(id) || (last !== null && now - last < grain)) return;
    writing.add(id);
    setImmediate(() => {
      void database
        .updateTable('keys')
        .set({ last_used_at: now })
        .where('id', '=', id)
        .execute()
        // A note that cannot be written (disk full, service stopping) is no reason to refuse a job: the next use tries again.
        .catch(() => {})
        .finally(() => writing.delete(id));
    });
  };
}
