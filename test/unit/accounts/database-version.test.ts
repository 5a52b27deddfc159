import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import {
  closeUnusedFiles,
  openDatabase,
  databaseVersion,
} from '../../../main/accounts/store/sqlite/sqlite-database.ts';
import { migrations } from '../../../main/accounts/store/migrations.ts';

const root = mkdtempSync(join(tmpdir(), 'platen-version-'));
after(async () => {
  await closeUnusedFiles();
  rmSync(root, { recursive: true });
});

/** Creates a database of the current version and runs the SQL on it. Returns the path of the database file. */
async function database(name: string, sql?: string): Promise<string> {
  const path = join(root, name);
  await (await openDatabase(path)).destroy();
  const file = new DatabaseSync(path);
  if (sql !== undefined) file.exec(sql);
  file.close();
  return path;
}

const newest = Object.keys(migrations).at(-1) ?? '';

test('the version of a database names its last migration, and its missing and unknown migrations', async () => {
  assert.equal(databaseVersion(join(root, 'missing')), undefined);
  assert.deepEqual(databaseVersion(await database('now')), {
    last: newest,
    pending: [],
    unknown: [],
    oldest: '',
  });
  const older = databaseVersion(
    await database('older', `DELETE FROM kysely_migration WHERE name = '${newest}'`),
  );
  assert.deepEqual(older?.pending, [newest]);
  const newer = databaseVersion(
    await database('newer', "INSERT INTO kysely_migration VALUES ('9999-later', '2030-01-01')"),
  );
  assert.deepEqual([newer?.unknown, newer?.last], [['9999-later'], '9999-later']);
});
