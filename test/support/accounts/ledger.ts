/** Writes job records to a temporary accounts database, and reads its tables. */
import { insertAccount } from '../../../main/accounts/store/account-records.ts';
import type { NewAccount } from '../../../main/accounts/account.ts';
import { shortenBusyTimeout } from '../../../main/accounts/store/write-retries.ts';
import type { JobEntry } from '../../../main/accounts/ledger/job-entry.ts';
import { openJobs, type Jobs } from '../../../main/accounts/jobs.ts';
import { releaseNode } from '../../../main/accounts/nodes/node-jobs.ts';
import { ThisNode } from '../../../main/accounts/nodes/this-node.ts';
import type { AccountRow, Database, JobRow } from '../../../main/accounts/store/tables.ts';
import { newJobId } from '../../../main/job/job.ts';
import { lockDatabase, temporaryDatabase, type DatabaseKind, type TemporaryDatabase } from './accounts.ts';

export interface TestLedger extends TemporaryDatabase {
  jobs: Jobs;
  /** The reports of delayed writes. */
  readonly reported: unknown[];
  /** Simulates a crash of the service: another process takes over what it held. `jobs` becomes the record of that process. */
  readonly crash: () => Promise<void>;
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

/** A record of jobs on a database, as a service opens it. */
export async function openRecord(
  database: Database,
  kind: DatabaseKind,
  report: (problem: unknown) => void = () => {},
): Promise<{ readonly jobs: Jobs; readonly node: ThisNode }> {
  const isShared = kind === 'postgres';
  if (!isShared) await shortenBusyTimeout(database);
  const description = { name: 'test', version: '0.1.0', windows: 1 };
  const node = await ThisNode.register({ database, isShared, description, report });
  return {
    jobs: await openJobs({ store: { database, isShared, problem: () => undefined }, node, report }),
    node,
  };
}

export async function temporaryLedger(kind: DatabaseKind = 'sqlite'): Promise<TestLedger> {
  const temporary = await temporaryDatabase(kind);
  const { database } = temporary;
  const reported: unknown[] = [];
  const report = (problem: unknown) => void reported.push(problem);
  let record = await openRecord(database, kind, report);
  const ledger: TestLedger = {
    ...temporary,
    jobs: record.jobs,
    reported,
    async crash() {
      const id = record.node.id;
      record = await openRecord(database, kind, report);
      ledger.jobs = record.jobs;
      await releaseNode(database, id);
    },
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

/** Enters a job of one credit, describes, prices and charges it, as a conversion does. */
export async function recordJob(jobs: Jobs, account: number): Promise<void> {
  await using entry = await jobs.begin({ id: newJobId(), account: { id: account }, now: Date.now() });
  await entry.describe({
    tag: null,
    input: 'text',
    output_format: 'pdf',
    parameters: '{}',
    input_bytes: 100,
    debug_log: null,
  });
  await entry.hold(1, convertedResult);
  await entry.charge({ print: 1 }, () => {});
}
