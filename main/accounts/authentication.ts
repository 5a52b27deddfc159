/** Checks the keys of accounts. */
import { createHash } from 'node:crypto';
import { accountOfRow, type Account } from './account.ts';
import { findKey } from './keys.ts';
import type { Database } from './store/tables.ts';

export type Authenticate = (user: string, key: string) => Promise<Account | undefined>;

/** Precision with which a key's last use is stored. */
const lastUsePrecisionMs = 60_000;

/** How long a login is remembered. A key that another node has revoked is valid for so long on this one. */
const rememberMs = 5000;
const maxRemembered = 10_000;

interface AuthenticationOptions {
  /** Whether the demo account may log in. */
  readonly demo: boolean;
  /** Whether successful logins are remembered for five seconds. */
  readonly remembersLogins: boolean;
}

export interface Authentication {
  readonly authenticate: Authenticate;
  /** Forgets all logins, so that a change of an account or a key takes effect on this node at once. */
  readonly forget: () => void;
}

/**
 * Reads the database for each request, so that keys added or revoked by another process take effect immediately, unless it remembers
 * logins.
 */
export function openAuthentication(
  database: Database,
  { demo, remembersLogins }: AuthenticationOptions,
): Authentication {
  const recordUse = openUseRecorder(database);
  const remembered = new Map<string, RememberedLogin>();
  const check: Authenticate = async (user, key) => {
    const candidates = await activeKeysOf(database, user);
    const found = findKey(key, candidates);
    if (found === undefined || (found.demo === 1 && !demo)) return undefined;
    recordUse(found);
    return accountOfRow(found);
  };
  const rememberingCheck: Authenticate = async (user, key) => {
    const login = createHash('sha256')
      .update(JSON.stringify([user, key]))
      .digest('base64');
    const known = remembered.get(login);
    if (known !== undefined && performance.now() < known.until) return known.account;
    remembered.delete(login);
    const account = await check(user, key);
    if (account === undefined) return undefined;
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(login, { account, until: performance.now() + rememberMs });
    return account;
  };
  return {
    authenticate: remembersLogins ? rememberingCheck : check,
    forget() {
      remembered.clear();
    },
  };
}

interface RememberedLogin {
  readonly account: Account;
  /** By performance.now(). */
  readonly until: number;
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
  // @photostructure/sqlite 1.2.1 binds a string only up to its first NUL, so the query may find a shorter name.
  return rows.filter(({ name }) => name === user);
}

interface UsedKey {
  readonly key_id: string;
  readonly last_used_at: number | null;
}

/**
 * Returns a function that records the last use of a key, if the recorded time is older than the precision. Writes in a later turn
 * of the event loop, so that the request does not wait.
 */
function openUseRecorder(database: Database): (key: UsedKey) => void {
  const writing = new Set<string>();
  return ({ key_id: id, last_used_at: last }) => {
    const now = Date.now();
    if (writing.has(id) || (last !== null && now - last < lastUsePrecisionMs)) return;
    writing.add(id);
    setImmediate(() => {
      void database
        .updateTable('keys')
        .set({ last_used_at: now })
        .where('id', '=', id)
        .execute()
        // A failed write (disk full, service stopping) must not refuse a job. The next use tries again.
        .catch(() => {})
        .finally(() => writing.delete(id));
    });
  };
}
