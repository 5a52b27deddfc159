/**
 * What one account may use of the queue and of the disk (docs/decisions/0065-account-shares.md): at most a setting, and never more than
 * is still free. However many accounts take what they can get, something is left for the next one.
 */
import { sql } from 'kysely';
import { freeCredits, noCredits } from '../accounts/ledger/credits.ts';
import { accountRemoved } from '../accounts/ledger/ledger.ts';
import { refillIfDue } from '../accounts/ledger/refill.ts';
import type { AccountRow, Database } from '../accounts/store/tables.ts';
import { nextTurn } from '../async/yielding.ts';
import { Failure } from '../failure/failure.ts';
import { freeBytesOf } from '../files/free-bytes.ts';
import type { Settings } from '../settings/table.ts';
import { isVisible } from './claim.ts';

export interface AccountSharesOptions {
  readonly settings: Pick<
    Settings,
    'jobs-queue' | 'jobs-queue-per-account' | 'uploads-per-account' | 'outputs-per-account'
  >;
  /** The folder of the files of jobs; undefined if they are stored in the database, whose disk cannot be measured. */
  readonly filesFolder: string | undefined;
}

/** What a submission adds. */
export interface AddedJobs {
  readonly jobs: number;
  /** The size of the request and its uploads. */
  readonly bytes: number;
}

/** The share of an account if the disk cannot be measured and the setting is absent. */
const unmeasuredShare = 10_000_000_000;
/** Jobs end, and outputs are deleted, at times that cannot be predicted. */
const retrySeconds = 10;

export class AccountShares {
  readonly #options: AccountSharesOptions;
  /** The free space of the disk when it was last measured, in bytes; undefined if it cannot be measured. */
  #freeBytes: number | undefined;

  constructor(options: AccountSharesOptions) {
    this.#options = options;
  }

  /** The setting jobs-queue. */
  get queueLimit(): number {
    return this.#options.settings['jobs-queue'];
  }

  /** The largest number of jobs that one account may have in an otherwise empty queue. */
  get maxJobs(): number {
    const { 'jobs-queue': limit, 'jobs-queue-per-account': ownLimit } = this.#options.settings;
    return Math.min(limit, ownLimit ?? Math.max(1, Math.floor(limit / 2)));
  }

  /** Measures the disk, for what is admitted next. Not part of it, because a transaction must not wait for the disk. */
  async measureDisk(): Promise<void> {
    const { filesFolder } = this.#options;
    if (filesFolder !== undefined) this.#freeBytes = await freeBytesOf(filesFolder);
  }

  /** Measures the disk, and admits jobs before the transaction that inserts them does it again. @throws those of `admitJobs` */
  async admitJobsEarly(database: Database, account: number, added: AddedJobs): Promise<void> {
    await this.measureDisk();
    // A query of SQLite is a step of the main thread, and many requests may arrive in one iteration of the event loop.
    await nextTurn();
    await this.admitJobs(database, account, added);
  }

