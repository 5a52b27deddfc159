/** Submits and claims asynchronous jobs on a temporary accounts database, without windows. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewAccount } from '../../../main/accounts/account.ts';
import type { AsynchronousJobEntry } from '../../../main/accounts/ledger/job-entry.ts';
import type { Jobs } from '../../../main/accounts/jobs.ts';
import { releaseJobs } from '../../../main/accounts/nodes/node-jobs.ts';
import { insertAccount } from '../../../main/accounts/store/account-records.ts';
import { decryptCallback } from '../../../main/accounts/store/callback-records.ts';
import type { Database, JobRow } from '../../../main/accounts/store/tables.ts';
import { AccountShares } from '../../../main/asynchronous-jobs/account-shares.ts';
import { claimJob, type ClaimedJob } from '../../../main/asynchronous-jobs/claim.ts';
import { FolderFiles } from '../../../main/asynchronous-jobs/files/folder-files.ts';
import type { JobFiles } from '../../../main/asynchronous-jobs/files/job-files.ts';
import { TableFiles } from '../../../main/asynchronous-jobs/files/table-files.ts';
import { JobEnds } from '../../../main/asynchronous-jobs/job-end.ts';
import { writeOutput, type StoredJobOutput } from '../../../main/asynchronous-jobs/stored-output.ts';
import { submitJob, type SubmitDependencies } from '../../../main/asynchronous-jobs/submit.ts';
import { newJobId } from '../../../main/job/job.ts';
import type { Form } from '../../../main/job/read-fields.ts';
import { readHostPattern } from '../../../main/network/policy.ts';
import { temporaryDatabase, type DatabaseKind, type TemporaryDatabase } from './accounts.ts';
import { openRecord } from './ledger.ts';
import { testKeyring } from './keyring.ts';
import { callbackNetwork } from '../../../main/webhook/callback-network.ts';

export interface SubmittedForm {
  readonly fields?: Readonly<Record<string, string>>;
  readonly files?: Form['files'];
  readonly key?: string;
}

export interface TemporaryQueue extends TemporaryDatabase {
  readonly jobs: Jobs;
  readonly node: string;
  readonly files: JobFiles;
  readonly ends: JobEnds;
  /** An empty folder. */
  readonly scratch: string;
  readonly account: (account: NewAccount) => Promise<number>;
  readonly submit: (account: number, form?: SubmittedForm, limits?: QueueLimits) => Promise<string>;
  /** Claims the next job that is no suspect, as the given node. */
  readonly claim: (node?: string, database?: Database) => Promise<ClaimedJob | undefined>;
  readonly claimSuspect: () => Promise<ClaimedJob | undefined>;
  /** Gives back the running jobs of the node, as if it had died. */
  readonly loseNode: (node?: string) => Promise<void>;
  /** Returns the entry of a claimed job, with its price reserved. */
  readonly priced: (job: ClaimedJob, price?: number) => Promise<AsynchronousJobEntry>;
  /** Stores the three bytes of `sampleOutput` as the output of a job. */
  readonly storeSample: (id: string) => Promise<void>;
  readonly jobRow: (id: string) => Promise<JobRow>;
  readonly callbackBodies: () => Promise<{ type: string; data: Record<string, unknown> }[]>;
}

/** The settings of the queue and of the shares of an account. */
interface QueueLimits {
  readonly queue?: number;
  readonly ownJobs?: number;
  readonly uploads?: number;
  readonly outputs?: number;
}

export const sampleOutput: StoredJobOutput = {
  file: 'output-1',
  key: testKeyring.newKeyName('results'),
  bytes: 3,
  sha256: 'ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=',
  contentType: 'application/pdf',
  name: 'document.pdf',
  disposition: 'attachment',
  receipt: { consumed: 1 },
  notes: 0,
};

