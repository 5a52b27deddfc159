import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { loadSettings, SettingProblem } from '../../../main/settings/load.ts';
import { environmentName, settingNames, table } from '../../../main/settings/table.ts';
import { environmentForService, readRawSettings } from '../../../main/settings/raw-settings.ts';

const root = mkdtempSync(join(tmpdir(), 'platen-settings-'));
after(() => {
  rmSync(root, { recursive: true });
});

let folders = 0;

/** Creates a data folder with this config.json, given as text or as settings. Returns its path. */
function folderWith(config?: unknown): string {
  const folder = join(root, String((folders += 1)));
  mkdirSync(folder);
  if (config !== undefined)
    writeFileSync(join(folder, 'config.json'), typeof config === 'string' ? config : JSON.stringify(config));
  return folder;
}

interface Sources {
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly config?: unknown;
}

function load({ flags = [], environment = {}, config }: Sources) {
  return loadSettings({ flags: ['--data', folderWith(config), ...flags], environment });
}

function preventsStart(written: Sources, message: RegExp): void {
  const stopped = (problem: unknown) =>
    problem instanceof SettingProblem && message.test(problem.message) && !problem.message.includes('\n');
  assert.throws(() => load(written), stopped, JSON.stringify(written));
}

describe('the source of a setting', () => {
  const config = { port: 3 };
  const environment = { PLATEN_PORT: '2' };

  test('a flag takes precedence over the environment, the environment over config.json, and config.json over the default', () => {
    assert.equal(load({ flags: ['--port', '1'], environment, config }).port, 1);
    assert.equal(load({ environment, config }).port, 2);
    assert.equal(load({ config }).port, 3);
    assert.equal(load({}).port, 8730);
  });

  test('an empty variable counts as absent', () => {
    assert.equal(load({ environment: { PLATEN_PORT: '' }, config }).port, 3);
  });

  test('the service process gets the settings of the flags through its environment', () => {
    const folder = folderWith({ 'network-allow': ['10.0.0.0/8'], accounts: 'a:b' });
    for (const flags of [
      ['--port', '1'],
      ['--network-allow='],
      ['--accounts', ''],
      ['--job-timeout=90s', '--demo=off'],
    ]) {
      const all = ['--data', folder, ...flags];
      assert.deepEqual(
        loadSettings({ flags: [], environment: environmentForService({ flags: all, environment: {} }) }),
        loadSettings({ flags: all, environment: {} }),
        flags.join(' '),
      );
    }
  });

  test('the service process gets the source of each setting', () => {
    const folder = folderWith({ queue: 7 });
    const flags = ['--data', folder, '--port', '1'];
    const environment = { PLATEN_DEMO: 'off' };
    const passed = { ...environment, ...environmentForService({ flags, environment }) };
    const { effective } = readRawSettings({ flags: [], environment: passed });
    assert.deepEqual([...effective].map(([name, { origin, location }]) => [name, origin, location]).sort(), [
      ['data', 'flag', '--data'],
      ['demo', 'environment', 'PLATEN_DEMO'],
      ['port', 'flag', '--port'],
      ['queue', 'file', `queue in ${join(folder, 'config.json')}`],
    ]);
    const defaultEnvironment = environmentForService({ flags: [], environment: {} });
    const before = readRawSettings({ flags: [], environment: {} }).data;
    const { data, effective: nothing } = readRawSettings({ flags: [], environment: defaultEnvironment });
    assert.deepEqual([data, nothing.get('data')?.origin], [before, 'default']);
  });

  test('the data folder becomes an absolute path, and its config.json is read', () => {
    const folder = folderWith({ port: 7 });
    const settings = loadSettings({ flags: [], environment: { PLATEN_DATA: folder } });
    assert.deepEqual([settings.data, settings.port], [folder, 7]);
    assert.equal(
      loadSettings({ flags: ['--data', 'no-such-folder'], environment: {} }).data,
      join(process.cwd(), 'no-such-folder'),
    );
  });

  test('every setting has a valid default, a variable and a description', () => {
    const settings = load({});
    for (const name of settingNames) {
      if ('default' in table[name]) assert.notEqual(settings[name], undefined, name);
      assert.match(environmentName(name), /^PLATEN_[A-Z_]+$/);
      assert.match(table[name].description, /\.$/, name);
    }
  });
});

describe('flags', () => {
  test('may be joined to their value with =, and the value may contain = and colons', () => {
    assert.equal(load({ flags: ['--host=::1'] }).host, '::1');
    assert.equal(load({ flags: ['--JOB_TIMEOUT', '5'] })['job-timeout'], 5000);
    assert.equal(load({ flags: ['--base-url=http://a.example/x=y'] })['base-url'], 'http://a.example/x=y');
  });

  test('that are unknown, malformed or without a value prevent the start, with one line', () => {
    preventsStart({ flags: ['--prot', '1'] }, /^--prot is not a known setting; did you mean --port\?/);
    for (const flag of ['--constructor', '--__proto__', '--to-string'])
      preventsStart({ flags: [flag, 'x'] }, /is not/);
    for (const flag of ['port', '-p', '--', '']) preventsStart({ flags: [flag] }, /is not a flag/);
    preventsStart({ flags: ['--port'] }, /^--port needs a value; allowed: a whole number from 0 to 65535/);
    preventsStart({ flags: ['--port 1'] }, /^--port 1 is not a known setting/);
    preventsStart({ flags: ['--port', '65536'] }, /^--port: the value '65536' is not allowed/);
    preventsStart({ flags: ['--port', '--demo'] }, /^--port: the value '--demo' is not allowed/);
  });

  test('with secret values are not quoted in errors', () => {
    preventsStart(
      { flags: ['--accounts', 'hunter2'] },
      /^--accounts: the value is not allowed; allowed: user:key/,
    );
    preventsStart(
      { flags: ['--upstream-proxy', 'socks5://me:hunter2@a'] },
      /^(?!.*hunter2)--upstream-proxy: /,
    );
  });

  test('that choose a database of another kind prevent the start', () => {
    preventsStart({ flags: ['--database', 'mysql://a/b'] }, /^--database: /);
  });
});