  /**
   * Admits jobs to the queue. @throws Failure noCredits; unavailable if the queue is full; tooManyRequests if the account uses its
   * share; unauthorized if the account was removed
   */
  async admitJobs(database: Database, account: number, { jobs, bytes }: AddedJobs): Promise<void> {
    const found = await accountRow(database, account);
    if (found === undefined) throw accountRemoved();
    const row = await refillIfDue(database, found, Date.now());
    if ((await freeCredits(database, row)) < 1) throw noCredits();
    await this.#admitToQueue(database, account, jobs);
    refuseBeyond(this.#shareOf('uploads-per-account'), {
      used: await uploadBytes(database, account),
      added: bytes,
      what: 'The requests and uploads of jobs that have not ended',
      remedy: 'Wait until jobs have ended, or cancel some (DELETE /jobs/<id>).',
    });
    this.#refuseOutput(row, 1);
  }

  /** Admits an output of this size in bytes; 1 if its size is not known yet. @throws Failure tooManyRequests if the account uses its share */
  async admitOutput(database: Database, account: number, bytes: number): Promise<void> {
    const row = await accountRow(database, account);
    if (row !== undefined) this.#refuseOutput(row, bytes);
  }

  #refuseOutput({ kept_bytes: used }: AccountRow, added: number): void {
    refuseBeyond(this.#shareOf('outputs-per-account'), {
      used,
      added,
      what: 'The kept outputs of asynchronous jobs',
      remedy: 'Delete outputs that you have read (DELETE /jobs/<id>), or send a smaller value of keep.',
    });
  }

  async #admitToQueue(database: Database, account: number, added: number): Promise<void> {
    const { 'jobs-queue': limit, 'jobs-queue-per-account': ownLimit } = this.#options.settings;
    const left = limit - (await waitingJobs(database)) - added;
    if (left < 0) throw queueFull(limit);
    const own = (await waitingJobs(database, account)) + added;
    if (own <= (ownLimit ?? Math.max(1, left))) return;
    throw queueShareUsed(
      own - added,
      ownLimit === undefined
        ? `no more than the places that are left for others may (setting jobs-queue: ${limit})`
        : `at most ${ownLimit} may (setting jobs-queue-per-account)`,
    );
  }

  #shareOf(setting: 'uploads-per-account' | 'outputs-per-account') {
    const { [setting]: limit } = this.#options.settings;
    const free = this.#freeBytes;
    if (free !== undefined && free < (limit ?? Infinity))
      return { bytes: free, reason: 'as much as is free on the disk' };
    return { bytes: limit ?? unmeasuredShare, reason: `the setting ${setting}` };
  }
}

async function accountRow(database: Database, id: number): Promise<AccountRow | undefined> {
  return await database.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns the number of jobs that wait, of one account or of all. Rows of a batch that is being received all count already. */
async function waitingJobs(database: Database, account?: number): Promise<number> {
  // Without a condition for the account, SQLite uses another index, and reads the requests of all waiting jobs (50 MB, 40 ms).
  const ofAccount = account === undefined ? sql`AND account_id >= 0` : sql`AND account_id = ${account}`;
  const { rows } = await sql<{ readonly waiting: number }>`
    SELECT (SELECT count(*) FROM asynchronous_jobs
        WHERE request IS NOT NULL AND (batch_state IS NULL OR batch_state = 'merging') AND ${isVisible} ${ofAccount})
      + (SELECT coalesce(sum(batch_rows), 0) FROM asynchronous_jobs WHERE batch_state = 'receiving' ${ofAccount})
      - (SELECT count(*) FROM jobs WHERE outcome IS NULL AND started_at IS NOT NULL ${ofAccount}
          AND EXISTS (SELECT 1 FROM asynchronous_jobs WHERE job_id = jobs.id AND request IS NOT NULL)) AS waiting`.execute(
    database,
  );
  return rows[0]?.waiting ?? 0;
}

/** The index of the waiting jobs contains the sizes. */
async function uploadBytes(database: Database, account: number): Promise<number> {
  const { bytes } = await database
    .selectFrom('asynchronous_jobs')
    .select(({ fn }) => fn.sum<number | null>('upload_bytes').as('bytes'))
    .where('account_id', '=', account)
    .where('request', 'is not', null)
    .executeTakeFirstOrThrow();
  return bytes ?? 0;
}

interface DiskUse {
  /** In bytes. */
  readonly used: number;
  readonly added: number;
  readonly what: string;
  readonly remedy: string;
}

function refuseBeyond(
  share: { readonly bytes: number; readonly reason: string },
  { used, added, what, remedy }: DiskUse,
): void {
  if (used + added <= share.bytes) return;
  const more = added > 1 ? `, and this one adds ${megabytesOf(added)}` : '';
  throw new Failure(
    'tooManyRequests',
    `${what} of your account take ${megabytesOf(used)}${more}, but may take ${megabytesOf(share.bytes)} (${share.reason}). ${remedy}`,
    { retryAfter: retrySeconds },
  );
}

function megabytesOf(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function queueFull(limit: number): Failure {
  const message = `As many asynchronous jobs wait as this service accepts (${limit}, setting jobs-queue). Try again later.`;
  return new Failure('unavailable', message, { retryAfter: retrySeconds });
}

function queueShareUsed(waiting: number, why: string): Failure {
  const message = `${waiting} asynchronous jobs of your account wait, and ${why}. Try again when jobs have ended, or send fewer rows.`;
  return new Failure('tooManyRequests', message, { retryAfter: retrySeconds });
}
