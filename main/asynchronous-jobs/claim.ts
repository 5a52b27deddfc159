/**
 * Claims queued jobs for a node (docs/decisions/0059-asynchronous-jobs.md): among accounts, the one that runs the fewest jobs, then the
 * one that was served longest ago; in an account, interactive before batch, then by id. A claim is one transaction, in which the job
 * also reserves a credit, so that a crash leaves either a queued or a running job.
 */
import { sql, type SqlBool } from 'kysely';
import { accountOfRow, type Account } from '../accounts/account.ts';
import { freeCredits } from '../accounts/ledger/credits.ts';
import { limitRefusal } from '../accounts/ledger/limits.ts';
import { refillIfDue } from '../accounts/ledger/refill.ts';
import { currentTime, isPostgres } from '../accounts/store/dialect.ts';
import type { AsynchronousJobRow, Database } from '../accounts/store/tables.ts';
import { retryWhileBusy } from '../accounts/store/write-retries.ts';
import type { Keyring } from '../encryption/keyring.ts';
import { catalogue } from '../failure/catalogue.ts';
import type { ClaimedStart, JobEnds } from './job-end.ts';
import { decryptRequest, type StoredRequest } from './stored-request.ts';

/** A job that now runs on this node. */
export interface ClaimedJob extends ClaimedStart {
  readonly account: Account;
  /** The credits that the job may use; see EnteredJob. */
  readonly free: number;
  readonly request: StoredRequest;
  /** How long the output is kept, in milliseconds. */
  readonly keepMs: number;
}

/** After so many deaths of its nodes, a job is likely to be the reason, although it ran apart from them. */
export const maxNodeLosses = 5;

export interface ClaimOptions {
  readonly database: Database;
  /** The id of the node. */
  readonly node: string;
  readonly keyring: Keyring;
  readonly ends: JobEnds;
  /** Whether to claim suspects or other jobs (docs/decisions/0064-suspects.md). */
  readonly suspects: boolean;
}

/** Claims the next job. Returns undefined if no job can run now. @throws Failure unavailable; the error of the database */
export async function claimJob(options: ClaimOptions): Promise<ClaimedJob | undefined> {
  const { database, suspects } = options;
  if (suspects && !(await hasSuspects(database))) return undefined;
  for (const account of await accountsWithQueuedJobs(database, suspects)) {
    const claimed = await retryWhileBusy(() =>
      database.transaction().execute((transaction) => new Claim(transaction, options).claimFrom(account)),
    );
    if (claimed !== undefined) return claimed;
  }
  return undefined;
}

/**
 * Returns how long a node sleeps while no job is open, in milliseconds. If it shares its database, another node may submit a job.
 * Otherwise each submission wakes the node, and the limit is only a precaution.
 */
export function emptyQueuePauseMs(isShared: boolean): number {
  return isShared ? 1000 : 30_000;
}

