import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { migrationNames } from '../../../../../main/accounts/store/migration-names.ts';
import { migrations } from '../../../../../main/accounts/store/migrations.ts';
import { openStore } from '../../../../../main/accounts/store/open-store.ts';
import { NewerDatabase } from '../../../../../main/accounts/store/newer-database.ts';
import { openPostgres } from '../../../../../main/accounts/store/postgres/postgres-database.ts';
import { readSchemaVersion } from '../../../../../main/accounts/store/schema-version.ts';
import { emptyPostgresDatabase, locationOf } from '../../../../support/postgres/databases.ts';
import { postgresMissing, runStatement } from '../../../../support/postgres/server.ts';
import { temporaryFolder } from '../../../../support/service/service.ts';

test('the list of names has all migrations in order', () => {
  assert.deepEqual(Object.keys(migrations), [...migrationNames]);
  assert.deepEqual([...migrationNames].sort(), [...migrationNames]);
});

describe('a PostgreSQL database', { skip: postgresMissing }, () => {
  test('is migrated once by nodes that start at the same time', async () => {
    await using empty = await emptyPostgresDatabase();
    const opened = await Promise.all([1, 2, 3].map(() => openPostgres({ location: empty.location })));
    for (const { database } of opened) {
      assert.deepEqual((await readSchemaVersion(database)).pending, []);
      await database.destroy();
    }
  });

  test('of a newer version can be used as long as that version supports it', async () => {
    await using empty = await emptyPostgresDatabase();
    await (await openPostgres({ location: empty.location })).database.destroy();
    await runStatement(empty.url, "INSERT INTO kysely_migration VALUES ('9001-addition', '2030-01-01')");
    const { database } = await openPostgres({ location: empty.location });
    assert.deepEqual((await readSchemaVersion(database)).unknown, ['9001-addition']);
    await database.destroy();
    await runStatement(empty.url, "UPDATE schema_compatibility SET oldest = '9001-addition'");
    await assert.rejects(
      openPostgres({ location: empty.location }),
      (problem) => problem instanceof NewerDatabase && problem.message.includes('newer version'),
    );
  });

  test('that cannot be reached is named without its password', async () => {
    await assert.rejects(
      openPostgres({ location: locationOf('postgres://ann:secret-word@127.0.0.1:9/platen') }),
      ({ message }: Error) =>
        message.includes('postgres://127.0.0.1:9/platen') &&
        message.includes('ECONNREFUSED') &&
        !message.includes('secret-word'),
    );
  });

  test('refuses a wrong password with its reason', async () => {
    await using empty = await emptyPostgresDatabase();
    const location = { ...empty.location, password: 'wrong' };
    await assert.rejects(openPostgres({ location }), /password authentication failed/);
  });

  test('is opened with the password in a file, whose path starts from the data folder', async () => {
    await using empty = await emptyPostgresDatabase();
    const { password = '', ...location } = empty.location;
    const data = temporaryFolder();
    const settings = { database: location, 'database-password-file': 'secrets/password', data };
    mkdirSync(join(data, 'secrets'));
    writeFileSync(join(data, 'secrets', 'password'), `${password}\n`);
    {
      await using store = await openStore({ settings });
      assert.equal(store.isShared, true);
    }
    writeFileSync(join(data, 'secrets', 'password'), '');
    await assert.rejects(openStore({ settings }), /database-password-file .* is empty/);
    rmSync(data, { recursive: true });
    await assert.rejects(openStore({ settings }), /cannot read database-password-file/);
  });
});
