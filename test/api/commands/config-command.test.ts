import assert from 'node:assert/strict';
import { chmodSync, chownSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { ConfigReport } from '../../../main/cli/config/check.ts';
import { makeCertificates } from '../../support/servers/certificates.ts';
import { defaultService } from '../../support/service/default-service.ts';
import { runPlaten, temporaryFolder } from '../../support/service/service.ts';
import { takePort } from '../../support/servers/taken-port.ts';

/** A setting with which a start succeeds even if another program uses the default port. */
const anyPort = ['port', '0'];

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function folderWith(config?: string): string {
  const folder = temporaryFolder();
  folders.push(folder);
  if (config !== undefined) writeFileSync(join(folder, 'config.json'), config, { mode: 0o600 });
  return folder;
}

const platen = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  runPlaten(words, { PLATEN_TRAY: '', ...environment });

const check = async (words: readonly string[], environment: Record<string, string> = {}) => {
  const { code, out } = await platen(['config', 'check', '--json', ...words], environment);
  const report = JSON.parse(out) as ConfigReport;
  const result = (name: string) => report.results.find((entry) => entry.name === name);
  return { code, report, result };
};

describe('platen config check', () => {
  test('reports no problem if a start would succeed, and changes nothing', async () => {
    const data = join(folderWith(), 'new');
    const { code, report } = await check(['--data', data, '--port', '0']);
    assert.deepEqual(
      report.results.filter(({ state }) => state === 'failed'),
      [],
    );
    assert.equal(code, 0);
    assert.equal(existsSync(data), false);
  });

  test('lists all problems, with a remedy for each', async () => {
    const data = folderWith('{"queue": "many", "colour": "red"}');
    await using taken = await takePort();
    const { code, report, result } = await check(
      ['--data', data, '--port', String(taken.port), '--tls-cert', 'missing.pem', '--prot', '1'],
      { PLATEN_LOG_LEVEL: 'loud', PLATEN_UPSTREAM_PROXY: 'http://me:hunter2@127.0.0.1:9' },
    );
    const wrong = report.results.filter(({ name }) => name === 'setting').map(({ message }) => message);
    for (const part of ['--prot', 'queue in', 'colour in', 'PLATEN_LOG_LEVEL'])
      assert.equal(wrong.filter((message) => message.includes(part)).length, 1, part);
    assert.match(result('certificate')?.message ?? '', /missing\.pem does not exist/);
    assert.match(result('address')?.message ?? '', /already in use; choose another/);
    assert.match(result('upstream proxy')?.message ?? '', /127\.0\.0\.1:9 cannot be reached/);
    assert.deepEqual([code, result('upstream proxy')?.state], [2, 'warning']);
  });

  test('prints the source of each setting, but no secrets', async () => {
    const data = folderWith('{"queue": 7, "accounts": "ann:hunter2"}');
    const { report } = await check(['--data', data, '--port', '0'], { PLATEN_WORKERS: '3' });
    const facts = report.settings.map(({ name, value, location }) => [
      name,
      value,
      location.replace(data, 'DATA'),
    ]);
    assert.deepEqual(facts, [
      ['port', '0', '--port'],
      ['data', data, '--data'],
      ['accounts', 'set', 'accounts in DATA/config.json'],
      ['workers', '3', 'PLATEN_WORKERS'],
      ['queue', '7', 'queue in DATA/config.json'],
    ]);
    const { out } = await platen(['config', 'check', '--data', data]);
    const { out: shown } = await platen(['config', 'show', '--data', data]);
    assert.doesNotMatch(out + shown + JSON.stringify(report), /hunter2/);
    assert.match(shown, /^queue +7 +file +Number of requests that may wait/m);
  });

  test('exits with 1 if the settings are valid but a start would fail', async () => {
    const data = folderWith();
    writeFileSync(join(data, 'cert.pem'), makeCertificates().server.cert);
    writeFileSync(join(data, 'key.pem'), makeCertificates().server.key);
    const { code, result } = await check([
      '--data',
      data,
      '--port',
      '0',
      '--tls-cert',
      'cert.pem',
      '--tls-key',
      'key.pem',
    ]);
    assert.match(result('certificate')?.message ?? '', /does not match the first certificate/);
    assert.equal(code, 1);
  });

  test('accepts the port of the service that runs with the data folder, and reports that the database is current', async () => {
    const service = await defaultService();
    const { port } = new URL(service.url);
    const { code, result } = await check(['--data', service.data, '--port', port]);
    assert.match(result('address')?.message ?? '', /is used by the running service, process \d+/);
    assert.match(result('accounts')?.message ?? '', /the latest version/);
    assert.equal(code, 0);
  });
});

describe('platen config set', () => {
  test('writes settings for the next start, which platen config unset removes', async () => {
    const data = folderWith('{\n    "port": 0,\n    "queue": 7\n}\n');
    const set = await platen(['config', 'set', 'workers', '3', 'network-deny', 'a.example', '--data', data]);
    assert.equal(set.code, 0, set.err);
    assert.deepEqual(JSON.parse(readFileSync(join(data, 'config.json'), 'utf8')), {
      port: 0,
      queue: 7,
      workers: 3,
      'network-deny': 'a.example',
    });
    assert.equal((await platen(['config', 'unset', 'queue', 'workers', '--data', data])).code, 0);
    assert.deepEqual(JSON.parse(readFileSync(join(data, 'config.json'), 'utf8')), {
      port: 0,
      'network-deny': 'a.example',
    });
  });

  test('refuses settings with which a start would fail, or which a variable overrides, and changes nothing', async () => {
    const config = '{"queue": 7}';
    const data = folderWith(config);
    const { code, err } = await platen(['config', 'set', 'prot', '1', 'queue', 'many', '--data', data]);
    assert.equal(code, 2);
    assert.match(err, /did you mean port\?.*'many' is not allowed/);
    await using taken = await takePort();
    const inUse = await platen(['config', 'set', 'port', String(taken.port), '--data', data]);
    assert.deepEqual([inUse.code, /nothing was changed: port \d+ .* in use/.test(inUse.err)], [1, true]);
    const beaten = await platen(['config', 'set', 'queue', '8', '--data', data], { PLATEN_QUEUE: '9' });
    assert.deepEqual([beaten.code, beaten.err.includes('variable PLATEN_QUEUE, which overrides')], [2, true]);
    assert.equal(readFileSync(join(data, 'config.json'), 'utf8'), config);
  });

  test('repairs a file that would prevent the start, and creates a new file that only its owner can read', async () => {
    const broken = folderWith('{"port": "high"}');
    assert.equal((await platen(['config', 'set', 'port', '0', '--data', broken])).code, 0);
    const data = join(folderWith(), 'new');
    assert.equal((await platen(['config', 'set', ...anyPort, 'queue', '8', '--data', data])).code, 0);
    // Windows has no modes.
    if (process.platform === 'win32') return;
    assert.equal(statSync(join(data, 'config.json')).mode & 0o777, 0o600);
    assert.equal(statSync(data).mode & 0o777, 0o700);
  });

  test('works while the service runs, and says that a restart is necessary', async () => {
    const service = await defaultService();
    const { port } = new URL(service.url);
    // The port of the running service counts as free, because a restart releases it.
    const { code, out, err } = await platen(['config', 'set', 'port', port, '--data', service.data]);
    rmSync(join(service.data, 'config.json'), { force: true });
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, /restart the running service/);
  });
});

test('files that commands of root write to the data folder of another user belong to that user', async (context) => {
  if (process.getuid?.() !== 0) {
    context.skip('only root can become another user');
    return;
  }
  const data = folderWith();
  chownSync(data, 65_534, 65_534);
  chmodSync(data, 0o700);
  assert.equal((await platen(['config', 'set', ...anyPort, 'queue', '8', '--data', data])).code, 0);
  assert.equal((await platen(['account', 'add', 'ann', '--data', data])).code, 0);
  for (const name of ['config.json', 'accounts.sqlite'])
    assert.equal(statSync(join(data, name)).uid, 65_534, name);
});
