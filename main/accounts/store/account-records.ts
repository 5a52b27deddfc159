/** Adds, finds, changes and removes accounts in the database, and sets their balances. */
import { sql } from 'kysely';
import { nextTurn } from '../../async/yielding.ts';
import { AccountProblem } from '../account-problem.ts';
import { factsOfRow, type AccountChange, type AccountFacts, type NewAccount } from '../account.ts';
import { refillIfDue } from '../ledger/refill.ts';
import { isPostgres } from './dialect.ts';
import type { AccountRow, AccountsTable, Database } from './tables.ts';
import { heldCredits } from '../ledger/credits.ts';
import { retryWhileBusy } from './write-retries.ts';

/** Adds an account. @throws AccountProblem if the name is taken, or an unlimited account has a refill */
export async function insertAccount(
  database: Database,
  account: NewAccount,
  now: number,
): Promise<AccountRow> {
  const { name, operator = false, debugLog = false, credits, refill = 'none' } = account;
  if (credits === 'unlimited' && refill !== 'none') throw nothingToRefill(name);
  const row = await database
    .insertInto('accounts')
    .values({
      name,
      operator: 0,
      demo: 0,
      debug_log: 0,
      created_at: now,
      refilled_at: now,
      granted: initialBalance(account),
      ...columnsOf({ ...account, operator, debugLog }, now),
    })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined)
    throw new AccountProblem(`an account '${name}' already exists; change it or choose another name`);
  return row;
}

/** Returns all accounts, sorted by name, with their current balances. */
export async function listAccounts(database: Database, now: number): Promise<AccountFacts[]> {
  const rows = await database.selectFrom('accounts').selectAll().orderBy('name').execute();
  const facts: AccountFacts[] = [];
  for (const row of rows) facts.push(factsOfRow(await refillIfDue(database, row, now)));
  return facts;
}

/** Returns the account with its current balance. @throws AccountProblem if there is no account with that name */
export async function requireAccount(database: Database, name: string, now: number): Promise<AccountRow> {
  const row = await database.selectFrom('accounts').selectAll().where('name', '=', name).executeTakeFirst();
  if (row === undefined) throw noSuchAccount(name);
  return await refillIfDue(database, row, now);
}

/** Changes the account. A new refill takes effect when the next period begins. @throws AccountProblem */
export async function changeAccount(
  database: Database,
  name: string,
  { change, now }: { readonly change: AccountChange; readonly now: number },
): Promise<AccountFacts> {
  return await database.transaction().execute(async (transaction) => {
    const row = await requireAccount(transaction, name, now);
    checkChange(row, change);
    const columns = columnsOf(change, now);
    if (Object.keys(columns).length === 0) return factsOfRow(row);
    const changed = await transaction
      .updateTable('accounts')
      .set(columns)
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return factsOfRow(changed);
  });
}

/** Replaces the secret that signs the account's callbacks. `encrypted`: with `webhookSecretContext`. */
export async function setWebhookSecret(database: Database, id: number, encrypted: string): Promise<void> {
  await database.updateTable('accounts').set({ webhook_secret: encrypted }).where('id', '=', id).execute();
}

/** Returns the context in which the webhook secret of an account is encrypted. */
export function webhookSecretContext(account: number): string {
  return `webhook secret of account ${account}`;
}

/** The most jobs that one transaction deletes, so that the main thread does other work between two of them. */
const jobsPerTransaction = 50;
/** The most bytes of requests, which SQLite overwrites. The request of a row may have 1 MB. */
const bytesPerTransaction = 2_000_000;

/**
 * Removes the account with its keys and the records of its jobs, a few at a time. Returns the ids of the jobs' debug logs. If it
 * fails, the account exists with the remaining jobs, and can be removed again.
 * @throws AccountProblem if there is no account with that name
 */
