/** The accounts of a running service: its database, who may convert, the record of jobs; opened, kept in order, closed. */
import { demoIsOn } from '../settings/demo.ts';
import type { Settings } from '../settings/table.ts';
import type { Account } from './account.ts';
import { openAccounts, type AccountBook } from './accounts.ts';
import { balancesOf } from './balances.ts';
import { blockBriefly, whenFree } from './busy.ts';
import { keepCheckpointed } from './checkpoints.ts';
import { databasePath, openDatabase } from './database.ts';
import { ensureAccounts, type FirstAccount } from './ensure.ts';
import { keepPruned } from './job-pruning.ts';
import { ensureHotFolders } from './hot-folders-account.ts';
import { openJobs, type Jobs } from './jobs.ts';
import { tryOut } from './try-out.ts';
import { ensureTray } from './tray-account.ts';

export interface Accounting extends AsyncDisposable {
  readonly accounts: AccountBook;
  readonly jobs: Jobs;
  /** Of every account with a limit. */
  readonly balances: () => ReturnType<typeof balancesOf>;
  /** Writes to the database, and takes it back; the number of accounts. @throws what writing throws */
  readonly tryOut: () => Promise<number>;
  /** Made just now, because there was none; its key is nowhere else. */
  readonly first: FirstAccount | undefined;
  /** The account of the tray's own window, made when there is none. */
  readonly ensureTray: () => Promise<Account>;
  /** The account of the hot folders' jobs, likewise. */
  readonly ensureHotFolders: () => Promise<Account>;
}

interface AccountingParts {
  readonly settings: Settings & { readonly data: string };
  /** Is given the ids of the debug logs of jobs that are gone. */
  readonly removeLogs: (ids: string[]) => Promise<void>;
  /** Is told what could not be written, which is tried again. */
  readonly report: (problem: unknown) => void;
}

/** @throws Error with one sentence when the database cannot be used */
export async function openAccounting({ settings, removeLogs, report }: AccountingParts): Promise<Accounting> {
  const demo = demoIsOn(settings);
  const database = await openDatabase(databasePath(settings.data));
  const first = await ensureAccounts(database, { entries: settings.accounts ?? [], demo });
  await blockBriefly(database);
  const checkpoints = await keepCheckpointed(database, report);
  const jobs = await openJobs(database, report);
  const keeping = { jobs: settings['jobs-keep'], time: settings['jobs-keep-time'] };
  const pruning = await keepPruned(database, keeping, { removeLogs, report });
  return {
    ...{ accounts: openAccounts(database, { demo, removeLogs }), jobs, first },
    balances: () => balancesOf(database),
    tryOut: () => tryOut(database),
    ensureTray: () => whenFree(() => ensureTray(database)),
    ensureHotFolders: () => whenFree(() => ensureHotFolders(database)),
    async [Symbol.asyncDispose]() {
      for (const part of [pruning, jobs, checkpoints]) await part[Symbol.asyncDispose]();
      await database.destroy();
    },
  };
}
