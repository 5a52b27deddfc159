/** Accounts in the database: made, found, changed, removed. It knows neither keys nor who asks. */
import { AccountProblem } from './account-problem.ts';
import { factsOfRow, type AccountChange, type AccountFacts, type NewAccount } from './account.ts';
import { refillIfDue } from './refill.ts';
import type { AccountRow, AccountsTable, Database } from './tables.ts';

/** @throws AccountProblem when the name is taken */
export async function insertAccount(
  database: Database,
  wanted: NewAccount,
  now: number,
): Promise<AccountRow> {
  const { name, operator = false, debugLog = false, credits, refill = 'none' } = wanted;
  if (credits === 'unlimited' && refill !== 'none') throw nothingToRefill(name);
  const row = await database
    .insertInto('accounts')
    .values({
      ...{ name, operator: 0, demo: 0, debug_log: 0, created_at: now, refilled_at: now },
      granted: firstBalance(wanted),
      ...columnsOf({ ...wanted, operator, debugLog }, now),
    })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined)
    throw new AccountProblem(`an account '${name}' exists already; change that one, or choose another name`);
  return row;
}

/** In the order of their names, their balances as of now. */
export async function listAccounts(database: Database, now: number): Promise<AccountFacts[]> {
  const rows = await database.selectFrom('accounts').selectAll().orderBy('name').execute();
  const facts: AccountFacts[] = [];
  for (const row of rows) facts.push(factsOfRow(await refillIfDue(database, row, now)));
  return facts;
}

/** The account with its balance as of now. @throws AccountProblem when there is none of that name */
export async function requireAccount(database: Database, name: string, now: number): Promise<AccountRow> {
  const row = await database.selectFrom('accounts').selectAll().where('name', '=', name).executeTakeFirst();
  if (row === undefined) throw noSuchAccount(name);
  return await refillIfDue(database, row, now);
}

/** A new refill first happens when its next period begins. @throws AccountProblem */
export async function changeAccount(
  database: Database,
  name: string,
  { change, now }: { readonly change: AccountChange; readonly now: number },
): Promise<AccountFacts> {
  return await database.transaction().execute(async (inside) => {
    const row = await requireAccount(inside, name, now);
    refuseImpossible(row, change);
    const columns = columnsOf(change, now);
    if (Object.keys(columns).length === 0) return factsOfRow(row);
    const changed = await inside
      .updateTable('accounts')
      .set(columns)
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return factsOfRow(changed);
  });
}

/**
 * With its keys and the records of its jobs. Returns the ids of their debug logs.
 * @throws AccountProblem when there is none of that name
 */
export async function removeAccount(database: Database, name: string): Promise<string[]> {
  return await database.transaction().execute(async (inside) => {
    const jobs = await inside
      .selectFrom('jobs')
      .innerJoin('accounts', 'accounts.id', 'jobs.account_id')
      .select('jobs.debug_log as log')
      .where('accounts.name', '=', name)
      .execute();
    const { numDeletedRows } = await inside
      .deleteFrom('accounts')
      .where('name', '=', name)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw noSuchAccount(name);
    return jobs.map(({ log }) => log).filter((log) => log !== null);
  });
}

function refuseImpossible(row: AccountRow, change: AccountChange): void {
  if (row.demo === 1 && change.operator === true)
    throw new AccountProblem(`'${row.name}' cannot be an operator: everybody knows the demo account's key`);
  if (row.tray === 1 && change.operator === false)
    throw new AccountProblem(
      `'${row.name}' is the account of this machine's own window and stays an operator`,
    );
  if (row.hot_folders === 1 && change.operator === true)
    throw new AccountProblem(`'${row.name}' is the account of the hot folders and cannot be an operator`);
  if (row.granted === null && change.refill !== undefined && change.refill !== 'none')
    throw nothingToRefill(row.name);
}

function nothingToRefill(name: string): AccountProblem {
  return new AccountProblem(`'${name}' is unlimited, so there is nothing to refill; set its credits first`);
}

function noSuchAccount(name: string): AccountProblem {
  const sentence = `there is no account '${name}'; the list of accounts shows the names`;
  return new AccountProblem(sentence, { isMissing: true });
}

function firstBalance({ credits, refill }: NewAccount): number | null {
  if (credits !== undefined) return credits === 'unlimited' ? null : credits;
  return refill === undefined || refill === 'none' ? null : refill.credits;
}

function columnsOf(
  change: AccountChange,
  now: number,
): Partial<Omit<AccountsTable, 'id' | 'spent' | 'tray' | 'hot_folders'>> {
  const { operator, debugLog, refill, jobsAtOnce, jobsPerMinute } = change;
  const refilled = refill === 'none' ? undefined : refill;
  return {
    ...(operator !== undefined && { operator: Number(operator) }),
    ...(debugLog !== undefined && { debug_log: Number(debugLog) }),
    ...(refill !== undefined && {
      refill_credits: refilled?.credits ?? null,
      refill_period: refilled?.period ?? null,
      refilled_at: now,
    }),
    ...(jobsAtOnce !== undefined && { jobs_at_once: orNull(jobsAtOnce) }),
    ...(jobsPerMinute !== undefined && { jobs_per_minute: orNull(jobsPerMinute) }),
  };
}

function orNull(limit: number | 'none'): number | null {
  return limit === 'none' ? null : limit;
}