describe('the environment', () => {
  test('may contain any variables without the prefix PLATEN_', () => {
    assert.equal(
      load({ environment: { PATH: 'x', PORT: '1', platen_port: '1', PLATEN_ELECTRON_DIST: '/x' } }).port,
      8730,
    );
  });

  test('prevents the start with an unknown or malformed variable, and the variable is named', () => {
    preventsStart(
      { environment: { PLATEN_PROT: '1' } },
      /^PLATEN_PROT is not a known setting; did you mean PLATEN_PORT\?/,
    );
    preventsStart({ environment: { PLATEN___PROTO__: '1' } }, /^PLATEN___PROTO__ is not a known setting/);
    preventsStart(
      { environment: { PLATEN_WORKERS: '65' } },
      /^PLATEN_WORKERS: the value '65' is not allowed; .*from 1 to 64/,
    );
  });
});

describe('config.json', () => {
  test('accepts strings, numbers, booleans and lists', () => {
    const config = {
      port: 1,
      tray: false,
      'max-upload': '1GB',
      'network-allow': ['a.example', '10.0.0.0/8:80'],
    };
    const settings = load({ config });
    assert.deepEqual([settings.port, settings.tray, settings['max-upload']], [1, false, 1e9]);
    assert.deepEqual(
      settings['network-allow']?.map(({ text }) => text),
      ['a.example', '10.0.0.0/8:80'],
    );
  });

  test('prevents the start if it is not a JSON object of settings', () => {
    for (const config of ['', '{', '[]', 'null', '1', '"x"', '\0']) preventsStart({ config }, /config\.json/);
    preventsStart({ config: { port: null } }, /^port in .*config\.json must be/);
    preventsStart({ config: { port: {} } }, /^port in .*config\.json must be/);
    preventsStart({ config: '{"__proto__": 1}' }, /^__proto__ in .* is not a known setting/);
    preventsStart({ config: { constructor: 1 } }, /^constructor in .* is not a known setting/);
    preventsStart({ config: { port: 1e21 } }, /^port in .*: the value '1e\+21' is not allowed/);
    preventsStart({ config: { data: '/x' } }, /^data cannot be set in /);
  });
});

test('an unknown key of config.json is reported with the nearest known one', () => {
  preventsStart({ config: { job_timeout: 1 } }, /^job_timeout in .* did you mean job-timeout\?/);
});

test('a limit longer than a timer can count (24.8 days) prevents the start', () => {
  for (const flag of ['--job-timeout', '--queue-timeout']) {
    assert.ok(load({ flags: [flag, '500h'] }));
    preventsStart({ flags: [flag, '600h'] }, new RegExp(`^${flag}: `));
  }
});

test(
  'an unreadable config.json prevents the start, because it may contain the network policy',
  { skip: process.platform === 'win32' },
  () => {
    const folder = folderWith({ network: 'offline' });
    chmodSync(root, 0o755);
    chmodSync(join(folder, 'config.json'), 0o000);
    const program = `
    const { loadSettings } = await import(${JSON.stringify(new URL('../../../main/settings/load.ts', import.meta.url).href)});
    try { console.log(loadSettings({ flags: ['--data', ${JSON.stringify(folder)}], environment: {} }).network); } catch (problem) { console.log(problem.message); }`;
    // Root can read every file, so another user loads the settings.
    const user = process.getuid?.() === 0 ? { uid: 65_534 } : {};
    const args = ['--import', import.meta.resolve('tsx'), '--input-type=module', '-e', program];
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', ...user });
    assert.match(stdout, /config\.json/);
  },
);

describe('the list of all problems', () => {
  const all = (data: string) => {
    const problems: string[] = [];
    const settings = loadSettings({
      flags: ['--prot', '1', '--queue', '7', 'stray', '--workers=many', '--data', data, '--host'],
      environment: { PLATEN_LOG_LEVEL: 'loud', PLATEN_NONSENSE: '1', PLATEN_ALIAS: 'acme' },
      onProblem: ({ message }) => problems.push(message),
    });
    return { problems, settings };
  };

  test('has every problem of every source, and valid settings are read', () => {
    const { problems, settings } = all(folderWith({ port: 'high', 'job-timeout': '2m', colour: 'red' }));
    for (const part of [
      '--prot',
      "'stray'",
      '--workers',
      '--host',
      'LOG_LEVEL',
      'NONSENSE',
      'port in',
      'colour',
    ])
      assert.equal(problems.filter((problem) => problem.includes(part)).length, 1, part);
    assert.equal(problems.length, 8);
    const { queue, port, alias, 'job-timeout': limit, 'log-level': level } = settings;
    assert.deepEqual([queue, port, alias, limit, level], [7, 8730, 'acme', 120_000, 'info']);
  });

  test('includes a file that is not JSON', () => {
    const { problems } = all(folderWith('{"port": '));
    assert.equal(problems.filter((problem) => problem.includes('is not valid JSON')).length, 1);
    assert.equal(problems.length, 7);
  });
});
