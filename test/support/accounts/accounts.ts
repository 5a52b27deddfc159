/** A temporary accounts database for a test. */
import { rm } from 'node:fs/promises';
import { describe } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { openAccounts, type AccountBook } from '../../../main/accounts/accounts.ts';
import { databasePath, openDatabase } from '../../../main/accounts/store/sqlite/sqlite-database.ts';
import { ensureAccounts } from '../../../main/accounts/ensure.ts';
import type { Database } from '../../../main/accounts/store/tables.ts';
import type { AccountEntry } from '../../../main/settings/setting-kinds.ts';
import { openPostgres } from '../../../main/accounts/store/postgres/postgres-database.ts';
import { testKeyring } from './keyring.ts';
import { migratedPostgresDatabase } from '../postgres/databases.ts';
import { postgresMissing } from '../postgres/server.ts';
import { temporaryFolder } from '../service/service.ts';

export interface TemporaryDatabase extends AsyncDisposable {
  readonly kind: DatabaseKind;
  readonly database: Database;
  /** Opens the database once more, like another process. */
  readonly open: () => Promise<Database>;
  /** The folder and the path of an SQLite database; empty for PostgreSQL. */
  readonly folder: string;
  readonly path: string;
}

export type DatabaseKind = 'sqlite' | 'postgres';

/** Functions that create a temporary database of one kind. */
export interface Databases {
  readonly kind: DatabaseKind;
  readonly temporaryDatabase: () => Promise<TemporaryDatabase>;
  readonly temporaryAccounts: (entries?: readonly AccountEntry[]) => ReturnType<typeof temporaryAccounts>;
}

/** Defines the same tests for SQLite and for PostgreSQL. */
export function describeWithDatabases(define: (databases: Databases) => void): void {
  for (const kind of ['sqlite', 'postgres'] as const) {
    describe(`with ${kind}`, { skip: kind === 'postgres' && postgresMissing }, () => {
      define({
        kind,
        temporaryDatabase: () => temporaryDatabase(kind),
        temporaryAccounts: (entries) => temporaryAccounts(entries, kind),
      });
    });
  }
}

export async function temporaryDatabase(kind: DatabaseKind = 'sqlite'): Promise<TemporaryDatabase> {
  return kind === 'sqlite' ? await temporarySqliteDatabase() : await temporaryPostgresDatabase();
}

async function temporaryPostgresDatabase(): Promise<TemporaryDatabase> {
  const created = await migratedPostgresDatabase();
  const open = async () => (await openPostgres({ location: created.location })).database;
  const database = await open();
  return {
    kind: 'postgres',
    database,
    open,
    folder: '',
    path: '',
    async [Symbol.asyncDispose]() {
      await database.destroy();
      await created[Symbol.asyncDispose]();
    },
  };
}

async function temporarySqliteDatabase(): Promise<TemporaryDatabase> {
  const folder = temporaryFolder();
  const path = databasePath(folder);
  const database = await openDatabase(path);
  return {
    kind: 'sqlite',
    database,
    open: () => openDatabase(path),
    folder,
    path,
    async [Symbol.asyncDispose]() {
      await database.destroy();
      await rm(folder, { recursive: true }).catch((problem: unknown) => {
        // An error that the test keeps also keeps the statement that failed. Its file is still open, so Windows cannot delete it.
        if (process.platform !== 'win32') throw problem;
      });
    },
  };
}

/** Creates a temporary database with these accounts, as the `accounts` setting does. */
export async function temporaryAccounts(
  entries: readonly AccountEntry[] = [],
  kind: DatabaseKind = 'sqlite',
): Promise<TemporaryDatabase & { readonly book: AccountBook }> {
  const temporary = await temporaryDatabase(kind);
  await ensureAccounts(temporary.database, { entries, demo: false });
  return { ...temporary, book: openBook(temporary.database) };
}

/** Returns an account book that keeps the debug logs of a removed account. */
export function openBook(database: Database, demo = false): AccountBook {
  return openAccounts(database, {
    demo,
    keyring: () => Promise.resolve(testKeyring),
    removeLogs: () => Promise.resolve(),
  });
}

/** Starts a write transaction on a second connection. Until it is disposed of, other writers get SQLITE_BUSY. */
export function lockDatabase(path: string): Disposable {
  const connection = new DatabaseSync(path);
  connection.exec('BEGIN IMMEDIATE');
  return {
    [Symbol.dispose]() {
      connection.close();
    },
  };
}
