import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { send } from '../../support/service/convert.ts';
import { readExposition, type Exposition } from '../../support/service/exposition.ts';
import { serveWeb } from '../../support/servers/web-server.ts';
import { startService, type Service } from '../../support/service/service.ts';

const basic = (name: string) => `Basic ${Buffer.from(`${name}:key`).toString('base64')}`;
const anna = basic('anna');
const bert = basic('bert');

async function metricsOf(service: Service, authorization: string): Promise<Exposition> {
  const answer = await fetch(`${service.url}/metrics`, { headers: { authorization } });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  return readExposition(await answer.text());
}

/** Polls until the condition holds, because metrics change shortly after a response. */
async function until(service: Service, isSo: (metrics: Exposition) => boolean): Promise<Exposition> {
  for (const began = performance.now(); performance.now() - began < 20_000;) {
    const metrics = await metricsOf(service, anna);
    if (isSo(metrics)) return metrics;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`this condition was not met within 20 s: ${isSo.toString()}`);
}

const slow = { text: '<script></script><p>slow', javascript_delay: 2500 };
/** A job that takes at least 400 ms, however fast the machine is. */
const brief = { text: '<script></script><p>brief', javascript_delay: 400 };

describe('The metrics', () => {
  let service: Service;
  before(async () => {
    const accounts = ['--accounts', 'anna:key:1000,bert:key'];
    const flags = [...accounts, '--job-timeout', '4s', '--workers', '1', '--network-allow', '127.0.0.1'];
    service = await startService({ flags });
  });
  after(() => service[Symbol.asyncDispose]());

  test('require credentials', async () => {
    assert.equal((await fetch(`${service.url}/metrics`)).status, 401);
    assert.equal((await fetch(`${service.url}/metrics`, { method: 'POST' })).status, 401);
    const posted = await fetch(`${service.url}/metrics`, {
      method: 'POST',
      headers: { authorization: anna },
    });
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET']);
  });

  test('contain the readiness and versions of the service, and the memory of its processes', async () => {
    const { sum, samples, types } = await metricsOf(service, anna);
    assert.equal(sum('platen_ready'), 1);
    const { labels } = samples.find(({ name }) => name === 'platen_info') ?? {};
    assert.deepEqual(Object.keys(labels ?? {}), ['version', 'electron', 'chromium']);
    assert.match(labels?.electron ?? '', /^\d+\.\d+\.\d+/);
    for (const process of ['browser', 'renderer'])
      assert.ok(sum('platen_memory_bytes', { process }) > 30e6, process);
    assert.ok(Math.abs(sum('process_start_time_seconds') - Date.now() / 1000) < 60);
    for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_cpu_seconds_total'])
      assert.ok(types.has(name), name);
  });

  test('count converted, failed and cancelled jobs, and credits', async () => {
    const before = await metricsOf(service, anna);
    const gained = (now: Exposition, name: string, labels: Record<string, string> = {}) =>
      now.sum(name, labels) - before.sum(name, labels);
    const began = performance.now();
    const letter = await send(service, brief, { authorization: anna });
    const took = (performance.now() - began) / 1000;
    assert.equal(letter.status, 200);
    await send(service, { nonsense: 'x' }, { authorization: anna });
    const impatient = AbortSignal.timeout(300);
    await assert.rejects(send(service, slow, { authorization: anna, signal: impatient }));
    const now = await until(service, (metrics) => gained(metrics, 'platen_jobs_total') === 3);

    const jobs = (labels: Record<string, string>) => gained(now, 'platen_jobs_total', labels);
    assert.equal(jobs({ account: 'anna', outcome: 'converted', reason: '0' }), 1);
    assert.equal(jobs({ account: 'anna', outcome: 'failed', reason: '303' }), 1);
    assert.equal(jobs({ account: 'anna', outcome: 'caller_gone', reason: '0' }), 1);
    assert.equal(gained(now, 'platen_credits_spent_total', { account: 'anna' }), 1);
    const seconds = gained(now, 'platen_job_duration_seconds_sum', { outcome: 'converted' });
    assert.ok(seconds >= 0.4 && seconds <= took, `${seconds} of ${took} s`);
    assert.equal(gained(now, 'platen_stage_duration_seconds_count', { stage: 'print' }), 1);
    assert.equal(gained(now, 'platen_queue_wait_seconds_count'), 2);
  });

  test('show an account the counts of its own jobs, and the durations of all jobs', async () => {
    await send(service, { text: '<p>x' }, { authorization: bert });
    const { sum } = await metricsOf(service, bert);
    assert.equal(sum('platen_jobs_total', { account: 'bert' }), 1);
    assert.equal(sum('platen_jobs_total'), 1);
    assert.ok(sum('platen_job_duration_seconds_count', { outcome: 'converted' }) >= 2);
  });

  test('contain the number of queued jobs and of busy windows', async () => {
    const working = ({ sum }: Exposition) => sum('platen_windows', { state: 'working' });
    const first = send(service, slow, { authorization: anna });
    await until(service, (now) => working(now) === 1);
    const second = send(service, { text: '<p>x' }, { authorization: anna });
    const busy = await until(service, ({ sum }) => sum('platen_queue_length') === 1);
    assert.deepEqual([working(busy), busy.sum('platen_ready')], [1, 1]);
    await Promise.all([first, second]);
    const idle = await until(service, (now) => working(now) === 0);
    assert.equal(idle.sum('platen_queue_length'), 0);
    assert.ok(idle.sum('platen_windows', { state: 'idle' }) >= 2);
    assert.ok(idle.sum('platen_queue_wait_seconds_sum') > 0.2);
  });

  test('count replaced windows by reason', async () => {
    const replaced = ({ sum }: Exposition, why: string) => sum('platen_window_replacements_total', { why });
    const before = await metricsOf(service, anna);
    const endless = { text: '<script>for(;;);</script>' };
    assert.match((await send(service, endless, { authorization: anna })).body.toString(), /^400\.323/);
    await until(service, (now) => replaced(now, 'timed out') === replaced(before, 'timed out') + 1);
    const client = new AbortController();
    await using web = await serveWeb({
      // The page blocks as soon as it has sent the request.
      '/running': () => {
        client.abort();
      },
    });
    const running = `const r = new XMLHttpRequest(); r.open('GET', '${web.url}/running'); r.send()`;
    const text = `<script>${running}; for(;;);</script>`;
    await assert.rejects(send(service, { text }, { authorization: anna, signal: client.signal }));
    await until(service, (now) => replaced(now, 'job ended early') > replaced(before, 'job ended early'));
  });
});
