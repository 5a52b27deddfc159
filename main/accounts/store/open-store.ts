/** Opens the accounts database of a service: a file in the data folder, or the PostgreSQL database of the setting `database`. */
import type { Settings } from '../../settings/table.ts';
import type { Database } from './tables.ts';

export interface Store extends AsyncDisposable {
  readonly database: Database;
  /** Whether several nodes may use the database. */
  readonly isShared: boolean;
  /** Returns why the database cannot be reached, or undefined. */
  readonly problem: () => string | undefined;
}

export interface StoreOptions {
  readonly settings: Pick<Settings, 'database' | 'database-password-file'> & { readonly data: string };
  /** Receives errors of the maintenance of SQLite. */
  readonly report?: (problem: unknown) => void;
  /** Called when a shared database cannot be reached any more, with the reason, and when it can be reached again. */
  readonly onAvailability?: (problem: string | undefined) => void;
}

/**
 * Opens and migrates the database. Loads no code for the other kind of database.
 * @throws NewerDatabase; Error if the database cannot be used
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { database: location, 'database-password-file': passwordFile } = options.settings;
  if (location === undefined) {
    const { openSqliteStore } = await import('./sqlite/sqlite-store.ts');
    return await openSqliteStore(options);
  }
  const { openPostgresStore } = await import('./postgres/postgres-store.ts');
  return await openPostgresStore({ location, passwordFile, onAvailability: options.onAvailability });
}
