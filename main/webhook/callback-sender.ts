/**
 * Delivers the callbacks of the table `callbacks`, at least once each. Any node delivers: a node claims a callback by moving its
 * due time, so that another node takes over if this one ends before it has recorded the result. Accounts take turns.
 */
import { sql } from 'kysely';
import { currentTime, isPostgres } from '../accounts/store/dialect.ts';
import type { CallbackRow, Database } from '../accounts/store/tables.ts';
import { webhookSecretContext } from '../accounts/store/account-records.ts';
import { decryptCallback } from '../accounts/store/callback-records.ts';
import { WakeablePause } from '../async/wakeable-pause.ts';
import { UnreadableValue, type Keyring } from '../encryption/keyring.ts';
import { isUnavailable } from '../accounts/store/unavailable.ts';
import { retryWhileBusy } from '../accounts/store/write-retries.ts';
import type { ServiceLog } from '../log/service-log.ts';
import { contextForCallbacks } from '../network/resolve-target.ts';
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
/** Maximum number of callbacks that a node delivers at the same time. */
const maxConcurrent = 16;
/** Maximum number of callbacks of one account that a node delivers at the same time. */
const maxConcurrentOfAccount = 4;
/** How often an idle node looks for callbacks: those that another node has added, or has not delivered. */
const pollMs = 5000;
/** The pause before the next look if other nodes are claiming all callbacks that are due. */
const lockedPollMs = 100;
/** How long disposing waits for attempts to end. */
const closeTimeoutMs = 5000;

interface ClaimedCallback extends Pick<CallbackRow, 'id' | 'job_id' | 'url' | 'body' | 'attempts'> {
  readonly account: number;
  /** Encrypted, as `url` and `body`. */
  readonly secret: string | null;
}

/** An account that has callbacks. */
interface WaitingAccount {
  readonly account: number;
  /** The time until the first callback is due, in milliseconds. Not above 0: it is due. */
  readonly waitMs: number;
}

/** A callback whose address and body are decrypted. */
interface ReadableCallback extends ClaimedCallback {
  readonly content: ReturnType<typeof decryptCallback>;
}

