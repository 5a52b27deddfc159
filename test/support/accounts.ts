/** An accounts database of a test's own, in a folder that goes with it. */
import { rmSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { openAccounts, type AccountBook } from '../../main/accounts/accounts.ts';
import { databasePath, openDatabase } from '../../main/accounts/database.ts';
import { ensureAccounts } from '../../main/accounts/ensure.ts';
import type { Database } from '../../main/accounts/tables.ts';
import type { AccountEntry } from '../../main/settings/setting-kinds.ts';
import { temporaryFolder } from './service.ts';

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
    ...{ database, folder, path },
    async [Symbol.asyncDispose]() {
      await database.destroy();
      rmSync(folder, { recursive: true });
    },
  };
}

/** With the accounts of a setting in it. */
export async function temporaryAccounts(
  entries: readonly AccountEntry[] = [],
): Promise<TemporaryDatabase & { readonly book: AccountBook }> {
  const held = await temporaryDatabase();
  await ensureAccounts(held.database, { entries, demo: false });
  return { ...held, book: openBook(held.database) };
}

/** Leaves debug logs where they are. */
export function openBook(database: Database, demo = false): AccountBook {
  return openAccounts(database, { demo, removeLogs: () => Promise.resolve() });
}

/** Another connection's transaction on the file, until it is disposed: nobody else can write. */
export function lockOf(path: string): Disposable {
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  return {
    [Symbol.dispose]() {
      other.close();
    },
  };
}