export async function removeAccount(database: Database, name: string): Promise<string[]> {
  const account = await database
    .selectFrom('accounts')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirst();
  if (account === undefined) throw noSuchAccount(name);
  const logs: (string | null)[] = [];
  const deleteSome = (transaction: Database) => deleteInactiveJobs(transaction, account.id);
  for (let deleted: (string | null)[]; ; logs.push(...deleted)) {
    deleted = await retryWhileBusy(() => database.transaction().execute(deleteSome));
    if (deleted.length === 0) break;
    await nextTurn();
  }
  // Also deletes the jobs that run, and those that have arrived in the meantime.
  const remaining = await retryWhileBusy(() =>
    database.transaction().execute(async (transaction) => {
      await lockAccount(transaction, account.id);
      const jobs = await transaction
        .selectFrom('jobs')
        .select('debug_log')
        .where('account_id', '=', account.id)
        .execute();
      await transaction.deleteFrom('accounts').where('id', '=', account.id).execute();
      return jobs.map(({ debug_log: log }) => log);
    }),
  );
  return [...logs, ...remaining].filter((log) => log !== null);
}

/** Deletes some jobs that have ended or wait, and returns their debug logs. A job that runs must not lose its row before its account. */
async function deleteInactiveJobs(transaction: Database, account: number): Promise<(string | null)[]> {
  await lockAccount(transaction, account);
  await cancelBatches(transaction, account);
  const jobs = await transaction
    .selectFrom('jobs')
    .leftJoin('asynchronous_jobs', 'asynchronous_jobs.job_id', 'jobs.id')
    .select(['jobs.id', 'debug_log', sql<number | null>`octet_length(request)`.as('request_bytes')])
    .where('jobs.account_id', '=', account)
    .where((eb) => eb.or([eb('outcome', 'is not', null), eb('started_at', 'is', null)]))
    // A batch is deleted after its rows.
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('asynchronous_jobs as row_jobs')
            .select('row_jobs.job_id')
            .whereRef('row_jobs.batch_id', '=', 'jobs.id'),
        ),
      ),
    )
    .orderBy('jobs.id')
    .limit(jobsPerTransaction)
    .execute();
  if (jobs.length === 0) return [];
  let bytes = 0;
  const deleted = jobs.filter(({ request_bytes }, index) => {
    bytes += request_bytes ?? 0;
    return index === 0 || bytes <= bytesPerTransaction;
  });
  const ids = deleted.map(({ id }) => id);
  await transaction.deleteFrom('jobs').where('id', 'in', ids).execute();
  return deleted.map(({ debug_log: log }) => log);
}

/** Cancels the batches of the account, because a batch would otherwise end with those of its rows that are left. */
async function cancelBatches(transaction: Database, account: number): Promise<void> {
  const open = await transaction
    .selectFrom('asynchronous_jobs')
    .select('job_id')
    .where('batch_state', 'in', ['running', 'merging'])
    .where('account_id', '=', account)
    // Rows are deleted in the same order, so the batch of a row is always canceled first.
    .orderBy('job_id')
    .limit(jobsPerTransaction)
    .execute();
  if (open.length === 0) return;
  const ids = open.map(({ job_id }) => job_id);
  await transaction
    .updateTable('jobs')
    .set({ outcome: 'canceled', message: 'The account was removed.', reserved: 0, ended_at: Date.now() })
    .where('id', 'in', ids)
    .where('outcome', 'is', null)
    .execute();
  // If the removal does not complete, the rows are canceled later (closeLeftBatches).
  await transaction
    .updateTable('asynchronous_jobs')
    .set({ request: null, batch_state: 'closing' })
    .where('job_id', 'in', ids)
    .execute();
}

/** Claims and charges lock the account before its jobs, so nothing else begins or ends one of its jobs meanwhile. */
async function lockAccount(transaction: Database, account: number): Promise<void> {
  if (!isPostgres(transaction)) return;
  await transaction.selectFrom('accounts').select('id').where('id', '=', account).forNoKeyUpdate().execute();
}

