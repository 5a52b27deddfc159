/** Opens the accounts database of a service: a file in the data folder, or the PostgreSQL database of the setting `database`. */
import type { Store, StoreOptions } from './store.ts';

/**
 * Opens and migrates the database. Loads no code for the other kind of database.
 * @throws NewerDatabase; Error if the database cannot be used
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { settings, onAvailability } = options;
  const { database: location } = settings;
  if (location === undefined) {
    const { openSqliteStore } = await import('./sqlite/sqlite-store.ts');
    return await openSqliteStore(options);
  }
  const { openPostgresStore, postgresOptionsOf } = await import('./postgres/postgres-database.ts');
  return await openPostgresStore({ ...postgresOptionsOf(location, settings), onAvailability });
}
