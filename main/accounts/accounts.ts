/** The book of accounts: who may convert, and what an operator does with accounts and keys. It does not count credits. */
import { AccountProblem } from './account-problem.ts';
import {
  changeAccount,
  insertAccount,
  listAccounts,
  removeAccount,
  requireAccount,
} from './account-records.ts';
import {
  factsOfRow,
  type AccountChange,
  type AccountFacts,
  type KeyFacts,
  type NewAccount,
} from './account.ts';
import { openAuthentication, type Authenticate } from './authentication.ts';
import { setBalance, type BalanceChange, type ChangedBalance } from './balance.ts';
import { whenFree } from './busy.ts';
import { firstKeyName, insertKey, listKeysOf, revokeKeyOf, settingsKeyName } from './key-records.ts';
import { isKeyless } from './keyless.ts';
import { newKey } from './keys.ts';
import type { AccountRow, Database } from './tables.ts';

/** All but authenticate, list and remove @throws AccountProblem when there is no account of that name. */
export interface AccountBook {
  /** The account when the key is one of its keys. Takes the same time for a wrong name as for a wrong key. */
  readonly authenticate: Authenticate;
  /** Returns its first key, which is nowhere else. @throws AccountProblem when the name is taken */
  readonly add: (account: NewAccount) => Promise<string>;
  /** In the order of their names. */
  readonly list: () => Promise<AccountFacts[]>;
  readonly find: (name: string) => Promise<AccountFacts>;
  readonly change: (name: string, change: AccountChange) => Promise<AccountFacts>;
  /** With its keys, the records of its jobs and their debug logs. */
  readonly remove: (name: string) => Promise<void>;
  /** Never sets less than running jobs hold. */
  readonly setCredits: (name: string, change: BalanceChange) => Promise<ChangedBalance>;
  /**
   * Returns a new key, which is nowhere else; `purpose` is its name.
   * @throws AccountProblem for the name of the settings' key, and for an account without keys
   */
  readonly addKey: (name: string, purpose: string) => Promise<string>;
  /** The oldest first, revoked ones too. */
  readonly listKeys: (name: string) => Promise<KeyFacts[]>;
  /** @throws AccountProblem when the account has no such key, or has revoked it before */
  readonly revokeKey: (name: string, id: string) => Promise<KeyFacts>;
}

interface BookParts {
  /** Whether the demo account is let in. */
  readonly demo: boolean;
  /** Is given the ids of the debug logs of jobs that are gone. */
  readonly removeLogs: (ids: string[]) => Promise<void>;
}

export function openAccounts(database: Database, { demo, removeLogs }: BookParts): AccountBook {
  const now = () => Date.now();
  const accountOf = (name: string) => requireAccount(database, name, now());
  return {
    authenticate: openAuthentication(database, { demo }),
    add: (account) => whenFree(() => addWithKey(database, account, now())),
    list: () => whenFree(() => listAccounts(database, now())),
    find: (name) => whenFree(async () => factsOfRow(await requireAccount(database, name, now()))),
    change: (name, change) => whenFree(() => changeAccount(database, name, { change, now: now() })),
    async remove(name) {
      await removeLogs(await whenFree(() => removeAccount(database, name)));
    },
    setCredits: (name, change) => whenFree(() => setBalance(database, name, { change, now: now() })),
    async addKey(name, purpose) {
      if (purpose === settingsKeyName)
        throw new AccountProblem(
          `a key cannot be called ${settingsKeyName}; that is the one of the settings`,
        );
      const key = newKey();
      await whenFree(async () => {
        const account = await accountOf(name);
        if (isKeyless(account)) throw keyless(account);
        await insertKey(database, { account: account.id, name: purpose, key }, now());
      });
      return key;
    },
    listKeys: (name) => whenFree(async () => listKeysOf(database, (await accountOf(name)).id)),
    revokeKey: (name, id) =>
      whenFree(async () => revokeKeyOf(database, { account: (await accountOf(name)).id, id, now: now() })),
  };
}

function keyless({ name, tray }: AccountRow): AccountProblem {
  const whose = tray === 1 ? "this machine's own window" : 'the hot folders';
  return new AccountProblem(
    `'${name}' is the account of ${whose} and gets no key; make an account for callers`,
  );
}

async function addWithKey(database: Database, account: NewAccount, now: number): Promise<string> {
  const key = newKey();
  await database.transaction().execute(async (inside) => {
    const { id } = await insertAccount(inside, account, now);
    await insertKey(inside, { account: id, name: firstKeyName, key }, now);
  });
  return key;
}
