import assert from 'node:assert/strict';
import fs, {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import {
  closeUnusedFiles,
  databasePath,
  openDatabase,
} from '../../../main/accounts/store/sqlite/sqlite-database.ts';
import { migrations as ofDatabase } from '../../../main/accounts/store/migrations.ts';
import {
  needsUpgrade,
  refuseNewer,
  upgradeDataFolder,
  type DataMigration,
} from '../../../main/upgrade/upgrade.ts';
import { openBook } from '../../support/accounts/accounts.ts';
import { createOldDataFolder } from '../../support/accounts/old-data-folder.ts';
import { project, temporaryFolder } from '../../support/service/service.ts';

const windows = process.platform === 'win32';
const [last = ''] = Object.keys(ofDatabase).sort().reverse();
const currentVersion = (
  JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { version: string }
).version;

interface UpgradeFolder extends AsyncDisposable {
  readonly data: string;
  readonly messages: string[];
  readonly upgrade: (parts?: Partial<Parameters<typeof upgradeDataFolder>[0]>) => Promise<void>;
  readonly read: (...names: readonly string[]) => string;
  readonly json: (name: string) => Record<string, unknown>;
  readonly backups: () => string[];
}

function folder(): UpgradeFolder {
  const data = temporaryFolder();
  const messages: string[] = [];
  const read = (...names: readonly string[]) => readFileSync(join(data, ...names), 'utf8');
  return {
    data,
    messages,
    read,
    upgrade: (parts = {}) =>
      upgradeDataFolder({ data, onNote: (line) => void messages.push(line), ...parts }),
    json: (name) => JSON.parse(read(name)) as Record<string, unknown>,
    backups: () => (existsSync(join(data, 'backups')) ? readdirSync(join(data, 'backups')).sort() : []),
    async [Symbol.asyncDispose]() {
      await closeUnusedFiles();
      rmSync(data, { recursive: true });
    },
  };
}

describe('A data folder', () => {
  test('that is new gets only a version.json', async () => {
    await using temporary = folder();
    await temporary.upgrade();
    assert.deepEqual(temporary.json('version.json'), { format: 1, database: last, version: currentVersion });
    assert.deepEqual([readdirSync(temporary.data), temporary.messages], [['version.json'], []]);
    assert.equal(needsUpgrade(temporary.data), false);
  });

  test('that contains only settings counts as new, and is backed up only if a setting is renamed', async () => {
    await using temporary = folder();
    writeFileSync(join(temporary.data, 'config.json'), '{"port": 1}');
    await temporary.upgrade();
    assert.deepEqual([temporary.backups(), temporary.messages], [[], []]);
    assert.equal(temporary.json('version.json').format, 1);
    rmSync(join(temporary.data, 'version.json'));
    await temporary.upgrade({ renamed: { port: 'door' } });
    assert.equal(temporary.read('config.json'), '{"door": 1}');
    assert.deepEqual([temporary.backups().length, temporary.messages.length], [1, 1]);
  });

  test('of an older version keeps accounts, keys and balances, and is backed up', async () => {
    await using temporary = folder();
    const key = await createOldDataFolder(temporary.data);
    writeFileSync(join(temporary.data, 'config.json'), '{"port": 1}');
    assert.equal(needsUpgrade(temporary.data), true);
    await temporary.upgrade();
    const database = await openDatabase(databasePath(temporary.data));
    const book = openBook(database);
    assert.equal((await book.authenticate('ann', key))?.name, 'ann');
    assert.equal((await book.find('ann')).balance, 42);
    await database.destroy();
    const [backup = ''] = temporary.backups();
    assert.match(backup, /^\d{4}-\d\d-\d\dT\d{6}\.\d{3}-unversioned$/);
    assert.equal(temporary.read('backups', backup, 'config.json'), '{"port": 1}');
    assert.equal(hasHotFolders(join(temporary.data, 'backups', backup)), false);
    assert.equal(hasHotFolders(temporary.data), true);
    assert.match(temporary.messages.join('\n'), /has been upgraded for Platen .* in .*backups/);
    await temporary.upgrade();
    assert.equal(temporary.backups().length, 1, 'the next start has nothing to do');
  });

  test('of a newer version is refused, and that version is named', async () => {
    await using temporary = folder();
    const newer = { format: 99, database: last, version: '9.9.9' };
    writeFileSync(join(temporary.data, 'version.json'), JSON.stringify(newer));
    assert.throws(() => {
      refuseNewer(temporary.data);
    }, /was written by Platen 9\.9\.9, a newer version than this one .*start that version or a newer one/);
    await assert.rejects(temporary.upgrade(), /9\.9\.9/);
    const alsoNewer = { format: 1, database: '9999-future', version: '9.9.9' };
    writeFileSync(join(temporary.data, 'version.json'), JSON.stringify(alsoNewer));
    await assert.rejects(temporary.upgrade(), /9\.9\.9/);
    assert.deepEqual(temporary.json('version.json'), alsoNewer);
  });

  test('with a database of a newer version is refused when the database is opened', async () => {
    await using temporary = folder();
    await temporary.upgrade();
    await (await openDatabase(databasePath(temporary.data))).destroy();
    const file = new DatabaseSync(databasePath(temporary.data));
    file.exec("INSERT INTO kysely_migration VALUES ('9999-future', '2030-01-01T00:00:00.000Z')");
    file.close();
    await assert.rejects(
      openDatabase(databasePath(temporary.data)),
      /a newer version of Platen has changed it \(9999-future\)/,
    );
  });

  test('whose version.json cannot be read is refused and stays unchanged', async () => {
    await using temporary = folder();
    for (const text of ['', '{', '{"format":"x"}', 'null']) {
      writeFileSync(join(temporary.data, 'version.json'), text);
      await assert.rejects(temporary.upgrade(), /version\.json cannot be read: .*restore it/);
      assert.equal(temporary.read('version.json'), text);
    }
  });

  test('that this user may not read is left to the check of the lock, which names the folder', async (t) => {
    await using temporary = folder();
    await temporary.upgrade();
    // EPERM on Windows, EACCES elsewhere.
    for (const code of ['EPERM', 'EACCES']) {
      const readFile = t.mock.method(fs, 'readFileSync', () => {
        throw Object.assign(new Error(`${code}: not permitted`), { code });
      });
      syncBuiltinESMExports();
      try {
        refuseNewer(temporary.data);
      } finally {
        readFile.mock.restore();
        syncBuiltinESMExports();
      }
      assert.equal(readFile.mock.callCount(), 2, code);
    }
  });

  test('is upgraded step by step, each step once and in order', async () => {
    await using temporary = folder();
    await createOldDataFolder(temporary.data);
    const steps: number[] = [];
    const step = (to: number): DataMigration => ({ to, run: () => Promise.resolve(void steps.push(to)) });
    await temporary.upgrade({ migrations: [step(1), step(2)] });
    await temporary.upgrade({ migrations: [step(1), step(2), step(3), step(4)], version: '0.2.0' });
    assert.deepEqual(steps, [1, 2, 3, 4]);
    assert.deepEqual(temporary.json('version.json'), { format: 4, database: last, version: '0.2.0' });
    await assert.rejects(temporary.upgrade({ migrations: [step(1)] }), /a newer version/);
  });

  test('is restored when a step fails, and the next start retries', async () => {
    await using temporary = folder();
    await createOldDataFolder(temporary.data);
    writeFileSync(join(temporary.data, 'config.json'), '{"port": 1}');
    const broken: DataMigration = {
      to: 2,
      run(data) {
        writeFileSync(join(data, 'config.json'), 'half');
        return Promise.reject(new Error('the disk is gone'));
      },
    };
    await assert.rejects(temporary.upgrade({ migrations: [broken] }), /the disk is gone/);
    assert.equal(temporary.read('config.json'), '{"port": 1}');
    assert.deepEqual(
      [existsSync(join(temporary.data, 'version.json')), hasHotFolders(temporary.data)],
      [false, false],
    );
    assert.deepEqual(temporary.backups(), [], 'repeated failed starts do not fill the disk');
    await temporary.upgrade();
    assert.equal(temporary.json('version.json').format, 1);
  });

  test('keeps config.json as a link after a failed step', { skip: windows }, async () => {
    await using temporary = folder();
    await createOldDataFolder(temporary.data);
    const target = join(temporary.data, 'elsewhere.json');
    writeFileSync(target, '{"port": 1}');
    symlinkSync(target, join(temporary.data, 'config.json'));
    const broken: DataMigration = {
      to: 2,
      run(data) {
        writeFileSync(join(data, 'config.json'), 'half');
        return Promise.reject(new Error('the disk is gone'));
      },
    };
    await assert.rejects(temporary.upgrade({ migrations: [broken] }), /the disk is gone/);
    assert.equal(readlinkSync(join(temporary.data, 'config.json')), target);
    assert.equal(readFileSync(target, 'utf8'), '{"port": 1}');
  });

  test('is restored from its backup and upgraded again after a killed upgrade', async () => {
    await using temporary = folder();
    const key = await createOldDataFolder(temporary.data);
    writeFileSync(join(temporary.data, 'config.json'), '{"windows": 3}');
    const middle: DataMigration = {
      to: 2,
      async run(data) {
        writeFileSync(join(data, 'config.json'), 'half');
        writeFileSync(databasePath(data), 'half');
        reached();
        // Simulates a killed process: the work never continues.
        await new Promise(() => {});
      },
    };
    let reached: () => void = () => {};
    const inside = new Promise<void>((resolve) => (reached = resolve));
    void temporary.upgrade({ migrations: [middle] });
    await inside;
    assert.equal(temporary.json('upgrade.json').format, 2);
    const again: DataMigration = { to: 2, run: () => Promise.resolve() };
    await temporary.upgrade({ migrations: [again], renamed: { windows: 'workers' } });
    assert.equal(temporary.read('config.json'), '{"workers": 3}');
    assert.deepEqual(
      [existsSync(join(temporary.data, 'upgrade.json')), temporary.backups().length],
      [false, 1],
    );
    const database = await openDatabase(databasePath(temporary.data));
    assert.equal((await openBook(database).authenticate('ann', key))?.name, 'ann');
    await database.destroy();
  });

  test('with an upgrade.json left by a finished upgrade is not upgraded again, unless there are new steps', async () => {
    await using temporary = folder();
    await createOldDataFolder(temporary.data);
    await temporary.upgrade();
    const [backup = ''] = temporary.backups();
    const leaveUpgradeFile = () => {
      writeFileSync(
        join(temporary.data, 'upgrade.json'),
        JSON.stringify({ ...temporary.json('version.json'), backup }),
      );
    };
    leaveUpgradeFile();
    await temporary.upgrade();
    assert.deepEqual(
      [hasHotFolders(temporary.data), temporary.backups().length, temporary.messages.length],
      [true, 1, 1],
    );
    leaveUpgradeFile();
    const steps: number[] = [];
    const step = (to: number): DataMigration => ({ to, run: () => Promise.resolve(void steps.push(to)) });
    await temporary.upgrade({ migrations: [step(1), step(2)] });
    assert.deepEqual([steps, hasHotFolders(temporary.data)], [[1, 2], true]);
  });

  test('is refused if its upgrade was interrupted and the backup is missing', async () => {
    await using temporary = folder();
    await createOldDataFolder(temporary.data);
    const interrupted = {
      format: 1,
      database: last,
      version: currentVersion,
      backup: '2020-01-01T000000.000-x',
    };
    writeFileSync(join(temporary.data, 'upgrade.json'), JSON.stringify(interrupted));
    await assert.rejects(temporary.upgrade(), /was interrupted, and its backup .* is missing/);
    for (const backup of ['../../etc', '..', '']) {
      writeFileSync(join(temporary.data, 'upgrade.json'), JSON.stringify({ ...interrupted, backup }));
      await assert.rejects(temporary.upgrade(), /upgrade\.json cannot be read: it does not name a backup/);
    }
  });

  test('keeps its last three backups, and folders that are not backups', async () => {
    await using temporary = folder();
    await createOldDataFolder(temporary.data);
    mkdirSync(join(temporary.data, 'backups', '2020-01-01T000000.000-x.unfinished'), { recursive: true });
    mkdirSync(join(temporary.data, 'backups', 'of my own'));
    for (let to = 1; to <= 5; to += 1) {
      const steps = Array.from({ length: to }, (_, at) => ({ to: at + 1, run: () => Promise.resolve() }));
      await temporary.upgrade({ migrations: steps, version: `0.${to}.0` });
    }
    const [first = '', second = '', third = '', foreign = ''] = temporary.backups();
    assert.deepEqual(
      [first, second, third].map((name) => name.replace(/^[\dT.-]{21}-/, '')),
      ['0.2.0', '0.3.0', '0.4.0'],
    );
    assert.equal(foreign, 'of my own');
  });

  test('stays unchanged if its backup cannot be made', { skip: windows }, async () => {
    await using temporary = folder();
    await createOldDataFolder(temporary.data);
    writeFileSync(join(temporary.data, 'backups'), 'no folder');
    await assert.rejects(
      temporary.upgrade(),
      /cannot be upgraded, because its backup could not be made: .*nothing was changed/,
    );
    assert.deepEqual(
      [hasHotFolders(temporary.data), existsSync(join(temporary.data, 'upgrade.json'))],
      [false, false],
    );
  });
});

function hasHotFolders(data: string): boolean {
  const file = new DatabaseSync(databasePath(data));
  const columns = file.prepare("SELECT name FROM pragma_table_info('accounts')").all() as { name: string }[];
  file.close();
  return columns.some(({ name }) => name === 'hot_folders');
}
