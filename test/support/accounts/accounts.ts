/** A temporary accounts database for a test. */
import { rm } from 'node:fs/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { openAccounts, type AccountBook } from '../../../main/accounts/accounts.ts';
import { databasePath, openDatabase } from '../../../main/accounts/store/database.ts';
import { ensureAccounts } from '../../../main/accounts/ensure.ts';
import type { Database } from '../../../main/accounts/store/tables.ts';
import type { AccountEntry } from '../../../main/settings/setting-kinds.ts';
import { temporaryFolder } from '../service/service.ts';

export interface TemporaryDatabase extends AsyncDisposable {
  readonly database: Database;
  readonly folder: string;
  readonly path: string;
}

export async function temporaryDatabase(): Promise<TemporaryDatabase> {
  const folder = temporaryFolder();
  const path = databasePath(folder);
  const database = await openDatabase(path);
  return {
    database,
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
): Promise<TemporaryDatabase & { readonly book: AccountBook }> {
  const temporary = await temporaryDatabase();
  await ensureAccounts(temporary.database, { entries, demo: false });
  return { ...temporary, book: openBook(temporary.database) };
}

/** Returns an account book that keeps the debug logs of a removed account. */
export function openBook(database: Database, demo = false): AccountBook {
  return openAccounts(database, { demo, removeLogs: () => Promise.resolve() });
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
