/** Authenticates accounts, and lets operators manage accounts and keys. */
import { rm } from 'node:fs/promises';
import type { Keyring } from '../encryption/keyring.ts';
import { keptInputsFolder } from '../settings/data-folder.ts';
import { AccountProblem } from './account-problem.ts';
import {
  changeAccount,
  insertAccount,
  listAccounts,
  removeAccount,
  requireAccount,
  setBalance,
  setWebhookSecret,
  webhookSecretContext,
  type BalanceChange,
  type ChangedBalance,
} from './store/account-records.ts';
import {
  factsOfRow,
  type AccountChange,
  type AccountFacts,
  type KeyFacts,
  type NewAccount,
} from './account.ts';
import { retryWhileBusy } from './store/write-retries.ts';
import { firstKeyName, insertKey, listKeysOf, revokeKeyOf, settingsKeyName } from './store/key-records.ts';
import { isKeyless, newKey, newWebhookSecret } from './keys.ts';
import { openAuthentication, type Authenticate } from './authentication.ts';
import type { AccountRow, Database } from './store/tables.ts';

/** Methods that take a name throw an AccountProblem if there is no account with that name. */
export interface AccountBook {
  /** Returns the account if the key is valid, else undefined. Takes the same time for a wrong name as for a wrong key. */
  readonly authenticate: Authenticate;
  /** Adds an account. Returns its first key, which is stored nowhere else. @throws AccountProblem if the name is taken */
  readonly add: (account: NewAccount) => Promise<string>;
  /** Returns all accounts, sorted by name. */
  readonly list: () => Promise<AccountFacts[]>;
  readonly find: (name: string) => Promise<AccountFacts>;
  readonly change: (name: string, change: AccountChange) => Promise<AccountFacts>;
  /** Removes the account, its keys, the records of its jobs and their debug logs. */
  readonly remove: (name: string) => Promise<void>;
  /** Changes the balance, but never to less than the credits that running jobs hold. */
  readonly setCredits: (name: string, change: BalanceChange) => Promise<ChangedBalance>;
  /**
   * Adds a key and returns it. The key is stored nowhere else. `purpose` is its name.
   * @throws AccountProblem if the purpose is PLATEN_ACCOUNTS, the name of the key in the `accounts` setting, and for the accounts
   * of the desktop window and the hot folders
   */
  readonly addKey: (name: string, purpose: string) => Promise<string>;
  /** Returns all keys, including revoked keys, oldest first. */
  readonly listKeys: (name: string) => Promise<KeyFacts[]>;
  /** Revokes a key. @throws AccountProblem if the account has no such key, or the key is already revoked */
  readonly revokeKey: (name: string, id: string) => Promise<KeyFacts>;
  /** Creates a secret for the signatures of callbacks, which replaces the former one, and returns it. */
  readonly renewWebhookSecret: (name: string) => Promise<string>;
  /** Returns whether the account has a secret for the signatures of callbacks. */
  readonly hasWebhookSecret: (name: string) => Promise<boolean>;
}

interface AccountsOptions {
  /** Whether the demo account may log in. */
  readonly demo: boolean;
  /** Returns the keys of the installation. Most commands do not need them. */
  readonly keyring: () => Promise<Keyring>;
  /** Receives the ids of the debug logs of deleted jobs. */
  readonly removeLogs: (ids: string[]) => Promise<void>;
  /** The data folder, in which the kept requests of removed accounts are deleted. */
  readonly data?: string;
  /** Whether a successful login is remembered for some seconds, because a query to a shared database is slow. */
  readonly remembersLogins?: boolean;
}

export function openAccounts(database: Database, options: AccountsOptions): AccountBook {
  const { demo, keyring, removeLogs, data, remembersLogins = false } = options;
  const logins = openAuthentication(database, { demo, remembersLogins });
  const now = () => Date.now();
  const accountOf = (name: string) => requireAccount(database, name, now());
  return {
    authenticate: logins.authenticate,
    add: (account) => retryWhileBusy(() => addWithKey(database, account, now())),
    list: () => retryWhileBusy(() => listAccounts(database, now())),
    find: (name) => retryWhileBusy(async () => factsOfRow(await requireAccount(database, name, now()))),
    async change(name, change) {
      const changed = await retryWhileBusy(() => changeAccount(database, name, { change, now: now() }));
      logins.forget();
      return changed;
    },
    async remove(name) {
      const logs = await removeAccount(database, name);
      logins.forget();
      await removeLogs(logs);
      if (data !== undefined) await rm(keptInputsFolder(data, name), { recursive: true, force: true });
    },
    setCredits: (name, change) => retryWhileBusy(() => setBalance(database, name, { change, now: now() })),
    async addKey(name, purpose) {
      if (purpose === settingsKeyName)
        throw new AccountProblem(`a key cannot be named ${settingsKeyName}; the settings use that name`);
      const key = newKey();
      await retryWhileBusy(async () => {
        const account = await accountOf(name);
        if (isKeyless(account)) throw keyNotAllowed(account);
        await insertKey(database, { account: account.id, name: purpose, key }, now());
      });
      return key;
    },
    listKeys: (name) => retryWhileBusy(async () => listKeysOf(database, (await accountOf(name)).id)),
    async revokeKey(name, id) {
      const revoked = await retryWhileBusy(async () =>
        revokeKeyOf(database, { account: (await accountOf(name)).id, id, now: now() }),
      );
      logins.forget();
      return revoked;
    },
    async renewWebhookSecret(name) {
      const secret = newWebhookSecret();
      const keys = await keyring();
      await retryWhileBusy(async () => {
        const { id } = await accountOf(name);
        await setWebhookSecret(database, id, keys.encryptSecret(secret, webhookSecretContext(id)));
      });
      return secret;
    },
    hasWebhookSecret: async (name) => (await accountOf(name)).webhook_secret !== null,
  };
}

function keyNotAllowed({ name, tray }: AccountRow): AccountProblem {
  const owner = tray === 1 ? 'the desktop window' : 'the hot folders';
  return new AccountProblem(
    `'${name}' is the account of ${owner} and cannot have a key; add an account for callers`,
  );
}

async function addWithKey(database: Database, account: NewAccount, now: number): Promise<string> {
  const key = newKey();
  await database.transaction().execute(async (transaction) => {
    const { id } = await insertAccount(transaction, account, now);
    await insertKey(transaction, { account: id, name: firstKeyName, key }, now);
  });
  return key;
}

// Rules for names that operators choose. The `accounts` setting may contain other names.

export interface NameRule {
  /** Describes the allowed names. Follows "allowed: " in a message. */
  readonly allowed: string;
  readonly pattern: RegExp;
}

export const accountNames: NameRule = {
  allowed: '1 to 64 letters, digits and . _ @ -',
  pattern: /^[\p{L}\p{N}._@-]{1,64}$/u,
};

/** The rule for the names of keys, which describe their purpose. */
export const keyNames: NameRule = {
  allowed: '1 to 100 characters on one line',
  pattern: /^[^\p{C}]{1,100}$/u,
};

/** Maximum number of credits of an account: 12 digits, as many as the `accounts` setting accepts. */
export const maxCredits = 999_999_999_999;
