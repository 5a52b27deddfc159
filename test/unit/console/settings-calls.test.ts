import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Failure } from '../../../main/failure/failure.ts';
import { loadSettings } from '../../../main/settings/load.ts';
import { settingNames } from '../../../main/settings/table.ts';
import { openOperatorConsole, type OperatorConsole } from '../../support/console/operator-console.ts';

const view = ({ calls, admin }: OperatorConsole) => calls.settings({}, admin);

const setting = async (operatorConsole: OperatorConsole, name: string) => {
  const found = (await view(operatorConsole)).settings.find((setting) => setting.name === name);
  assert.ok(found, name);
  return found;
};

const change = ({ calls, admin }: OperatorConsole, values: Readonly<Record<string, string | null>>) =>
  calls.changeSettings({ values }, admin);

/** Loads the settings from config.json as the service does when it starts. */
const started = ({ folder }: OperatorConsole) =>
  loadSettings({ flags: [], environment: { PLATEN_DATA: folder } });

async function refused(
  operatorConsole: OperatorConsole,
  values: Readonly<Record<string, string | null>>,
  ...patterns: readonly RegExp[]
): Promise<void> {
  const before = existsSync(operatorConsole.configPath)
    ? readFileSync(operatorConsole.configPath, 'utf8')
    : undefined;
  await assert.rejects(change(operatorConsole, values), (problem) => {
    assert.ok(problem instanceof Failure && problem.kind === 'valueNotAllowed', String(problem));
    for (const part of patterns) assert.match(problem.message, part);
    return true;
  });
  assert.equal(
    existsSync(operatorConsole.configPath) ? readFileSync(operatorConsole.configPath, 'utf8') : undefined,
    before,
  );
}

describe('the settings an operator sees', () => {
  test('are all settings, each with its effective value and source', async () => {
    await using operatorConsole = await openOperatorConsole({
      config: '{"queue": 7, "network-allow": ["a.example", "b.example"], "demo": false}',
      environment: {
        PLATEN_PORT: '1',
        PLATEN_JOB_TIMEOUT: '2m',
        PLATEN_ORIGINS: '{"port": "flag"}',
      },
    });
    const { settings, restartNeeded, file } = await view(operatorConsole);
    assert.deepEqual(
      settings.map(({ name }) => name),
      settingNames,
    );
    const facts = (name: string) => {
      const { value, written, origin } = settings.find((setting) => setting.name === name) ?? {};
      return [value, written, origin];
    };
    assert.deepEqual(facts('port'), ['1', null, 'flag']);
    assert.deepEqual(facts('job-timeout'), ['2m', null, 'environment']);
    assert.deepEqual(facts('queue'), ['7', '7', 'file']);
    assert.deepEqual(facts('network-allow'), ['a.example,b.example', 'a.example,b.example', 'file']);
    assert.deepEqual(facts('demo'), ['off', 'off', 'file']);
    assert.deepEqual(facts('queue-timeout'), ['30s', null, 'default']);
    assert.deepEqual(facts('max-upload'), ['300MB', null, 'default']);
    assert.deepEqual(facts('alias'), [null, null, 'default']);
    assert.deepEqual(facts('data'), [operatorConsole.folder, null, 'environment']);
    assert.deepEqual([restartNeeded, file], [false, operatorConsole.configPath]);
  });

  test('never show a secret, whether in effect or only in config.json', async () => {
    await using operatorConsole = await openOperatorConsole({ config: '{"accounts": "ann:hunter2"}' });
    const accounts = await setting(operatorConsole, 'accounts');
    assert.deepEqual([accounts.value, accounts.written, accounts.secret], ['set', 'set', true]);
    assert.deepEqual((await setting(operatorConsole, 'tls-passphrase')).value, null);
    await change(operatorConsole, { 'upstream-proxy': 'http://me:hunter2@proxy.example:1' });
    assert.doesNotMatch(JSON.stringify([await view(operatorConsole), operatorConsole.logLines]), /hunter2/);
  });

  test('need a restart if config.json differs from the effective values, but not if only the notation differs', async () => {
    await using operatorConsole = await openOperatorConsole({ config: '{"job-timeout": "60s"}' });
    const needed = async (text: string) => {
      writeFileSync(operatorConsole.configPath, text);
      return (await view(operatorConsole)).restartNeeded;
    };
    assert.equal(await needed('{"job-timeout": 60}'), false);
    assert.equal(await needed('{"job-timeout": "1m", "queue": 64}'), false);
    assert.equal(await needed('{}'), false, 'an omitted setting has its default');
    assert.equal(await needed('{"job-timeout": "61s"}'), true);
    assert.equal(await needed('{"network-allow": "a.example"}'), true);
    assert.equal((await setting(operatorConsole, 'job-timeout')).value, '60s');
  });

  test('that an environment variable overrides never need a restart', async () => {
    await using operatorConsole = await openOperatorConsole({ environment: { PLATEN_QUEUE: '5' } });
    writeFileSync(operatorConsole.configPath, '{"queue": 6}');
    assert.equal((await view(operatorConsole)).restartNeeded, false);
    assert.deepEqual((await setting(operatorConsole, 'queue')).written, '6');
  });

  test('are shown with the problem of an invalid config.json, which must be corrected before other changes', async () => {
    await using operatorConsole = await openOperatorConsole();
    for (const [text, problem] of [
      ['{', /is not valid JSON/],
      ['{"prot": 1}', /prot in .* did you mean port/],
      ['{"port": "high"}', /port in .*'high' is not allowed/],
    ] as const) {
      writeFileSync(operatorConsole.configPath, text);
      const shown = await view(operatorConsole);
      assert.match(shown.problem ?? '', problem);
      assert.deepEqual([shown.settings[0]?.value, shown.restartNeeded], ['127.0.0.1', false]);
      await refused(operatorConsole, { queue: '1' }, problem);
    }
    // Replacing the invalid value with a valid one succeeds.
    assert.equal((await change(operatorConsole, { port: '1' })).problem, undefined);
  });
});

