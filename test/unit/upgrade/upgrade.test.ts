import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { databasePath, openDatabase } from '../../../main/accounts/database.ts';
import { migrations as ofDatabase } from '../../../main/accounts/migrations.ts';
import {
  needsUpgrade,
  refuseNewer,
  upgradeDataFolder,
  type DataMigration,
} from '../../../main/upgrade/upgrade.ts';
import { openBook } from '../../support/accounts.ts';
import { makeOlder } from '../../support/older-data-folder.ts';
import { project, temporaryFolder } from '../../support/service.ts';

const windows = process.platform === 'win32';
const [last = ''] = Object.keys(ofDatabase).sort().reverse();
const own = (JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { version: string }).version;

interface Folder extends Disposable {
  readonly data: string;
  readonly said: string[];
  readonly upgrade: (parts?: Partial<Parameters<typeof upgradeDataFolder>[0]>) => Promise<void>;
  readonly read: (...names: readonly string[]) => string;
  readonly json: (name: string) => Record<string, unknown>;
  readonly backups: () => string[];
}

function folder(): Folder {
  const data = temporaryFolder();
  const said: string[] = [];
  const read = (...names: readonly string[]) => readFileSync(join(data, ...names), 'utf8');
  return {
    ...{ data, said, read },
    upgrade: (parts = {}) => upgradeDataFolder({ data, say: (line) => void said.push(line), ...parts }),
    json: (name) => JSON.parse(read(name)) as Record<string, unknown>,
    backups: () => (existsSync(join(data, 'backups')) ? readdirSync(join(data, 'backups')).sort() : []),
    [Symbol.dispose]() {
      rmSync(data, { recursive: true });
    },
  };
}

