/** Opens and closes the accounts of a running service: the database, its node, the accounts and the record of jobs. */
import { hostname } from 'node:os';
import type { Keyring } from '../encryption/keyring.ts';
import { isDemoEnabled } from '../settings/exposure.ts';
import type { Settings } from '../settings/table.ts';
import { accountOfRow, type Account } from './account.ts';
import { openAccounts, type AccountBook } from './accounts.ts';
import { retryWhileBusy } from './store/write-retries.ts';
import { openKeyring } from './open-keyring.ts';
import { openStore } from './store/open-store.ts';
import { lockAccountCreation } from './store/dialect.ts';
import type { Store } from './store/store.ts';
import { isUnavailable } from './store/unavailable.ts';
import { ThisNode } from './nodes/this-node.ts';
import { ensureAccounts, type FirstAccount } from './ensure.ts';
import { startPruning } from './job-pruning.ts';
import { openJobs, type Jobs } from './jobs.ts';
import { testDatabase } from './store/write-test.ts';
import type { Database } from './store/tables.ts';
import { insertAccount } from './store/account-records.ts';
import { freeName } from './keys.ts';

export interface Accounting extends AsyncDisposable {
  readonly store: Store;
  readonly keyring: Keyring;
  readonly node: ThisNode;
  readonly accounts: AccountBook;
  readonly jobs: Jobs;
  /** Returns the balance of every account with a limit. */
  readonly balances: () => ReturnType<typeof balancesOf>;
  /** Tests whether the database can be written, without changing it. Returns the number of accounts. @throws the error of SQLite */
  readonly testDatabase: () => Promise<number>;
  /** The operator that this start created because there was no account. The key is stored nowhere else. */
  readonly firstAccount: FirstAccount | undefined;
  /** Returns the account of the desktop window. Creates it if it is missing. */
  readonly ensureTray: () => Promise<Account>;
  /** Returns the account of the hot folders. Creates it if it is missing. */
  readonly ensureHotFolders: () => Promise<Account>;
}

interface AccountingOptions {
  readonly settings: Settings & { readonly data: string };
  /** The version of Platen. */
  readonly version: string;
  /** Receives the ids of the debug logs of deleted jobs. */
  readonly removeLogs: (ids: string[]) => Promise<void>;
  readonly log: AccountingLog;
}

/** Events for the service log. */
export interface AccountingLog {
  /** A write failed, and is tried again. */
  readonly writeFailed: (problem: unknown) => void;
  /** The key file is gone, and a new one was created: what was encrypted with the old one is lost. */
  readonly keyLost: (path: string) => void;
  /** A shared database cannot be reached any more, with the reason, or can be reached again. */
  readonly availability: (problem: string | undefined) => void;
  /** This node has given back what these lost nodes held. */
  readonly nodesReleased: (names: readonly string[]) => void;
  /** Other nodes have given up this node as lost. */
  readonly nodeLost: () => void;
}

/** Opens the database and creates the accounts that the service needs. @throws Error if the database cannot be used */
export async function openAccounting(options: AccountingOptions): Promise<Accounting> {
  const { settings, removeLogs, log } = options;
  const report = log.writeFailed;
  const demo = isDemoEnabled(settings);
  const store = await openStore({ settings, report, onAvailability: log.availability });
  const { database, isShared } = store;
  const keyring = await openKeyring({ store, settings, onKeyLost: log.keyLost });
  const firstAccount = await ensureAccounts(database, { entries: settings.accounts ?? [], demo });
  const node = await registerNode(store, options);
  const jobs = await openJobs({ store, node, report });
  const retention = { maxJobs: settings['jobs-keep'], maxAgeMs: settings['jobs-keep-time'] };
  const pruning = await startPruning(database, retention, { removeLogs, report });
  return {
    store,
    node,
    keyring,
    accounts: openAccounts(database, {
      demo,
      keyring: () => Promise.resolve(keyring),
      removeLogs,
      data: settings.data,
      remembersLogins: isShared,
    }),
    jobs,
    firstAccount,
    balances: () => balancesOf(database),
    testDatabase: () => testDatabase(database),
    ensureTray: () => retryWhileBusy(() => ensureTray(database)),
    ensureHotFolders: () => retryWhileBusy(() => ensureHotFolders(database)),
    async [Symbol.asyncDispose]() {
      for (const part of [pruning, jobs, node, store]) await part[Symbol.asyncDispose]();
    },
  };
}

/** Returns the name of this node: the setting, or the name of the machine and the port. */
export function nodeNameOf(settings: Pick<Settings, 'node-name' | 'port'>): string {
  return settings['node-name'] ?? `${hostname()}:${settings.port}`;
}

async function registerNode(
  { database, isShared }: Store,
  { settings, version, log }: AccountingOptions,
): Promise<ThisNode> {
  return await ThisNode.register({
    database,
    isShared,
    description: {
      name: nodeNameOf(settings),
      version,
      windows: settings.workers,
    },
    report(problem) {
      if (!isUnavailable(problem)) log.writeFailed(problem);
    },
    onReleased: log.nodesReleased,
    onLost: log.nodeLost,
  });
}

/** Returns the balance of every account with a limit, by name, for metrics. Does not apply refills that are due. */
export async function balancesOf(
  database: Database,
): Promise<readonly { readonly account: string; readonly remaining: number }[]> {
  const rows = await database
    .selectFrom('accounts')
    .select(['name', 'granted', 'spent'])
    .where('granted', 'is not', null)
    .orderBy('name')
    .execute();
  return rows.map(({ name, granted, spent }) => ({ account: name, remaining: Number(granted) - spent }));
}

/**
 * Returns the account of the hot folders. If it is missing, creates an unlimited account. Keeps changes that an operator has made.
 * The account is not an operator, and has no key, so no one can log in to it.
 */
export async function ensureHotFolders(database: Database, now = Date.now()): Promise<Account> {
  // This function is called for every job of a hot folder, so the usual case uses no transaction.
  const existing = await findHotFolders(database);
  if (existing !== undefined) return existing;
  return await database.transaction().execute(async (transaction) => {
    await lockAccountCreation(transaction);
    const existingRow = await findHotFolders(transaction);
    if (existingRow !== undefined) return existingRow;
    const { id } = await insertAccount(
      transaction,
      { name: await freeName(transaction, 'hot-folders') },
      now,
    );
    const row = await transaction
      .updateTable('accounts')
      .set({ hot_folders: 1 })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return accountOfRow(row);
  });
}

async function findHotFolders(database: Database): Promise<Account | undefined> {
  const row = await database
    .selectFrom('accounts')
    .selectAll()
    .where('hot_folders', '=', 1)
    .executeTakeFirst();
  return row && accountOfRow(row);
}

/**
 * Returns the account of the desktop window. Creates the account if it is missing, and restores its rights. It is an unlimited
 * operator, and has no key, so no one can log in to it. An ordinary account named `tray` is not changed.
 */
export async function ensureTray(database: Database, now = Date.now()): Promise<Account> {
  return await database.transaction().execute(async (transaction) => {
    await lockAccountCreation(transaction);
    const existingRow = await transaction
      .selectFrom('accounts')
      .selectAll()
      .where('tray', '=', 1)
      .executeTakeFirst();
    const { id } =
      existingRow ?? (await insertAccount(transaction, { name: await freeName(transaction, 'tray') }, now));
    const row = await transaction
      .updateTable('accounts')
      .set({ tray: 1, operator: 1, granted: null, refill_credits: null, refill_period: null })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return accountOfRow(row);
  });
}