export class CallbackSender implements AsyncDisposable {
  readonly #options: CallbackSenderOptions;
  /** The deliveries under way, with their accounts. */
  readonly #deliveries = new Map<Promise<void>, number>();
  /** The accounts whose callbacks this node has delivered, those served longest ago first. */
  readonly #served = new Set<number>();
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
        const waiting = this.#allowedAccounts(await accountsWithCallbacks(this.#options.database));
        const due = waiting.filter(({ waitMs }) => waitMs <= 0);
        if (due.length === 0) return Math.min(pollMs, ...waiting.map(({ waitMs }) => waitMs));
        if (!(await this.#startNext(due))) return lockedPollMs;
      }
      return pollMs;
    } catch (problem) {
      this.#report(problem, 'cannot look for callbacks; the service tries again');
      return pollMs;
    }
  }

  /** Starts the delivery of one callback. Returns false if other nodes have claimed all that are due. */
  async #startNext(due: readonly WaitingAccount[]): Promise<boolean> {
    for (const { account } of this.#inTurn(due)) {
      const claimed = await this.#claim(account);
      if (claimed === undefined) continue;
      this.#served.delete(account);
      this.#served.add(account);
      this.#start(claimed);
      return true;
    }
    return false;
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

  /**
   * Returns the accounts that may have another delivery under way. No account takes more than half of what is free, so that
   * accounts whose receivers do not answer leave room for others.
   */
  #allowedAccounts(accounts: readonly WaitingAccount[]): WaitingAccount[] {
    const counts = this.#deliveryCounts();
    const free = maxConcurrent - this.#deliveries.size;
    const max = Math.min(maxConcurrentOfAccount, Math.ceil(free / 2));
    return accounts.filter(({ account }) => (counts.get(account) ?? 0) < max);
  }

  /** Returns the accounts in the order in which they are served: first those with the fewest deliveries under way. */
  #inTurn(accounts: readonly WaitingAccount[]): WaitingAccount[] {
    const counts = this.#deliveryCounts();
    const turns = new Map([...this.#served].map((account, index) => [account, index]));
    const countOf = ({ account }: WaitingAccount) => counts.get(account) ?? 0;
    const turnOf = ({ account }: WaitingAccount) => turns.get(account) ?? -1;
    return accounts.toSorted(
      (one, other) =>
        countOf(one) - countOf(other) || turnOf(one) - turnOf(other) || one.waitMs - other.waitMs,
    );
  }

  /** Returns the number of deliveries under way of each account that has any. */
  #deliveryCounts(): Map<number, number> {
    const counts = new Map<number, number>();
    for (const account of this.#deliveries.values()) counts.set(account, (counts.get(account) ?? 0) + 1);
    return counts;
  }

  /** Claims the callback of the account that is due first. Returns undefined if other nodes have claimed all of them. */
  async #claim(account: number): Promise<ClaimedCallback | undefined> {
    const { database } = this.#options;
    const now = currentTime(database);
    const due = database
      .selectFrom('callbacks')
      .select('id')
      .where('account_id', '=', account)
      .where(({ eb }) => eb('due_at', '<=', now))
      .orderBy('due_at')
      .limit(1)
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
      .select('accounts.webhook_secret as secret')
      .where('jobs.id', '=', claimed.job_id)
      .executeTakeFirst();
    // A job that was deleted in the meantime has no callbacks any more.
    return owner && { ...claimed, account, secret: owner.secret };
  }

  async #deliver(claimed: ClaimedCallback): Promise<void> {
    const { database, log } = this.#options;
    const callback = this.#readable(claimed);
    if (callback === undefined) {
      await this.#delete(claimed);
      log.error(fieldsOf(claimed), 'callback given up: the key with which it was encrypted is gone');
      return;
    }
    let result: CallbackResult;
    try {
      result = await this.#attempt(callback);
    } catch (problem) {
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
    if (result.kind === 'delivered') log.debug(fieldsWithReceiver(callback), 'callback delivered');
    else log.warn(fieldsWithReceiver(callback), 'callback given up: the receiver answered with 410');
  }

  /** Returns undefined if the key is gone with which the callback was encrypted. */
  #readable(callback: ClaimedCallback): ReadableCallback | undefined {
    return unlessUnreadable(() => ({
      ...callback,
      content: decryptCallback(this.#options.keyring, callback),
    }));
  }

  async #attempt(callback: ReadableCallback): Promise<CallbackResult> {
    const { network, version, timeoutMs = defaultTimeoutMs } = this.#options;
    const secret = this.#secretOf(callback);
    if (secret === undefined)
      return {
        kind: 'failed',
        problem: 'the account has no webhook secret; platen account webhook-secret creates one',
      };
    const { id, account, content } = callback;
    const request = { id, ...content, secret, userAgent: `Platen/${version}`, timeoutMs };
    return await sendCallback(request, contextForCallbacks(network, account), this.#stop.signal);
  }

  /** Returns undefined if the account has none, or one that was encrypted with a key that is gone. */
  #secretOf({ account, secret }: ClaimedCallback): string | undefined {
    if (secret === null) return undefined;
    return unlessUnreadable(() => this.#options.keyring.decryptSecret(secret, webhookSecretContext(account)));
  }

  async #recordFailure(
    callback: ReadableCallback,
    { problem, retryAfterMs, refusal }: CallbackResult & { readonly kind: 'failed' },
  ): Promise<void> {
    const { database, log } = this.#options;
    const { attempts } = callback;
    const pauseMs = pauseAfter({ attempts, retryAfterMs });
    const fields = { ...fieldsWithReceiver(callback), problem, ...(refusal && { refusal }) };
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
}

/**
 * Returns the accounts that have callbacks. Nodes look after each delivery, so it seeks the next account in an index: reading all
 * entries of an account with 10,000 callbacks would take milliseconds.
 */
async function accountsWithCallbacks(database: Database): Promise<WaitingAccount[]> {
  const { rows } = await sql<WaitingAccount>`
    WITH RECURSIVE waiting (account) AS (
      SELECT min(account_id) FROM callbacks
      UNION ALL
      SELECT (SELECT min(account_id) FROM callbacks WHERE account_id > account) FROM waiting
      WHERE account IS NOT NULL
    )
    SELECT account, first_due - ${currentTime(database)} AS "waitMs" FROM (
      SELECT account, (SELECT min(due_at) FROM callbacks WHERE account_id = account) AS first_due FROM waiting
      WHERE account IS NOT NULL
    ) AS first_callbacks
    WHERE first_due IS NOT NULL`.execute(database);
  return rows;
}

function unlessUnreadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (problem) {
    if (problem instanceof UnreadableValue) return undefined;
    throw problem;
  }
}

function fieldsOf({ id, job_id: job, attempts }: ClaimedCallback) {
  return { callback: id, job, attempts };
}

/** Without the path and the query of the receiver, which often contain a secret. */
function fieldsWithReceiver(callback: ReadableCallback) {
  return { ...fieldsOf(callback), receiver: new URL(callback.content.url).origin };
}
