import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { send } from '../../support/service/convert.ts';
import { readExposition } from '../../support/service/exposition.ts';
import { get, waitForJobs } from '../../support/service/job-record.ts';
import { operatorOf, type Operator } from '../../support/console/operator.ts';
import { waitForListening, listeningUrls, logLines } from '../../support/service/wait-for-log.ts';
import { startService, type Service } from '../../support/service/service.ts';

/** A job that still runs when the service receives the restart request. */
const slow = { text: '<script></script><p>slow', javascript_delay: 2000, tag: 'slow' };

const underWay = (service: Service, { authorization }: Operator) =>
  waitForJobs(service, authorization, ([job]) => job?.tag === 'slow');

const valueOf = async ({ call }: Operator, name: string) =>
  (await call('settings', {})).settings.find((setting) => setting.name === name)?.value;

describe('A restart by an operator', () => {
  test('lets the running job finish, applies changed settings at the same address, and is not counted as a crash', async () => {
    await using service = await startService();
    const operator = operatorOf(service);
    const { call, authorization } = operator;
    const changed = await call('changeSettings', { values: { 'job-timeout': '90s' } });
    assert.deepEqual([changed.restartNeeded, await valueOf(operator, 'job-timeout')], [true, '60s']);

    const running = send(service, slow, { authorization });
    await underWay(service, operator);
    assert.equal(await call('restart', {}), null);
    assert.equal((await running).status, 200);

    await waitForListening(service, 2);
    assert.deepEqual(listeningUrls(service), [service.url, service.url]);
    assert.equal(await valueOf(operator, 'job-timeout'), '90s');
    const { restartNeeded, restartable } = await call('settings', {});
    assert.deepEqual([restartNeeded, restartable], [false, true]);
    assert.equal((await send(service, { text: 'x' }, { authorization })).status, 200);

    const metrics = readExposition(await (await get(service, '/metrics', authorization)).text());
    assert.equal(metrics.sum('platen_restarts_total'), 0);
    assert.deepEqual(
      logLines(service).filter(({ msg }) => String(msg).includes('restarted')),
      [],
    );
    assert.equal(await service.stop(), 0);
  });

  test('can be repeated, and also works if the setting restart is off', async () => {
    await using service = await startService({ flags: ['--restart', 'off'] });
    const operator = operatorOf(service);
    for (const times of [2, 3]) {
      await operator.call('restart', {});
      await waitForListening(service, times);
    }
    assert.equal((await operator.call('state', {})).status, 'ready');
    assert.equal(await service.stop(), 0);
  });

  test('ends the service with exit code 0 if a signal arrives in the meantime', async () => {
    await using service = await startService();
    const operator = operatorOf(service);
    const slower = { ...slow, javascript_delay: 6000 };
    const running = send(service, slower, { authorization: operator.authorization });
    await underWay(service, operator);
    await operator.call('restart', {});
    assert.equal(await service.stop(), 0);
    assert.equal((await running).status, 200);
    assert.equal(listeningUrls(service).length, 1);
  });
});

describe('The settings that an operator sees', () => {
  let service: Service;
  before(async () => (service = await startService({ environment: { PLATEN_QUEUE: '5' } })));
  after(() => service[Symbol.asyncDispose]());

  test('have a source, and settings from flags and environment variables cannot be changed', async () => {
    const { call } = operatorOf(service);
    const { settings, file } = await call('settings', {});
    const from = (name: string) => settings.find((setting) => setting.name === name)?.origin;
    assert.deepEqual(['port', 'data', 'queue', 'workers'].map(from), [
      'flag',
      'flag',
      'environment',
      'default',
    ]);
    assert.equal(file, join(service.data, 'config.json'));
    await assert.rejects(
      call('changeSettings', { values: { port: '1', queue: '6' } }),
      /port is set by the flag --port.* queue is set by the variable PLATEN_QUEUE/,
    );
  });

  test('cannot be changed to values that would prevent the next start; a restart is refused while config.json would prevent it', async () => {
    const { call } = operatorOf(service);
    for (const [values, message] of [
      [{ host: '192.0.2.1' }, /192\.0\.2\.1 is not an address of this machine/],
      [{ 'tls-cert': 'missing.pem' }, /tls-cert: .*missing\.pem does not exist/],
      [{ 'tls-key': 'key.pem' }, /tls-cert is not set/],
    ] as const)
      await assert.rejects(call('changeSettings', { values }), message);
    await call('changeSettings', { values: { host: '::1' } }).catch((problem: unknown) => {
      // A machine without IPv6 refuses the address.
      assert.match(String(problem), /not an address/);
    });
    const config = join(service.data, 'config.json');
    writeFileSync(config, '{"job-timeout": "soon"}');
    await assert.rejects(call('restart', {}), /job-timeout in .*'soon' is not allowed/);
    assert.match((await call('settings', {})).problem ?? '', /'soon'/);
    assert.equal(readFileSync(config, 'utf8'), '{"job-timeout": "soon"}');
    rmSync(config);
    assert.equal((await fetch(`${service.url}/ready`)).status, 200);
  });
});

describe('A service that an operator pauses', () => {
  test('refuses new jobs, finishes running and queued jobs, and accepts jobs after it is resumed', async () => {
    await using service = await startService({ flags: ['--workers', '1'] });
    const operator = operatorOf(service);
    const { call, authorization } = operator;
    const running = send(service, slow, { authorization });
    await underWay(service, operator);
    const waiting = send(service, { text: 'x', tag: 'waits' }, { authorization });
    await waitForJobs(service, authorization, ([job]) => job?.tag === 'waits');
    assert.equal((await call('pause', {})).status, 'paused');

    for (const path of ['/convert/24.04/', '/console/run']) {
      const refused = await send(service, { text: 'x' }, { authorization, path });
      assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '30'], path);
      assert.match(refused.body.toString(), /paused by the operator/);
    }
    const ready = await fetch(`${service.url}/ready`);
    assert.deepEqual(
      [ready.status, await ready.json()],
      [503, { status: 'not ready', reason: 'paused by the operator' }],
    );
    assert.equal((await fetch(`${service.url}/health`)).status, 200);
    assert.deepEqual([(await running).status, (await waiting).status], [200, 200]);

    assert.equal((await call('resume', {})).status, 'ready');
    assert.equal((await send(service, { text: 'x' }, { authorization })).status, 200);
    assert.equal((await fetch(`${service.url}/ready`)).status, 200);
    await call('pause', {});
    await call('restart', {});
    await waitForListening(service, 2);
    assert.equal((await call('state', {})).status, 'ready', 'the service is still paused after a restart');
  });
});