/** @throws AccountProblem if the change is not allowed for this account */
function checkChange(row: AccountRow, change: AccountChange): void {
  if (row.demo === 1 && change.operator === true)
    throw new AccountProblem(`'${row.name}' cannot be an operator: the key of the demo account is public`);
  if (row.tray === 1 && change.operator === false)
    throw new AccountProblem(
      `'${row.name}' is the account of the desktop window and must remain an operator`,
    );
  if (row.hot_folders === 1 && change.operator === true)
    throw new AccountProblem(`'${row.name}' is the account of the hot folders and cannot be an operator`);
  if (row.granted === null && change.refill !== undefined && change.refill !== 'none')
    throw nothingToRefill(row.name);
}

function nothingToRefill(name: string): AccountProblem {
  return new AccountProblem(
    `'${name}' has unlimited credits and cannot have a refill; set its credits to a number first`,
  );
}

function noSuchAccount(name: string): AccountProblem {
  const message = `there is no account '${name}'; list the accounts to see their names`;
  return new AccountProblem(message, { isMissing: true });
}

/** Returns the initial balance, or null for an unlimited account. */
function initialBalance({ credits, refill }: NewAccount): number | null {
  if (credits !== undefined) return credits === 'unlimited' ? null : credits;
  return refill === undefined || refill === 'none' ? null : refill.credits;
}

function columnsOf(
  change: AccountChange,
  now: number,
): Partial<Omit<AccountsTable, 'id' | 'spent' | 'tray' | 'hot_folders' | 'webhook_secret' | 'kept_bytes'>> {
  const { operator, debugLog, refill, jobsAtOnce, jobsPerMinute } = change;
  const newRefill = refill === 'none' ? undefined : refill;
  return {
    ...(operator !== undefined && { operator: Number(operator) }),
    ...(debugLog !== undefined && { debug_log: Number(debugLog) }),
    ...(refill !== undefined && {
      refill_credits: newRefill?.credits ?? null,
      refill_period: newRefill?.period ?? null,
      refilled_at: now,
    }),
    ...(jobsAtOnce !== undefined && { jobs_at_once: orNull(jobsAtOnce) }),
    ...(jobsPerMinute !== undefined && { jobs_per_minute: orNull(jobsPerMinute) }),
  };
}

function orNull(limit: number | 'none'): number | null {
  return limit === 'none' ? null : limit;
}

// Changes to a balance by an operator. They never take the credits that running jobs hold.

export type BalanceChange =
  | { readonly kind: 'set'; readonly credits: number }
  /** A negative number takes credits away. */
  | { readonly kind: 'add'; readonly credits: number }
  /** Also removes the refill. */
  | { readonly kind: 'unlimited' };

export interface ChangedBalance {
  readonly account: AccountFacts;
  /** Credits that running jobs hold. Present if the balance would otherwise be lower. */
  readonly reserved?: number;
}

/**
 * Changes the balance, but never to less than the credits that running jobs hold.
 * @throws AccountProblem if there is no such account, if the balance would be negative, or if credits are added to an unlimited
 * account
 */
export async function setBalance(
  database: Database,
  name: string,
  { change, now }: { readonly change: BalanceChange; readonly now: number },
): Promise<ChangedBalance> {
  return await database.transaction().execute(async (transaction) => {
    const row = await requireAccount(transaction, name, now);
    const balance = balanceAfter(row, change);
    const held = await heldCredits(transaction, row.id);
    const granted = balance === null ? null : row.spent + Math.max(balance, held);
    const changed = await transaction
      .updateTable('accounts')
      .set({ granted, ...(granted === null && { refill_credits: null, refill_period: null }) })
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return { account: factsOfRow(changed), ...(balance !== null && balance < held && { reserved: held }) };
  });
}

/** Returns the balance after a change, or null for unlimited credits. @throws AccountProblem */
function balanceAfter({ name, granted, spent }: AccountRow, change: BalanceChange): number | null {
  if (change.kind === 'unlimited') return null;
  if (change.kind === 'set') return change.credits;
  if (granted === null)
    throw new AccountProblem(`'${name}' has unlimited credits; set them to a number first`);
  const before = granted - spent;
  if (before + change.credits >= 0) return before + change.credits;
  throw new AccountProblem(
    `'${name}' has only ${before} credits left; ${-change.credits} cannot be taken away`,
  );
}