/** Returns whether any asynchronous job waits or runs. Idle nodes ask this often, so it reads only an index. */
export async function hasOpenJobs(database: Database): Promise<boolean> {
  const row = await database
    .selectFrom('asynchronous_jobs')
    .select('job_id')
    .where('request', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The condition of a suspect, as the index asynchronous_jobs_suspects has it: it may wait or run. */
const isSuspect = sql<SqlBool>`(asynchronous_jobs.request IS NOT NULL AND asynchronous_jobs.node_losses > 0)`;

async function hasSuspects(database: Database): Promise<boolean> {
  const row = await database
    .selectFrom('asynchronous_jobs')
    .select('job_id')
    .where(isSuspect)
    .where('batch_state', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The condition of jobs that may run beside others: no suspects, and no rows of a batch that has one. */
const isUnsuspected = sql<SqlBool>`(asynchronous_jobs.node_losses = 0 AND (asynchronous_jobs.batch_id IS NULL
  OR asynchronous_jobs.batch_id NOT IN (SELECT suspect.batch_id FROM asynchronous_jobs AS suspect
    WHERE suspect.request IS NOT NULL AND suspect.node_losses > 0 AND suspect.batch_id IS NOT NULL)))`;

/** Returns the accounts that may have a job to run, in the order in which they are served. */
async function accountsWithQueuedJobs(database: Database, suspects: boolean): Promise<number[]> {
  const { rows } = await sql<{ readonly id: number }>`
    SELECT id FROM (
      SELECT accounts.id, accounts.jobs_at_once,
        (SELECT count(*) FROM jobs
          WHERE account_id = accounts.id AND outcome IS NULL AND started_at IS NOT NULL) AS running,
        coalesce((SELECT max(started_at) FROM jobs WHERE account_id = accounts.id), 0) AS last_start
      FROM accounts
      WHERE EXISTS (
        SELECT 1 FROM asynchronous_jobs JOIN jobs ON jobs.id = asynchronous_jobs.job_id
        WHERE asynchronous_jobs.account_id = accounts.id AND asynchronous_jobs.request IS NOT NULL
          AND asynchronous_jobs.batch_state IS NULL AND ${isVisible}
          AND asynchronous_jobs.available_at <= ${currentTime(database)}
          AND ${suspects ? isSuspect : isUnsuspected}
          AND jobs.started_at IS NULL AND jobs.outcome IS NULL)
    ) AS candidates
    WHERE jobs_at_once IS NULL OR running < jobs_at_once
    ORDER BY running, last_start, id`.execute(database);
  return rows.map(({ id }) => id);
}

/** The condition that a job is not a row of a batch that is being received or was canceled. */
export const isVisible = sql<SqlBool>`(asynchronous_jobs.batch_id IS NULL OR asynchronous_jobs.batch_id NOT IN (
  SELECT job_id FROM asynchronous_jobs WHERE batch_state IN ('receiving', 'closing')))`;

/** The next job of an account that may begin now: a query of one row. */
function nextJobOf(database: Database, account: number) {
  return database
    .selectFrom('asynchronous_jobs')
    .innerJoin('jobs', 'jobs.id', 'asynchronous_jobs.job_id')
    .select(['job_id', 'node_losses', 'request', 'keep_ms'])
    .where('asynchronous_jobs.account_id', '=', account)
    .where('request', 'is not', null)
    .where('batch_state', 'is', null)
    .where(isVisible)
    .where('available_at', '<=', currentTime(database))
    .where('jobs.started_at', 'is', null)
    .where('jobs.outcome', 'is', null)
    .orderBy('priority')
    .orderBy('job_id')
    .limit(1);
}

/** Records that a job begins on its node. `reserved`: credits. */
export async function startJob(
  transaction: Database,
  { id, node, startedAt }: ClaimedStart,
  reserved = 0,
): Promise<void> {
  await transaction
    .updateTable('jobs')
    .set({ started_at: startedAt, node_id: node, reserved })
    .where('id', '=', id)
    .execute();
}

type ClaimCandidate = Pick<AsynchronousJobRow, 'job_id' | 'node_losses' | 'request' | 'keep_ms'>;

/** One transaction of a claim. */
class Claim {
  readonly #transaction: Database;
  readonly #options: ClaimOptions;
  readonly #startedAt = Date.now();

  constructor(transaction: Database, options: ClaimOptions) {
    this.#transaction = transaction;
    this.#options = options;
  }

  /** Returns undefined if the account is at a limit, or another node has claimed its job. */
  async claimFrom(account: number): Promise<ClaimedJob | undefined> {
    const { node, keyring, ends } = this.#options;
    const found = await this.#transaction
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', account)
      // The lock makes the jobs of one account begin one after another on all nodes, as platen_enter_job_v1 does. A submission, whose
      // uploads may take a minute, locks only the key of its account.
      .$if(isPostgres(this.#transaction), (query) => query.forNoKeyUpdate())
      .executeTakeFirst();
    if (found === undefined) return undefined;
    const row = await refillIfDue(this.#transaction, found, this.#startedAt);
    if ((await limitRefusal(this.#transaction, row, this.#startedAt)) !== undefined) return undefined;
    for (;;) {
      const job = await this.#nextJob(account);
      if (job === undefined) return undefined;
      const start = { id: job.job_id, node, startedAt: this.#startedAt };
      const free = await freeCredits(this.#transaction, row);
      await startJob(this.#transaction, start, free >= 1 ? 1 : 0);
      const request = decryptRequest(keyring, job.job_id, job.request ?? '');
      if (request === undefined) await ends.fail(this.#transaction, start, undecipherable());
      else if (job.node_losses >= maxNodeLosses) await ends.failAsGuilty(this.#transaction, start, exhausted);
      else
        return {
          ...start,
          account: accountOfRow(row),
          free: Math.max(0, free),
          request,
          keepMs: job.keep_ms,
        };
    }
  }

  async #nextJob(account: number): Promise<ClaimCandidate | undefined> {
    return await nextJobOf(this.#transaction, account)
      .where(this.#options.suspects ? isSuspect : isUnsuspected)
      .$if(isPostgres(this.#transaction), (query) => query.forUpdate('jobs').skipLocked())
      .executeTakeFirst();
  }
}

const exhausted = `The service ended ${maxNodeLosses} times while this document was converted, so it does not try again.`;

/** Returns the end of a job whose key was deleted, for example because the database was restored from a backup. */
function undecipherable() {
  const { status, reason } = catalogue.internal;
  const message =
    'The service no longer has the key with which the request was encrypted. Submit the job again.';
  return { outcome: 'failed', status, reason, message, stages: {} } as const;
}
