/**
 * Who may convert: account names and keys. It knows nothing about HTTP and does not count credits.
 * In memory for now; what others see is the AccountBook.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Account } from './account.ts';
import type { AccountEntry } from '../settings/setting-kinds.ts';

export interface AccountBook {
  /** The account when the key is one of its keys. Takes the same time for a wrong name as for a wrong key. */
  readonly authenticate: (user: string, key: string) => Promise<Account | undefined>;
  readonly size: number;
}

export const demoAccount: AccountEntry = { user: 'demo', key: 'demo', credits: 100_000 };

export function openAccounts(entries: readonly AccountEntry[]): AccountBook {
  const keys = new Map(entries.map(({ user, key }) => [user, digest(key)]));
  const nobody = digest('');
  return {
    size: keys.size,
    authenticate(user, key) {
      const expected = keys.get(user);
      const matches = timingSafeEqual(digest(key), expected ?? nobody);
      const account = { id: 0, name: user, operator: false, debugLog: false };
      return Promise.resolve(matches && expected !== undefined ? account : undefined);
    },
  };
}

/** Of equal length for any key, as timingSafeEqual wants it. */
function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
