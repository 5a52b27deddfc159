/** The accounts database of several nodes. */
import type { Store } from '../store.ts';
import { openPostgres, type PostgresOptions } from './postgres-database.ts';

/** Opens and migrates the database. @throws NewerDatabase; Error if it cannot be used */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { database, pool } = await openPostgres(options);
  return {
    database,
    isShared: true,
    problem: () => pool.problem,
    [Symbol.asyncDispose]: () => database.destroy(),
  };
}