describe('A data folder', () => {
  test('that is new gets its version and nothing else', async () => {
    using held = folder();
    await held.upgrade();
    assert.deepEqual(held.json('version.json'), { format: 1, database: last, version: own });
    assert.deepEqual([readdirSync(held.data), held.said], [['version.json'], []]);
    assert.equal(needsUpgrade(held.data), false);
  });

  test('that contains only settings is new, and its settings are not renamed', async () => {
    using held = folder();
    writeFileSync(join(held.data, 'config.json'), '{"port": 1}');
    await held.upgrade();
    assert.deepEqual([held.backups(), held.said], [[], []]);
    assert.equal(held.json('version.json').format, 1);
    rmSync(join(held.data, 'version.json'));
    await held.upgrade({ renamed: { port: 'door' } });
    assert.equal(held.read('config.json'), '{"door": 1}');
    assert.deepEqual([held.backups().length, held.said.length], [1, 1]);
  });

  test('of an older version keeps accounts, keys and balances, and is backed up', async () => {
    using held = folder();
    const key = await makeOlder(held.data);
    writeFileSync(join(held.data, 'config.json'), '{"port": 1}');
    assert.equal(needsUpgrade(held.data), true);
    await held.upgrade();
    const database = await openDatabase(databasePath(held.data));
    const book = openBook(database);
    assert.equal((await book.authenticate('ann', key))?.name, 'ann');
    assert.equal((await book.find('ann')).balance, 42);
    await database.destroy();
    const [backup = ''] = held.backups();
    assert.match(backup, /^\d{4}-\d\d-\d\dT\d{6}\.\d{3}-unversioned$/);
    assert.equal(held.read('backups', backup, 'config.json'), '{"port": 1}');
    assert.equal(hasHotFolders(join(held.data, 'backups', backup)), false);
    assert.equal(hasHotFolders(held.data), true);
    assert.match(held.said.join('\n'), /has been upgraded for Platen .* in .*backups/);
    await held.upgrade();
    assert.equal(held.backups().length, 1, 'the next start has nothing to do');
  });

  test('of a newer version is refused, with the version that wrote it', async () => {
    using held = folder();
    const newer = { format: 99, database: last, version: '9.9.9' };
    writeFileSync(join(held.data, 'version.json'), JSON.stringify(newer));
    assert.throws(() => {
      refuseNewer(held.data);
    }, /was written by Platen 9\.9\.9, a newer version than this one .*start that version or a newer one/);
    await assert.rejects(held.upgrade(), /9\.9\.9/);
    const alsoNewer = { format: 1, database: '9999-future', version: '9.9.9' };
    writeFileSync(join(held.data, 'version.json'), JSON.stringify(alsoNewer));
    await assert.rejects(held.upgrade(), /9\.9\.9/);
    assert.deepEqual(held.json('version.json'), alsoNewer);
  });

  test('with a database of a newer version is refused, also by the database alone', async () => {
    using held = folder();
    await held.upgrade();
    await (await openDatabase(databasePath(held.data))).destroy();
    const file = new DatabaseSync(databasePath(held.data));
    file.exec("INSERT INTO kysely_migration VALUES ('9999-future', '2030-01-01T00:00:00.000Z')");
    file.close();
    await assert.rejects(
      openDatabase(databasePath(held.data)),
      /a newer version of Platen has changed it \(9999-future\)/,
    );
  });

  test('whose version cannot be read is unchanged', async () => {
    using held = folder();
    for (const text of ['', '{', '{"format":"x"}', 'null']) {
      writeFileSync(join(held.data, 'version.json'), text);
      await assert.rejects(held.upgrade(), /version\.json cannot be read: .*restore it/);
      assert.equal(held.read('version.json'), text);
    }
  });

  test('is brought forward step by step, each step once and in order', async () => {
    using held = folder();
    await makeOlder(held.data);
    const steps: number[] = [];
    const step = (to: number): DataMigration => ({ to, run: () => Promise.resolve(void steps.push(to)) });
    await held.upgrade({ migrations: [step(1), step(2)] });
    await held.upgrade({ migrations: [step(1), step(2), step(3), step(4)], version: '0.2.0' });
    assert.deepEqual(steps, [1, 2, 3, 4]);
    assert.deepEqual(held.json('version.json'), { format: 4, database: last, version: '0.2.0' });
    await assert.rejects(held.upgrade({ migrations: [step(1)] }), /a newer version/);
  });

  test('is as it was when a step fails, and a later start begins again', async () => {
    using held = folder();
    await makeOlder(held.data);
    writeFileSync(join(held.data, 'config.json'), '{"port": 1}');
    const broken: DataMigration = {
      to: 2,
      run(data) {
        writeFileSync(join(data, 'config.json'), 'half');
        return Promise.reject(new Error('the disk is gone'));
      },
    };
    await assert.rejects(held.upgrade({ migrations: [broken] }), /the disk is gone/);
    assert.equal(held.read('config.json'), '{"port": 1}');
    assert.deepEqual([existsSync(join(held.data, 'version.json')), hasHotFolders(held.data)], [false, false]);
    assert.deepEqual(held.backups(), [], 'a service that is started again and again fills no disk');
    await held.upgrade();
    assert.equal(held.json('version.json').format, 1);
  });

  test('keeps config.json as a link after a failed step', { skip: windows }, async () => {
    using held = folder();
    await makeOlder(held.data);
    const place = join(held.data, 'elsewhere.json');
    writeFileSync(place, '{"port": 1}');
    symlinkSync(place, join(held.data, 'config.json'));
    const broken: DataMigration = {
      to: 2,
      run(data) {
        writeFileSync(join(data, 'config.json'), 'half');
        return Promise.reject(new Error('the disk is gone'));
      },
    };
    await assert.rejects(held.upgrade({ migrations: [broken] }), /the disk is gone/);
    assert.equal(readlinkSync(join(held.data, 'config.json')), place);
    assert.equal(readFileSync(place, 'utf8'), '{"port": 1}');
  });

  test('of which an upgrade was killed in the middle is taken back to its backup, and upgraded again', async () => {
    using held = folder();
    const key = await makeOlder(held.data);
    writeFileSync(join(held.data, 'config.json'), '{"windows": 3}');
    const middle: DataMigration = {
      to: 2,
      async run(data) {
        writeFileSync(join(data, 'config.json'), 'half');
        writeFileSync(databasePath(data), 'half');
        reached();
        // What was killed goes no further.
        await new Promise(() => {});
      },
    };
    let reached: () => void = () => {};
    const inside = new Promise<void>((resolve) => (reached = resolve));
    void held.upgrade({ migrations: [middle] });
    await inside;
    assert.equal(held.json('upgrade.json').format, 2);
    const again: DataMigration = { to: 2, run: () => Promise.resolve() };
    await held.upgrade({ migrations: [again], renamed: { windows: 'workers' } });
    assert.equal(held.read('config.json'), '{"workers": 3}');
    assert.deepEqual([existsSync(join(held.data, 'upgrade.json')), held.backups().length], [false, 1]);
    const database = await openDatabase(databasePath(held.data));
    assert.equal((await openBook(database).authenticate('ann', key))?.name, 'ann');
    await database.destroy();
  });

  test('killed before the last step is not upgraded twice by the same version, but by a newer one', async () => {
    using held = folder();
    await makeOlder(held.data);
    await held.upgrade();
    const [backup = ''] = held.backups();
    const cut = () => {
      writeFileSync(
        join(held.data, 'upgrade.json'),
        JSON.stringify({ ...held.json('version.json'), backup }),
      );
    };
    cut();
    await held.upgrade();
    assert.deepEqual([hasHotFolders(held.data), held.backups().length, held.said.length], [true, 1, 1]);
    cut();
    const steps: number[] = [];
    const step = (to: number): DataMigration => ({ to, run: () => Promise.resolve(void steps.push(to)) });
    await held.upgrade({ migrations: [step(1), step(2)] });
    assert.deepEqual([steps, hasHotFolders(held.data)], [[1, 2], true]);
  });

  test('of an interrupted upgrade without its backup is refused', async () => {
    using held = folder();
    await makeOlder(held.data);
    const cut = { format: 1, database: last, version: own, backup: '2020-01-01T000000.000-x' };
    writeFileSync(join(held.data, 'upgrade.json'), JSON.stringify(cut));
    await assert.rejects(held.upgrade(), /was interrupted, and its backup .* is missing/);
    for (const backup of ['../../etc', '..', '']) {
      writeFileSync(join(held.data, 'upgrade.json'), JSON.stringify({ ...cut, backup }));
      await assert.rejects(held.upgrade(), /upgrade\.json cannot be read: it does not name a backup/);
    }
  });

  test('keeps the last three backups', async () => {
    using held = folder();
    await makeOlder(held.data);
    mkdirSync(join(held.data, 'backups', '2020-01-01T000000.000-x.unfinished'), { recursive: true });
    mkdirSync(join(held.data, 'backups', 'of my own'));
    for (let to = 1; to <= 5; to += 1) {
      const steps = Array.from({ length: to }, (_, at) => ({ to: at + 1, run: () => Promise.resolve() }));
      await held.upgrade({ migrations: steps, version: `0.${to}.0` });
    }
    const [one = '', two = '', three = '', other = ''] = held.backups();
    assert.deepEqual(
      [one, two, three].map((name) => name.replace(/^[\dT.-]{21}-/, '')),
      ['0.2.0', '0.3.0', '0.4.0'],
    );
    assert.equal(other, 'of my own');
  });

  test('is not touched when its backup cannot be made', { skip: windows }, async () => {
    using held = folder();
    await makeOlder(held.data);
    writeFileSync(join(held.data, 'backups'), 'no folder');
    await assert.rejects(
      held.upgrade(),
      /cannot be upgraded, because its backup could not be made: .*nothing was changed/,
    );
    assert.deepEqual([hasHotFolders(held.data), existsSync(join(held.data, 'upgrade.json'))], [false, false]);
  });
});

function hasHotFolders(data: string): boolean {
  const file = new DatabaseSync(databasePath(data));
  const columns = file.prepare("SELECT name FROM pragma_table_info('accounts')").all() as { name: string }[];
  file.close();
  return columns.some(({ name }) => name === 'hot_folders');
}