export async function temporaryQueue(kind: DatabaseKind): Promise<TemporaryQueue> {
  const temporary = await temporaryDatabase(kind);
  const { database } = temporary;
  const { jobs, node } = await openRecord(database, kind);
  const scratch = mkdtempSync(join(tmpdir(), 'platen-queue-'));
  const files =
    kind === 'postgres' ? new TableFiles(database) : new FolderFiles(join(scratch, 'job-files'), database);
  const ends = new JobEnds({ keyring: testKeyring, debugLogKeepMs: 1000 });
  return {
    ...temporary,
    jobs,
    node: node.id,
    files,
    ends,
    scratch,
    account: async (account) => (await insertAccount(database, account, Date.now())).id,
    submit: (account, form = {}, limits = {}) =>
      submitJob(submissionOf(account, form), {
        database,
        files,
        keyring: testKeyring,
        node,
        shares: new AccountShares({ settings: shareSettings(limits), filesFolder: undefined }),
        ...dependencies(),
      }),
    claim: (claimingNode = node.id, connection = database) =>
      claimJob({ database: connection, node: claimingNode, keyring: testKeyring, ends, suspects: false }),
    claimSuspect: () => claimJob({ database, node: node.id, keyring: testKeyring, ends, suspects: true }),
    loseNode: (lost = node.id) => releaseJobs(database, { node: lost, isLost: true }),
    async priced(job, price = 1) {
      const entry = jobs.entryOf(job, { free: job.free });
      assert.ok(entry.hasCredit);
      await entry.hold(price, { output_bytes: 3, pages: 1, total_pages: 1 });
      return entry;
    },
    storeSample: (job) =>
      writeOutput({ files, keyring: testKeyring }, { job, ...sampleOutput }, [Buffer.from('abc')]),
    jobRow: (id) => database.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    async callbackBodies() {
      const rows = await database.selectFrom('callbacks').selectAll().orderBy('due_at').execute();
      return rows
        .map((row) => decryptCallback(testKeyring, row))
        .map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> });
    },
    async [Symbol.asyncDispose]() {
      rmSync(scratch, { recursive: true, force: true });
      await node[Symbol.asyncDispose]();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

function submissionOf(account: number, { fields = { text: '<p>x' }, files = [], key }: SubmittedForm) {
  return {
    id: newJobId(),
    account: { id: account, name: `account ${account}`, operator: false, debugLog: false },
    form: { fields: Object.entries(fields).map(([name, value]) => ({ name, value })), files },
    baseUrl: 'http://localhost:8730',
    idempotencyKey: key,
  };
}

function shareSettings({ queue = 200, ownJobs, uploads, outputs }: QueueLimits) {
  return {
    'jobs-queue': queue,
    'jobs-queue-per-account': ownJobs,
    'uploads-per-account': uploads,
    'outputs-per-account': outputs,
  };
}

function dependencies(): Pick<SubmitDependencies, 'settings' | 'callbackNetwork'> {
  const allowed = readHostPattern('127.0.0.1');
  const policy = {
    network: 'public',
    'network-allow': allowed === undefined ? [] : [allowed],
    'network-deny': undefined,
    'upstream-proxy': undefined,
  } as const;
  return {
    settings: {
      'job-timeout': 60_000,
      'output-keep': 3_600_000,
      alias: undefined,
    },
    callbackNetwork: callbackNetwork(policy, () => 8730),
  };
}

/** Submits a batch whose template is the field `a`. */
export async function submitBatch(
  { queue, account }: { readonly queue: TemporaryQueue; readonly account: number },
  rows: string,
  {
    fields = {},
    key,
    limits,
  }: Pick<SubmittedForm, 'fields' | 'key'> & { readonly limits?: QueueLimits } = {},
): Promise<string> {
  const path = join(queue.scratch, `rows${Math.random()}`);
  await writeFile(path, rows);
  const upload = { path, name: 'rows.csv', size: rows.length };
  const form = {
    fields: { text: '{{a}}', ...fields },
    files: [{ name: 'rows', upload }],
    ...(key && { key }),
  };
  return await queue.submit(account, form, limits);
}

/** Ends a claimed job with the sample output. */
export async function convert(queue: TemporaryQueue, job: ClaimedJob): Promise<void> {
  await using entry = await queue.priced(job);
  await queue.storeSample(job.id);
  await entry.charge(
    {},
    () => {},
    (transaction) => queue.ends.complete(transaction, job.id, { output: sampleOutput, keepMs: 1000 }),
  );
}
