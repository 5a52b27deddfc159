/** A record of jobs on an accounts database of a test's own, and what stands in it. */
import { insertAccount } from '../../main/accounts/account-records.ts';
import type { NewAccount } from '../../main/accounts/account.ts';
import { blockBriefly } from '../../main/accounts/busy.ts';
import type { JobEntry } from '../../main/accounts/job-entry.ts';
import { openJobs, type Jobs } from '../../main/accounts/jobs.ts';
import type { AccountRow, Database, JobRow } from '../../main/accounts/tables.ts';
import { newJobId } from '../../main/job/job.ts';
import { lockOf, temporaryDatabase, type TemporaryDatabase } from './accounts.ts';

export interface Ledger extends TemporaryDatabase {
  jobs: Jobs;
  /** What was reported as not written at once. */
  readonly reported: unknown[];
  /** Another connection's transaction, until it is disposed. */
  readonly lock: () => Disposable;
  /** The id of a new account. */
  readonly account: (account: NewAccount) => Promise<number>;
  readonly begin: (account: number, now?: number) => Promise<JobEntry & { readonly id: string }>;
  readonly accountRow: (id: number) => Promise<AccountRow>;
  readonly jobRow: (id: string) => Promise<JobRow>;
}

export const made = { output_bytes: 1000, pages: 1, total_pages: 1 };
export const failure = { outcome: 'failed', status: 400, reason: 311, message: 'No.', stages: {} } as const;

export async function temporaryLedger(): Promise<Ledger> {
  const held = await temporaryDatabase();
  const { database } = held;
  const reported: unknown[] = [];
  const report = (problem: unknown) => void reported.push(problem);
  await blockBriefly(database);
  const ledger: Ledger = {
    ...held,
    jobs: await openJobs(database, report),
    reported,
    lock: () => lockOf(held.path),
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
