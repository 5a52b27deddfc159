/** Services for tests that run on both kinds of databases: SQLite in the data folder, and PostgreSQL. */
import type { AccountBook } from '../../../main/accounts/accounts.ts';
import { databasePath, openDatabase } from '../../../main/accounts/store/sqlite/sqlite-database.ts';
import { openPostgres } from '../../../main/accounts/store/postgres/postgres-database.ts';
import type { Database } from '../../../main/accounts/store/tables.ts';
import type { Keyring } from '../../../main/encryption/keyring.ts';
import { keyringOf } from '../accounts/keyring.ts';
import { openBook, type DatabaseKind } from '../accounts/accounts.ts';
import { emptyPostgresDatabase } from '../postgres/databases.ts';
import { startService, temporaryFolder, type Service } from './service.ts';

export interface ServiceWithDatabase extends AsyncDisposable {
  readonly kind: DatabaseKind;
  /** The service that was started last. */
  readonly service: Service;
  readonly database: Database;
  readonly book: AccountBook;
  readonly keyring: Keyring;
  /** The address of the PostgreSQL database; empty with SQLite. */
  readonly url: string;
  /** Starts the service again, after it has ended, on the same database and data folder. */
  readonly restart: () => Promise<Service>;
}

/** Starts a service on an empty database of the kind. */
export async function startWithDatabase(
  kind: DatabaseKind,
  flags: readonly string[],
): Promise<ServiceWithDatabase> {
  const data = temporaryFolder();
  const postgres = kind === 'postgres' ? await emptyPostgresDatabase() : undefined;
  const all = postgres === undefined ? flags : [...flags, '--database', postgres.url];
  let service = await startService({ data, flags: all });
  const database =
    postgres === undefined
      ? await openDatabase(databasePath(data))
      : (await openPostgres({ location: postgres.location })).database;
  return {
    kind,
    get service() {
      return service;
    },
    database,
    book: openBook(database),
    keyring: keyringOf(data),
    url: postgres?.url ?? '',
    restart: async () => (service = await startService({ data, flags: all })),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await database.destroy();
      await postgres?.[Symbol.asyncDispose]();
    },
  };
}
