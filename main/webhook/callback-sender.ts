/**
 * Delivers the callbacks of the table `callbacks`, at least once each. Any node delivers: a node claims a callback by moving its
 * due time, so that another node takes over if this one ends before it has recorded the result.
 */
import { currentTime, isPostgres } from '../accounts/store/dialect.ts';
import type { CallbackRow, Database } from '../accounts/store/tables.ts';
import { webhookSecretContext } from '../accounts/store/account-records.ts';
import { decryptCallback } from '../accounts/store/callback-records.ts';
import { WakeablePause } from '../async/wakeable-pause.ts';
import { UnreadableValue, type Keyring } from '../encryption/keyring.ts';
import { isUnavailable } from '../accounts/store/unavailable.ts';
import { retryWhileBusy } from '../accounts/store/write-retries.ts';
import type { ServiceLog } from '../log/service-log.ts';
import type { CallbackNetwork } from './callback-network.ts';
import { sendCallback, type CallbackResult } from './callback-request.ts';
import { maxAttempts, pauseAfter } from './retry-schedule.ts';

export interface CallbackSenderOptions {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly network: CallbackNetwork;
  /** The version of Platen, for the header `user-agent`. */
  readonly version: string;
  readonly log: ServiceLog;
  /** Limit of one attempt. Default: 15 s. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 15_000;
/** How long a claimed callback belongs to its node, longer than an attempt. */
const claimMs = 60_000;
/** Maximum numbers of callbacks that a node delivers at the same time. A slow receiver delays only those of the same account. */
const maxConcurrent = 16;
const maxConcurrentOfAccount = 4;
/** How often an idle node looks for callbacks: those that another node has added, or has not delivered. */
const pollMs = 5000;
/** How long disposing waits for attempts to end. */
const closeTimeoutMs = 5000;

interface ClaimedCallback extends Pick<CallbackRow, 'id' | 'job_id' | 'url' | 'body' | 'attempts'> {
  readonly account: number;
  /** Encrypted, as `url` and `body`. */
  readonly secret: string | null;
}

export class CallbackSender implements AsyncDisposable {
  readonly #options: CallbackSenderOptions;
  /** The deliveries under way, with their accounts. */
  readonly #deliveries = new Map<Promise<void>, number>();
  readonly #stop = new AbortController();
  readonly #pause = new WakeablePause();
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: CallbackSenderOptions) {
    this.#options = options;
  }

  /** Starts to deliver. Call this only once. */
  begin(): void {
    this.#running = this.#run();
  }

  /** Looks for callbacks immediately. Call this after the end of a job with a callback. */
  wake(): void {
    this.#pause.wake();
  }

