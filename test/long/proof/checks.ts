/** The checks at the end of the proof: what the database says against what the callers received. */
import type { Database, JobRow } from '../../../main/accounts/store/tables.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { accounts, type AccountName, type ProofJob } from './jobs.ts';

/** What a caller received for a synchronous job. */
export interface SynchronousResult {
  readonly job: ProofJob;
  /** Whether a document arrived completely. */
  readonly isDelivered: boolean;
  readonly credits: number;
  readonly receivedBytes: number;
}

/** What a caller received for an accepted asynchronous job. */
export interface AsynchronousResult {
  readonly job: ProofJob;
  readonly credits: number;
}

export interface ProofResults {
  readonly synchronous: readonly SynchronousResult[];
  readonly asynchronous: readonly AsynchronousResult[];
}

/** Waits until every job has ended and no credit is reserved. @throws Error with the number of jobs that have not ended */
export async function waitForEnds(database: Database): Promise<void> {
  let open: readonly JobRow[] = [];
  await waitUntil('every job has ended', async () => {
    open = await database.selectFrom('jobs').selectAll().where('outcome', 'is', null).execute();
    return open.length === 0;
  }).catch(() => {
    throw new Error(
      `these jobs have not ended: ${open.map(({ tag, node_id: node }) => `${tag} (${node})`).join()}`,
    );
  });
}

/** Returns every contradiction between the database and what the callers received. */
export async function contradictions(database: Database, results: ProofResults): Promise<readonly string[]> {
  const rows = await database
    .selectFrom('jobs')
    .innerJoin('accounts', 'accounts.id', 'jobs.account_id')
    .select(['jobs.id', 'tag', 'outcome', 'charged', 'reserved', 'output_bytes', 'accounts.name'])
    .execute();
  const spent = await database.selectFrom('accounts').select(['name', 'spent', 'granted']).execute();
  const byTag = new Map<string, ProofRecord[]>();
  // A job whose form was not read has no tag.
  for (const { tag, ...row } of rows)
    if (tag !== null) byTag.set(tag, [...(byTag.get(tag) ?? []), { tag, ...row }]);
  return [
    ...[...byTag]
      .filter(([, jobs]) => jobs.length > 1)
      .map(([tag]) => `${tag} has several rows: a request was sent twice`),
    ...rows
      .filter(({ reserved, outcome }) => reserved > 0 && outcome !== null)
      .map(({ tag }) => `${tag} still reserves credits`),
    ...rows
      .filter(({ charged, outcome }) => charged > 0 && outcome !== 'converted')
      .map(({ tag, outcome }) => `${tag ?? 'a job'} was charged, although it is ${outcome ?? 'open'}`),
    ...results.synchronous.flatMap((result) => synchronousProblems(result, byTag.get(result.job.token)?.[0])),
    ...results.asynchronous.flatMap((result) =>
      asynchronousProblems(result, byTag.get(result.job.token)?.[0]),
    ),
    ...accounts.flatMap((name) => accountProblems(name, { rows, spent, results })),
  ];
}

type ProofRecord = Pick<JobRow, 'id' | 'tag' | 'outcome' | 'charged' | 'reserved' | 'output_bytes'> & {
  readonly name: string;
};

function synchronousProblems(
  { job, isDelivered, credits, receivedBytes }: SynchronousResult,
  row: ProofRecord | undefined,
): string[] {
  const charged = row?.charged ?? 0;
  if (isDelivered) {
    if (charged === credits) return [];
    return [
      `${job.token} was answered with ${credits} credits, but ${charged} are charged (${row?.outcome ?? 'no row'})`,
    ];
  }
  // A caller who disconnects may leave a whole answer unread in the load balancer.
  if (charged === 0 || job.giveUpAfterMs !== undefined) return [];
  // A job is charged immediately before the last byte of its answer is sent.
  if (receivedBytes >= Number(row?.output_bytes) - 1) return [];
  return [`${job.token} was charged, but only ${receivedBytes} of ${row?.output_bytes ?? '?'} bytes arrived`];
}

function asynchronousProblems({ job, credits }: AsynchronousResult, row: ProofRecord | undefined): string[] {
  if (row === undefined) return [`${job.token} was accepted, but is not recorded`];
  if (job.giveUpAfterMs !== undefined) return [];
  return row.charged === credits
    ? []
    : [
        `${job.token} has an output of ${credits} credits, but ${row.charged} are charged (${row.outcome ?? 'no outcome'})`,
      ];
}

interface Balances {
  readonly rows: readonly ProofRecord[];
  readonly spent: readonly {
    readonly name: string;
    readonly spent: number;
    readonly granted: number | null;
  }[];
  readonly results: ProofResults;
}

function accountProblems(name: AccountName, { rows, spent, results }: Balances): string[] {
  const account = spent.find((row) => row.name === name);
  if (account === undefined) return [`the account ${name} is missing`];
  const own = rows.filter((row) => row.name === name);
  const charged = sum(own.map((row) => row.charged));
  const all = [...results.synchronous, ...results.asynchronous].filter(({ job }) => job.account === name);
  const received = sum(all.map(({ credits }) => credits));
  const tokens = new Set(all.filter(({ credits }) => credits > 0).map(({ job }) => job.token));
  const unread = sum(own.filter(({ tag }) => !tokens.has(tag ?? '')).map((row) => row.charged));
  return [
    ...(account.spent === charged
      ? []
      : [`${name} has spent ${account.spent}, but its jobs were charged ${charged}`]),
    ...(charged === received + unread
      ? []
      : [`${name}: ${charged} charged, ${received} received, ${unread} unread`]),
    ...(account.granted !== null && account.spent > account.granted
      ? [`${name} has spent more than it had`]
      : []),
  ];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
