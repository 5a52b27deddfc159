import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { lockDataFolder } from '../../../main/launch/data-folder-lock.ts';
import { DatabaseSync } from '@photostructure/sqlite';
import { databasePath } from '../../../main/accounts/store/sqlite/sqlite-database.ts';
import { send } from '../../support/service/convert.ts';
import { waitForStderr } from '../../support/service/wait-for-log.ts';
import { basic } from '../../support/service/job-record.ts';
import { createOldDataFolder } from '../../support/accounts/old-data-folder.ts';
import { runPlaten, startService, temporaryFolder } from '../../support/service/service.ts';

const run = (...words: string[]) => runPlaten(words);

describe('A data folder of an older version', () => {
  test('is upgraded at the start, and keeps accounts, keys and credits', async () => {
    const data = temporaryFolder();
    const key = await createOldDataFolder(data);
    writeFileSync(join(data, 'config.json'), '{ "queue": 7 }');
    await using service = await startService({ data });
    const answer = await send(service, { text: 'x' }, { authorization: basic('ann', key) });
    assert.deepEqual([answer.status, answer.headers.get('x-service-remaining-credits')], [200, '41']);
    await waitForStderr(service, /platen: the data folder .* has been upgraded for Platen .*backups/);
    const [backup = ''] = readdirSync(join(data, 'backups'));
    assert.deepEqual(readdirSync(join(data, 'backups', backup)).sort(), ['accounts.sqlite', 'config.json']);
    assert.equal(readFileSync(join(data, 'config.json'), 'utf8'), '{ "queue": 7 }');
  });

  test('is also upgraded by the command line, unless a service uses it', async () => {
    const data = temporaryFolder();
    await createOldDataFolder(data);
    const lock = lockDataFolder(data);
    const refused = await run('account', 'list', '--data', data);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /in use by process \d+.*older version/);
    assert.equal(existsSync(join(data, 'version.json')), false);
    lock[Symbol.dispose]();
    const done = await run('account', 'list', '--data', data);
    assert.deepEqual([done.code, readdirSync(join(data, 'backups')).length], [0, 1]);
    assert.match(done.out, /^ann +42 /m);
    rmSync(data, { recursive: true });
  });
});

test('every command refuses a data folder of a newer version, and leaves it unchanged', async () => {
  const data = temporaryFolder();
  const newer = JSON.stringify({ format: 99, database: '9999-future', version: '9.9.9' });
  writeFileSync(join(data, 'version.json'), newer);
  // A newer version may have settings that this version does not have.
  writeFileSync(join(data, 'config.json'), '{ "brand-new": true }');
  for (const words of [['serve', '--port', '0'], ['self-test'], ['account', 'list']]) {
    const { err, code } = await run(...words, '--data', data);
    // With this exit code, the systemd unit does not restart the service.
    assert.equal(code, 3, words.join(' '));
    assert.match(err, /^platen: the data folder .*\b9\.9\.9\b.*newer.*\n$/);
  }
  assert.deepEqual(readdirSync(data).sort(), ['config.json', 'version.json']);
  assert.equal(readFileSync(join(data, 'version.json'), 'utf8'), newer);
  assert.equal(existsSync(databasePath(data)), false);
  rmSync(data, { recursive: true });
});

test('a data folder with a newer database but no version.json is refused, without a backup', async () => {
  const data = temporaryFolder();
  await createOldDataFolder(data);
  markAsNewer(data);
  const before = readFileSync(databasePath(data));
  for (const words of [['serve', '--port', '0'], ['self-test'], ['account', 'list']]) {
    const { err, code } = await run(...words, '--data', data);
    assert.equal(code, 3, words.join(' '));
    assert.match(err, /^platen: .*database .*newer.*\(9999-future\).*\n$/);
  }
  assert.deepEqual(
    readdirSync(data).filter((name) => !name.startsWith('accounts.sqlite')),
    ['platen.lock'],
  );
  assert.deepEqual(readFileSync(databasePath(data)), before);
  rmSync(data, { recursive: true });
});

test('a start that fails while the first windows are opened reports its cause', async () => {
  const data = temporaryFolder();
  assert.equal((await run('account', 'list', '--data', data)).code, 0);
  markAsNewer(data);
  const { err, code } = await run('serve', '--port', '0', '--data', data);
  assert.equal(code, 1);
  assert.match(err, /^platen: .* a newer version of Platen has changed it/m);
  assert.doesNotMatch(err, /the service ended|Fatal error/);
  rmSync(data, { recursive: true });
});

function markAsNewer(data: string): void {
  const file = new DatabaseSync(databasePath(data));
  file.exec("INSERT INTO kysely_migration VALUES ('9999-future', '2030-01-01T00:00:00.000Z')");
  // Otherwise, the next process that opens the file would run the checkpoint, which changes the file but not its content.
  file.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  file.close();
}