describe('changed settings', () => {
  test('are written to config.json, and used at the next start', async () => {
    await using operatorConsole = await openOperatorConsole({ config: '{\n  "queue": 7\n}\n' });
    const shown = await change(operatorConsole, {
      'job-timeout': '90s',
      'network-allow': '10.0.0.0/8',
      queue: null,
    });
    assert.equal(shown.restartNeeded, true);
    assert.equal(started(operatorConsole)['job-timeout'], 90_000);
    assert.equal(started(operatorConsole).queue, 64);
    assert.deepEqual(
      operatorConsole.logLines.map(({ by, settings, msg }) => [by, settings, msg]),
      [['admin', ['job-timeout', 'network-allow', 'queue'], 'settings were changed']],
    );
    assert.deepEqual(
      readdirSync(operatorConsole.folder).filter((name) => name.includes('config')),
      ['config.json'],
    );
  });

  test('that are invalid are all named, and nothing is written', async () => {
    await using operatorConsole = await openOperatorConsole({
      environment: { PLATEN_DEMO: 'on', PLATEN_PORT: '1', PLATEN_ORIGINS: '{"port":"flag"}' },
    });
    await refused(
      operatorConsole,
      {
        'job-timeout': 'soon',
        'tls-passphrase': '',
        prot: '1',
        constructor: '1',
        data: '/tmp',
        demo: 'off',
        port: null,
        queue: '5',
      },
      /job-timeout: the value 'soon' is not allowed; allowed: a number of seconds/,
      /tls-passphrase: the value is not allowed/,
      /'prot' is not a known setting; did you mean port\?/,
      /'constructor' is not a known setting\./,
      /data cannot be changed here/,
      /demo is set by the variable PLATEN_DEMO, which overrides config\.json/,
      /port is set by the flag --port/,
    );
    assert.deepEqual(operatorConsole.logLines, []);
  });

  test('are refused without validation if there are more values than settings', async () => {
    await using operatorConsole = await openOperatorConsole();
    const many = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`q${index}`, '1']));
    await refused(operatorConsole, many, /^The call has more values than/);
  });

  test('can set log-file only to a .log file', async () => {
    await using operatorConsole = await openOperatorConsole();
    for (const path of [
      '/root/.ssh/authorized_keys',
      'accounts.sqlite',
      '../.bashrc',
      '.log',
      'logs/.log',
      'a.log/',
    ])
      await refused(operatorConsole, { 'log-file': path }, /log-file: .*\.log/);
    await change(operatorConsole, { 'log-file': 'logs/platen.log' });
    assert.equal(started(operatorConsole)['log-file'], 'logs/platen.log');
  });

  test('are refused with the reason if a start would fail', async () => {
    await using operatorConsole = await openOperatorConsole({
      parts: {
        tryStart: ({ 'tls-key': key }) =>
          key === undefined ? Promise.resolve() : Promise.reject(new Error('tls-cert is missing.')),
      },
    });
    await refused(operatorConsole, { 'tls-key': 'key.pem' }, /a start would fail.*tls-cert is missing/);
    await change(operatorConsole, { queue: '1' });
  });

  test('of concurrent calls are all saved', async () => {
    await using operatorConsole = await openOperatorConsole();
    await Promise.all([
      change(operatorConsole, { queue: '1' }),
      change(operatorConsole, { workers: '2' }),
      change(operatorConsole, { port: '3' }),
    ]);
    const { queue, workers, port } = started(operatorConsole);
    assert.deepEqual([queue, workers, port], [1, 2, 3]);
  });

  test('write no file if they are empty', async () => {
    await using operatorConsole = await openOperatorConsole();
    await change(operatorConsole, {});
    assert.equal(existsSync(operatorConsole.configPath), false);
  });
});

