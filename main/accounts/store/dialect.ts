/** Detects whether a database is SQLite or PostgreSQL, and has the expressions in which their SQL differs. */
import { PostgresAdapter, sql, type Kysely, type RawBuilder } from 'kysely';

/** Returns whether the database is PostgreSQL rather than SQLite. */
export function isPostgres(database: Pick<Kysely<never>, 'getExecutor'>): boolean {
  return database.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * Returns the current time in milliseconds since 1970, by the clock of the database: the clocks of nodes may differ. In PostgreSQL it
 * is the time of the statement, not of its transaction.
 */
export function currentTime(database: Pick<Kysely<never>, 'getExecutor'>): RawBuilder<number> {
  return isPostgres(database)
    ? sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : sql<number>`CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)`;
}

/**
 * Lets only one node at a time create the accounts that a service needs, until the end of the transaction. Nodes that start at the
 * same time would otherwise create them twice. On SQLite, transactions are exclusive anyway.
 */
export async function lockAccountCreation(transaction: Pick<Kysely<never>, 'getExecutor'>): Promise<void> {
  await lockCreation(transaction, 'accounts');
}

/** Lets only one node at a time create the key of the database. */
export async function lockKeyCreation(transaction: Pick<Kysely<never>, 'getExecutor'>): Promise<void> {
  await lockCreation(transaction, 'the key');
}

async function lockCreation(transaction: Pick<Kysely<never>, 'getExecutor'>, what: string): Promise<void> {
  if (isPostgres(transaction))
    await sql`SELECT pg_advisory_xact_lock(hashtext(${`platen: creation of ${what}`}))`.execute(transaction);
}
