import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { databasePath } from '../../../main/accounts/store/sqlite/sqlite-database.ts';
import type { SelfTestReport, ConsoleState } from '../../../main/console/contract.ts';
import { lockDatabase } from '../../support/accounts/accounts.ts';
import { send } from '../../support/service/convert.ts';
import { basic, listJobs, openServiceDatabase } from '../../support/service/job-record.ts';
import { runPlaten, startService, temporaryFolder, type Service } from '../../support/service/service.ts';

const names = [
  'data folder',
  'work folder',
  'disk space',
  'accounts',
  'memory',
  'electron',
  'conversion',
  'pages and text',
  'header and footer',
  'colours',
  'tall image',
  'webgl',
  'fonts',
  'scripts',
  'custom fonts',
  'isolation',
  'refused addresses',
];

function failedOf({ checks }: SelfTestReport): string[] {
  return checks.filter(({ passed }) => !passed).map(({ name }) => name);
}

function messageOf({ checks }: SelfTestReport, name: string): string {
  return checks.find((check) => check.name === name)?.message ?? '';
}

/** Runs `platen self-test` until it exits. */
const run = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  runPlaten(['self-test', '--memory-reserve', '1MB', ...words], environment);

const postSelfTest = (service: Service, authorization: string) =>
  fetch(`${service.url}/self-test`, { method: 'POST', headers: { authorization } });

describe('The self-test of a running service', () => {
  let service: Service;
  before(async () => {
    service = await startService({ flags: ['--accounts', 'boss:key,ann:key', '--memory-reserve', '1MB'] });
    await using record = await openServiceDatabase(service);
    await record.book.change('boss', { operator: true });
  });
  after(() => service[Symbol.asyncDispose]());
  const runSelfTest = async () => {
    const headers = { authorization: basic('boss'), accept: 'application/json' };
    const answer = await fetch(`${service.url}/self-test`, { method: 'POST', headers });
    return { status: answer.status, report: (await answer.json()) as SelfTestReport };
  };

  test('passes if the service is healthy, with the result of each check', async () => {
    const { status, report } = await runSelfTest();
    assert.deepEqual(failedOf(report), [], JSON.stringify(report.checks, undefined, 1));
    assert.deepEqual([status, report.passed], [200, true]);
    assert.deepEqual(
      report.checks.map(({ name }) => name),
      names,
    );
    for (const { message } of report.checks) assert.match(message, /^[A-Za-z\d].*\.$/);
    assert.match(
      messageOf(report, 'electron'),
      /^Electron [\d.]+, Chromium [\d.]+; printing: (public|private) /,
    );
    assert.match(messageOf(report, 'webgl'), /^A shader's drawing is right in an image; it was drawn by \S/);
    assert.match(messageOf(report, 'isolation'), /a cookie.*database.*cache.*service worker.*found nothing/);
    assert.match(messageOf(report, 'refused addresses'), /metadata.*this service/);
  });

  test('returns a text table to a client that accepts any content type, such as curl', async () => {
    const answer = await postSelfTest(service, basic('boss'));
    assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/);
    const lines = (await answer.text()).trimEnd().split('\n');
    assert.equal(lines.filter((line) => /^(ok|warning) +\S.* \d+ ms {2}\S/.test(line)).length, names.length);
    assert.match(lines.at(-1) ?? '', /^All checks passed.*; it took [\d.]+ s\.$/);
  });

  test('leaves no account, job or file, and costs no credits', async () => {
    await runSelfTest();
    await using record = await openServiceDatabase(service);
    const accounts = (await record.book.list()).map(({ name }) => name);
    assert.deepEqual(accounts.sort(), ['ann', 'boss', 'demo']);
    assert.deepEqual((await listJobs(service, basic('boss'))).jobs, []);
    assert.deepEqual(readdirSync(join(service.data, 'work')), []);
  });

  test('runs only once for concurrent requests, while jobs are converted', async () => {
    const [first, second, job] = await Promise.all([
      runSelfTest(),
      runSelfTest(),
      send(service, { text: 'x' }, { authorization: basic('ann') }),
    ]);
    assert.equal(first.report.began, second.report.began);
    assert.equal(job.status, 200);
    assert.notEqual((await runSelfTest()).report.began, first.report.began);
  });

  test('is refused to accounts that are not operators, and without credentials', async () => {
    const refused = await postSelfTest(service, basic('ann'));
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /^403\.402 - /);
    assert.equal((await fetch(`${service.url}/self-test`, { method: 'POST' })).status, 401);
  });

  test('cannot be started by loading its address, which a page of another site can do with stored credentials', async () => {
    for (const method of ['GET', 'HEAD']) {
      const headers = { authorization: basic('boss') };
      const answer = await fetch(`${service.url}/self-test`, { method, headers });
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST'], method);
    }
    const headers = { authorization: basic('boss'), origin: 'http://evil.example' };
    const answer = await fetch(`${service.url}/self-test`, { method: 'POST', headers });
    assert.equal(answer.status, 403);
  });

  test('is suggested by platen self-test, which refuses the data folder of a running service', async () => {
    const { port } = new URL(service.url);
    const { err, code } = await run(['--data', service.data, '--port', port]);
    assert.equal(code, 1);
    assert.match(err, new RegExp(`already in use by process .*${service.url}/self-test`));
  });

  test('reports, with a remedy, that job files cannot be written', async () => {
    const work = join(service.data, 'work');
    rmSync(work, { recursive: true });
    writeFileSync(work, 'no folder');
    const { status, report } = await runSelfTest();
    rmSync(work);
    mkdirSync(work);
    assert.deepEqual([status, report.passed], [503, false]);
    assert.deepEqual(failedOf(report), ['work folder', 'tall image', 'refused addresses']);
    assert.match(messageOf(report, 'work folder'), /cannot be written: .*\. Restart the service/);
  });

  test('reports that the accounts database cannot be written', async () => {
    using _lock = lockDatabase(databasePath(service.data));
    const { report } = await runSelfTest();
    assert.deepEqual(failedOf(report), ['accounts']);
    assert.match(messageOf(report, 'accounts'), /locked\. Check that/);
  });
});