describe('a restart', () => {
  test('is requested from the launcher, with a log line naming the account', async () => {
    let restarts = 0;
    await using operatorConsole = await openOperatorConsole({ parts: { restart: () => (restarts += 1) } });
    assert.equal((await view(operatorConsole)).restartable, true);
    assert.equal(await operatorConsole.calls.restart({}, operatorConsole.admin), null);
    assert.deepEqual([restarts, operatorConsole.logLines[0]?.by], [1, 'admin']);
  });

  test('is refused without a launcher, and when the next start would fail', async () => {
    await using alone = await openOperatorConsole();
    assert.equal((await view(alone)).restartable, false);
    await assert.rejects(alone.calls.restart({}, alone.admin), /without the launcher/);
    let restarts = 0;
    await using operatorConsole = await openOperatorConsole({ parts: { restart: () => (restarts += 1) } });
    writeFileSync(operatorConsole.configPath, '{"port": "high"}');
    await assert.rejects(operatorConsole.calls.restart({}, operatorConsole.admin), /'high' is not allowed/);
    assert.equal(restarts, 0);
  });
});

test('a pause refuses new jobs until resume, and is logged with the account', async () => {
  await using operatorConsole = await openOperatorConsole();
  assert.equal(operatorConsole.pause.refusal(), undefined);
  assert.equal((await operatorConsole.calls.pause({}, operatorConsole.admin)).status, 'paused');
  await operatorConsole.calls.pause({}, operatorConsole.admin);
  const { status, reason, message, retryAfter } = operatorConsole.pause.refusal() ?? {};
  assert.deepEqual([status, reason, retryAfter], [503, 503, 30]);
  assert.match(message ?? '', /paused by the operator/);
  assert.equal((await operatorConsole.calls.resume({}, operatorConsole.admin)).status, 'ready');
  assert.deepEqual([operatorConsole.pause.refusal(), operatorConsole.pause.reason()], [undefined, undefined]);
  assert.deepEqual(
    operatorConsole.logLines.map(({ by, msg }) => [by, msg]),
    [
      ['admin', 'paused: no new jobs are accepted until an operator resumes the service'],
      ['admin', 'resumed'],
    ],
  );
});