  /** Stops. Attempts that do not end within 5 s are aborted, and made again by another node or after the next start. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    this.wake();
    await this.#running;
    const timer = setTimeout(() => {
      this.#stop.abort(new Error('the service stops'));
    }, closeTimeoutMs);
    await Promise.all(this.#deliveries.keys());
    clearTimeout(timer);
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    while (!this.#isStopped) await this.#pause.wait(await this.#startDue());
  }

  /** Starts to deliver what is due. Returns the time until the next look in milliseconds. Never rejects. */
  async #startDue(): Promise<number> {
    try {
      while (this.#deliveries.size < maxConcurrent && !this.#isStopped) {
        // This read needs no lock, so that idle nodes cost the database little.
        const waitMs = await this.#timeUntilDue();
        if (waitMs === undefined || waitMs > 0) return Math.min(waitMs ?? pollMs, pollMs);
        const claimed = await this.#claim();
        if (claimed !== undefined) this.#start(claimed);
      }
      return pollMs;
    } catch (problem) {
      this.#report(problem, 'cannot look for callbacks; the service tries again');
      return pollMs;
    }
  }

  #start(callback: ClaimedCallback): void {
    const delivery = this.#deliver(callback).catch((problem: unknown) => {
      this.#report(problem, 'cannot record the delivery of a callback; it may be delivered again');
    });
    this.#deliveries.set(delivery, callback.account);
    void delivery.finally(() => {
      this.#deliveries.delete(delivery);
      this.wake();
    });
  }

  /** The database itself reports that it cannot be reached. */
  #report(problem: unknown, message: string): void {
    if (!isUnavailable(problem)) this.#options.log.error({ err: problem }, message);
  }

  /** Returns the accounts that have as many deliveries under way as an account may have. */
  #busyAccounts(): number[] {
    const counts = new Map<number, number>();
    for (const account of this.#deliveries.values()) counts.set(account, (counts.get(account) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= maxConcurrentOfAccount).map(([account]) => account);
  }

  /** The callbacks of accounts that may have another delivery under way, the one that is due first before the others. */
  #candidates() {
    const busy = this.#busyAccounts();
    const first = this.#options.database.selectFrom('callbacks').orderBy('due_at').orderBy('id').limit(1);
    if (busy.length === 0) return first;
    return first.where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('jobs')
            .select('jobs.id')
            .whereRef('jobs.id', '=', 'callbacks.job_id')
            .where('jobs.account_id', 'in', busy),
        ),
      ),
    );
  }

  /** Returns milliseconds, by the clock of the database; undefined if there are no callbacks. */
  async #timeUntilDue(): Promise<number | undefined> {
    const now = currentTime(this.#options.database);
    const row = await this.#candidates()
      .select(({ eb }) => eb('due_at', '-', now).as('wait'))
      .executeTakeFirst();
    return row?.wait;
  }

  /** Claims the callback that is due first. Returns undefined if other nodes have claimed all of them. */
  async #claim(): Promise<ClaimedCallback | undefined> {
    const { database } = this.#options;
    const now = currentTime(database);
    const due = this.#candidates()
      .select('callbacks.id')
      .where(({ eb }) => eb('due_at', '<=', now))
      // With SQLite, the whole statement is one transaction of the only writer.
      .$if(isPostgres(database), (query) => query.forUpdate().skipLocked());
    const claimed = await retryWhileBusy(() =>
      database
        .updateTable('callbacks')
        .set(({ eb }) => ({ due_at: eb(now, '+', claimMs), attempts: eb('attempts', '+', 1) }))
        .where('id', '=', due)
        .returning(['id', 'job_id', 'url', 'body', 'attempts'])
        .executeTakeFirst(),
    );
    if (claimed === undefined) return undefined;
    const owner = await database
      .selectFrom('jobs')
      .innerJoin('accounts', 'accounts.id', 'jobs.account_id')
      .select(['accounts.id as account', 'accounts.webhook_secret as secret'])
      .where('jobs.id', '=', claimed.job_id)
      .executeTakeFirst();
    // A job that was deleted in the meantime has no callbacks any more.
    return owner && { ...claimed, account: owner.account, secret: owner.secret };
  }

  async #deliver(callback: ClaimedCallback): Promise<void> {
    const { database, log } = this.#options;
    let result: CallbackResult;
    try {
      result = await this.#attempt(callback);
    } catch (problem) {
      if (problem instanceof UnreadableValue) {
        await this.#delete(callback);
        log.error(fieldsOf(callback), 'callback given up: the key with which it was encrypted is gone');
        return;
      }
      if (!this.#stop.signal.aborted) throw problem;
      // The receiver is not to blame, so the attempt does not count.
      const again = { due_at: currentTime(database), attempts: callback.attempts - 1 };
      await retryWhileBusy(() => this.#updateClaimed(callback).set(again).execute());
      return;
    }
    if (result.kind === 'failed') {
      await this.#recordFailure(callback, result);
      return;
    }
    await this.#delete(callback);
    if (result.kind === 'delivered') log.debug(this.#fieldsOf(callback), 'callback delivered');
    else log.warn(this.#fieldsOf(callback), 'callback given up: the receiver answered with 410');
  }

  /** @throws UnreadableValue */
  async #attempt(callback: ClaimedCallback): Promise<CallbackResult> {
    const { network, version, timeoutMs = defaultTimeoutMs } = this.#options;
    const secret = this.#secretOf(callback);
    if (secret === undefined)
      return {
        kind: 'failed',
        problem: 'the account has no webhook secret; platen account webhook-secret creates one',
      };
    const { id } = callback;
    const content = decryptCallback(this.#options.keyring, callback);
    const request = { id, ...content, secret, userAgent: `Platen/${version}`, timeoutMs };
    return await sendCallback(request, network, this.#stop.signal);
  }

  /** Returns undefined if the account has none, or one that was encrypted with a key that is gone. */
  #secretOf({ account, secret }: ClaimedCallback): string | undefined {
    if (secret === null) return undefined;
    try {
      return this.#options.keyring.decryptSecret(secret, webhookSecretContext(account));
    } catch (problem) {
      if (problem instanceof UnreadableValue) return undefined;
      throw problem;
    }
  }

  async #recordFailure(
    callback: ClaimedCallback,
    { problem, retryAfterMs, refusal }: CallbackResult & { readonly kind: 'failed' },
  ): Promise<void> {
    const { database, log } = this.#options;
    const { attempts } = callback;
    const pauseMs = pauseAfter({ attempts, retryAfterMs });
    const fields = { ...this.#fieldsOf(callback), problem, ...(refusal && { refusal }) };
    if (pauseMs === undefined) {
      await this.#delete(callback);
      log.error(fields, `callback given up after ${maxAttempts} attempts`);
      return;
    }
    const now = currentTime(database);
    await retryWhileBusy(() =>
      this.#updateClaimed(callback)
        .set(({ eb }) => ({ due_at: eb(now, '+', pauseMs), problem }))
        .execute(),
    );
    log.warn({ ...fields, nextAttemptInSeconds: Math.round(pauseMs / 1000) }, 'callback not delivered');
  }

  /** Updates the callback unless another node has claimed it in the meantime. */
  #updateClaimed({ id, attempts }: ClaimedCallback) {
    return this.#options.database
      .updateTable('callbacks')
      .where('id', '=', id)
      .where('attempts', '=', attempts);
  }

  async #delete({ id }: ClaimedCallback): Promise<void> {
    await retryWhileBusy(() => this.#options.database.deleteFrom('callbacks').where('id', '=', id).execute());
  }

  /** The path and the query of a receiver often contain a secret. */
  #fieldsOf(callback: ClaimedCallback) {
    const { url } = decryptCallback(this.#options.keyring, callback);
    return { ...fieldsOf(callback), receiver: new URL(url).origin };
  }
}

function fieldsOf({ id, job_id: job, attempts }: ClaimedCallback) {
  return { callback: id, job, attempts };
}