describe('The self-test of a service with network-allow', () => {
  let service: Service;
  const authorization = basic('boss');
  before(async () => {
    service = await startService({
      flags: ['--network-allow', '127.0.0.1', '--accounts', 'boss:key', '--memory-reserve', '1MB'],
    });
    await using record = await openServiceDatabase(service);
    await record.book.change('boss', { operator: true });
  });
  after(() => service[Symbol.asyncDispose]());

  test('lists the allowed addresses as a warning, not as a failure', async () => {
    const answer = await postSelfTest(service, authorization);
    assert.equal(answer.status, 200);
    assert.match(
      await answer.text(),
      /^warning refused addresses .*cannot reach cloud metadata.*; network-allow lets them reach other programs on this machine/m,
    );
  });

  // The last test, because it stops the service.
  test('is refused without a result when the service stops', async () => {
    const selfTest = postSelfTest(service, authorization);
    const working = async () => {
      const headers = { authorization, 'content-type': 'application/json' };
      const call = { method: 'POST', body: JSON.stringify({}), headers };
      return ((await (await fetch(`${service.url}/console/call/state`, call)).json()) as ConsoleState)
        .working;
    };
    while ((await working()) === 0);
    assert.equal(await service.stop(), 0);
    const answer = await selfTest;
    assert.deepEqual([answer.status, (await answer.text()).slice(0, 8)], [503, '503.503 ']);
  });
});

describe('platen self-test', () => {
  test('exits with 0 for a working installation, writes its report and creates no account', async () => {
    const data = temporaryFolder();
    const { out, code } = await run(['--data', data, '--json']);
    const report = JSON.parse(out) as SelfTestReport;
    assert.deepEqual([code, failedOf(report)], [0, []]);
    assert.deepEqual(JSON.parse(readFileSync(join(data, 'self-test.json'), 'utf8')), report);
    assert.equal(existsSync(join(data, 'platen.pid')), false);
    await using record = await openServiceDatabase({ data });
    assert.deepEqual(await record.book.list(), []);
    rmSync(data, { recursive: true });
  });

  const ownFonts = process.platform !== 'linux' && 'only Linux reads fonts with fontconfig';
  test('exits with 1 if there are no fonts, and names the fonts to install', { skip: ownFonts }, async () => {
    const data = temporaryFolder();
    const fonts = join(data, 'fonts.conf');
    writeFileSync(fonts, '<?xml version="1.0"?><fontconfig></fontconfig>');
    const { out, code } = await run(['--data', data], { FONTCONFIG_FILE: fonts });
    assert.match(out, /^failed +(fonts|scripts) .*apt-get install fonts-liberation/m);
    assert.match(out, /\d+ of 17 checks failed/);
    assert.equal(code, 1);
    rmSync(data, { recursive: true });
  });

  test('reports that pages have no WebGL if the setting is off', async () => {
    const data = temporaryFolder();
    const { out, code } = await run(['--data', data, '--webgl', 'off']);
    assert.match(out, /^ok +webgl .*Pages have no WebGL, because the setting webgl is off\.$/m);
    assert.equal(code, 0, out);
    rmSync(data, { recursive: true });
  });

  test('exits with 2 for an unknown flag', async () => {
    assert.equal((await run(['--dta', '/tmp'])).code, 2);
  });
});
