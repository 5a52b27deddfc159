/** Writes job records to a temporary accounts database, and reads its tables. */
import { insertAccount } from '../../../main/accounts/store/account-records.ts';
import type { NewAccount } from '../../../main/accounts/account.ts';
import { shortenBusyTimeout } from '../../../main/accounts/store/write-retries.ts';
import type { JobEntry } from '../../../main/accounts/job-entry.ts';
import { openJobs, type Jobs } from '../../../main/accounts/jobs.ts';
import type { AccountRow, Database, JobRow } from '../../../main/accounts/store/tables.ts';
import { newJobId } from '../../../main/job/job.ts';
import { lockDatabase, temporaryDatabase, type TemporaryDatabase } from './accounts.ts';

export interface Ledger extends TemporaryDatabase {
  jobs: Jobs;
  /** The reports of delayed writes. */
  readonly reported: unknown[];
  /** Starts a write transaction on a second connection, until it is disposed of. */
  readonly lock: () => Disposable;
  /** Creates an account and returns its id. */
  readonly account: (account: NewAccount) => Promise<number>;
  readonly begin: (account: number, now?: number) => Promise<JobEntry & { readonly id: string }>;
  readonly accountRow: (id: number) => Promise<AccountRow>;
  readonly jobRow: (id: string) => Promise<JobRow>;
}

export const convertedResult = { output_bytes: 1000, pages: 1, total_pages: 1 };
export const failedResult = {
  outcome: 'failed',
  status: 400,
  reason: 311,
  message: 'No.',
  stages: {},
} as const;

export async function temporaryLedger(): Promise<Ledger> {
  const temporary = await temporaryDatabase();
  const { database } = temporary;
  const reported: unknown[] = [];
  const report = (problem: unknown) => void reported.push(problem);
  await shortenBusyTimeout(database);
  const ledger: Ledger = {
    ...temporary,
    jobs: await openJobs(database, report),
    reported,
    lock: () => lockDatabase(temporary.path),
    account: async (account) => (await insertAccount(database, account, Date.now())).id,
    async begin(account, now = Date.now()) {
      const id = newJobId(now);
      return { id, ...(await ledger.jobs.begin({ id, account: { id: account }, now })) };
    },
    accountRow: (id) => rowOf(database, 'accounts', id),
    jobRow: (id) => rowOf(database, 'jobs', id),
  };
  return ledger;
}

function rowOf<Row>(database: Database, table: 'accounts' | 'jobs', id: number | string): Promise<Row> {
  return database
    .selectFrom(table)
    .selectAll()
    .where('id', '=', id as never)
    .executeTakeFirstOrThrow() as Promise<Row>;
}
