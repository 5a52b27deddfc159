import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Converted, RunEvent } from '../../../main/console/contract.ts';
import { call, eventsOf, expectRefusal, run, startRun } from '../../support/console/console.ts';
import { htmlFile, send } from '../../support/service/convert.ts';
import { basic, get, listJobs, waitForJobs, openServiceDatabase } from '../../support/service/job-record.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { startService, type Service } from '../../support/service/service.ts';

describe('The console over HTTP', () => {
  let service: Service;
  before(async () => {
    const accounts = 'ann:key,bob:key,boss:key,ten:key:10,often:key,none:key:0';
    service = await startService({
      flags: ['--accounts', accounts, '--workers', '1', '--job-timeout', '10m'],
    });
    await using record = await openServiceDatabase(service);
    await record.book.change('boss', { operator: true });
    await record.book.change('often', { jobsPerMinute: 1 });
  });
  after(() => service[Symbol.asyncDispose]());
  const output = (user: string, { output: id }: Converted, query = '') =>
    get(service, `/console/output/${id}${query}`, basic(user));

  test('reports the stages of a run, and then its result, with the id of the output', async () => {
    const events = await run(service, 'ann', {
      file: htmlFile('<p>letter', 'Brief.html'),
      print_page_range: '1',
    });
    const [first, ...rest] = events;
    const converted = outcomeOf(events);
    assert.deepEqual(first, { kind: 'begun', job: converted.job });
    const stages = rest.flatMap((event) => (event.kind === 'stage' ? [event.stage] : []));
    assert.equal(stages.length, rest.length - 1);
    assert.deepEqual(new Set(stages), new Set(Object.keys(converted.stages)));
    assert.ok(stages.indexOf('prepare input') < stages.indexOf('write the document'), stages.join());
    assert.ok(stages.indexOf('write the document') < stages.indexOf('print'), stages.join());
    const { type, name, bytes, pages, totalPages, credits, took } = converted;
    assert.deepEqual(
      { type, name, pages, totalPages, credits },
      { type: 'application/pdf', name: 'Brief.pdf', pages: 1, totalPages: 1, credits: 1 },
    );
    assert.ok(took > 0);
    const answer = await output('ann', converted);
    const made = Buffer.from(await answer.arrayBuffer());
    assert.equal(made.length, bytes);
    assert.equal(pdfText(made), 'letter');
    assert.equal(answer.headers.get('content-type'), 'application/pdf');
    assert.equal(answer.headers.get('content-disposition'), 'inline; filename="Brief.pdf"');
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const saved = await output('ann', converted, '?download');
    assert.match(saved.headers.get('content-disposition') ?? '', /^attachment; /);
  });

  test('reports a stage when it begins', { timeout: 240_000 }, async () => {
    const response = await startRun(service, 'ann', endless);
    assert.equal(response.headers.get('content-type'), 'application/x-ndjson');
    const events = eventsOf(response);
    await until(events, 'load the page');
    await events.return(undefined);
    await waitForJobs(service, basic('ann'), ([job]) => job?.outcome === 'caller gone');
  });

  test('records and charges a run like any job, and always with a debug log', async () => {
    const { job } = outcomeOf(await run(service, 'ten', { text: '<p>x', tag: 'try', debug_log: false }));
    const [recorded] = (await listJobs(service, basic('ten'))).jobs;
    assert.ok(recorded);
    const { id, tag, outcome, consumed_credits, debug_log } = recorded;
    assert.deepEqual(
      { id, tag, outcome, consumed_credits },
      { id: job, tag: 'try', outcome: 'converted', consumed_credits: 1 },
    );
    assert.ok(debug_log);
    const state = await call(service, 'ten', ['state', {}]);
    assert.equal(state.account.balance, 9);
    const { link, summary, events, findings } = await call(service, 'ten', ['log', { job }]);
    assert.equal(link, debug_log);
    assert.deepEqual([summary.id, summary.outcome], [job, 'converted']);
    assert.ok(events.some(({ kind, text }) => kind === 'stage' && text === 'print'));
    assert.deepEqual(findings, []);
    const metrics = await (await get(service, '/metrics', basic('boss'))).text();
    assert.match(metrics, /platen_jobs_total\{account="ten",outcome="converted",reason="0"\} 1/);
  });

  test('reports the errors of a run as the API does', async () => {
    const fields = { text: '<p>x', page_size: 'A9' };
    const events = await run(service, 'ann', fields);
    const [first, failed] = events;
    assert.ok(first?.kind === 'begun' && failed?.kind === 'failed' && events.length === 2);
    const { status, reason, message, job } = failed;
    assert.equal(job, first.job);
    const answer = await send(service, fields, { authorization: basic('ann') });
    assert.equal(`${status}.${reason} - ${message}`, answer.body.toString());
    const view = await call(service, 'ann', ['job', { id: first.job }]);
    assert.deepEqual(
      [view.outcome, view.status, view.message, view.hasDebugLog],
      ['failed', 400, message, true],
    );
    const { summary, findings } = await call(service, 'ann', ['log', { job: first.job }]);
    assert.equal(summary.failure?.text, message);
    assert.ok(findings.length > 0);
  });

  test('ends a run whose form is unreadable, and still accepts other runs', async () => {
    const init = { method: 'POST', headers: { authorization: basic('ann'), 'content-type': 'text/plain' } };
    const response = await fetch(`${service.url}/console/run`, { ...init, body: 'x'.repeat(3_000_000) });
    const events: RunEvent[] = [];
    for await (const event of eventsOf(response)) events.push(event);
    const last = events.at(-1);
    assert.ok(last?.kind === 'failed' && last.reason === 302);
    assert.equal(outcomeOf(await run(service, 'ann', { text: 'x' })).pages, 1);
  });

  test(
    'frees the only window immediately if a run is cancelled, and does not charge the run',
    { timeout: 240_000 },
    async () => {
      const before = (await call(service, 'ten', ['state', {}])).account.balance;
      const events = eventsOf(await startRun(service, 'ten', endless));
      await until(events, 'load the page');
      const busy = await call(service, 'bob', ['state', {}]);
      assert.deepEqual([busy.status, busy.working, busy.windows], ['busy', 1, 1]);
      await events.return(undefined);
      const { body } = await send(service, { text: '<p>next' }, { authorization: basic('bob') });
      assert.equal(pdfText(body), 'next');
      const [job] = await waitForJobs(service, basic('ten'), ([newest]) => newest?.outcome === 'caller gone');
      assert.equal(job?.consumed_credits, 0);
      assert.equal((await call(service, 'ten', ['state', {}])).account.balance, before);
    },
  );

  test('serves the output of a run only to its account', async () => {
    const converted = outcomeOf(await run(service, 'ann', { text: 'x' }));
    for (const user of ['bob', 'boss']) {
      const answer = await output(user, converted);
      assert.equal(answer.status, 404, user);
      assert.match(((await answer.json()) as { message: string }).message, /output of this run has expired/);
    }
    assert.equal((await fetch(`${service.url}/console/output/${converted.output}`)).status, 401);
    assert.equal((await output('ann', converted)).status, 200);
  });

  test('shows the jobs and debug logs of an account to the account itself and to operators', async () => {
    const { job } = outcomeOf(await run(service, 'ann', { text: 'x', tag: 'only ann' }));
    const jobs = async (user: string) =>
      (await call(service, user, ['jobs', { text: 'ONLY ANN' }])).jobs.map(({ id }) => id);
    assert.deepEqual([await jobs('ann'), await jobs('bob'), await jobs('boss')], [[job], [], [job]]);
    assert.equal((await expectRefusal(service, 'bob', ['job', { id: job }])).status, 404);
    assert.equal((await expectRefusal(service, 'bob', ['log', { job }])).status, 404);
    assert.equal((await expectRefusal(service, 'bob', ['jobs', { account: 'ann' }])).reason, 311);
    assert.equal((await call(service, 'boss', ['job', { id: job }])).account, 'ann');
    assert.equal((await call(service, 'boss', ['log', { job }])).summary.id, job);
    const { jobs: anns } = await call(service, 'boss', ['jobs', { account: 'ann', limit: 500 }]);
    assert.deepEqual(new Set(anns.map(({ account }) => account)), new Set(['ann']));
    const bossState = await call(service, 'boss', ['state', {}]);
    const bobState = await call(service, 'bob', ['state', {}]);
    assert.deepEqual([bossState.data, bobState.data], [service.data, undefined]);
  });

  test('responds with 404 to a request for the debug log of a job that has none', async () => {
    const { headers } = await send(service, { text: 'x' }, { authorization: basic('bob') });
    const job = headers.get('x-service-job-id') ?? '';
    const { status, message } = await expectRefusal(service, 'bob', ['log', { job }]);
    assert.equal(status, 404);
    assert.match(message, /has no debug log/);
  });

  test('filters jobs by their outcome', async () => {
    await run(service, 'bob', { text: 'x', page_size: 'A9' });
    const { jobs } = await call(service, 'bob', ['jobs', { outcome: 'failed' }]);
    assert.deepEqual(new Set(jobs.map(({ outcome }) => outcome)), new Set(['failed']));
    assert.ok(jobs.length > 0);
  });

  test('returns a base URL with the host name of the request', async () => {
    const at = service.url.replace('127.0.0.1', 'localhost');
    assert.equal((await call({ url: at }, 'ann', ['state', {}])).baseUrl, at);
  });

  test('reports the errors of a call as JSON', async () => {
    const messageOf = async (name: string, input: unknown) =>
      (await expectRefusal(service, 'ann', [name, input])).message;
    assert.match(await messageOf('jbs', {}), /did you mean jobs\?/);
    assert.match(await messageOf('jobs', { limit: 0, colour: 1 }), /limit: .*colour/);
    assert.match(await messageOf('job', { id: 'x' }), /the id of a job/);
    assert.equal((await expectRefusal(service, 'ann', ['settings', {}])).reason, 402);
    const sent = (body: string, type: string, user = 'ann') =>
      fetch(`${service.url}/console/call/jobs`, {
        method: 'POST',
        body,
        headers: { authorization: basic(user), 'content-type': type },
      });
    const secret = await sent('{"key": MARKER', 'application/json');
    assert.deepEqual([secret.status, ((await secret.json()) as { reason: number }).reason], [400, 302]);
    assert.ok(!service.log().includes('MARKER'));
    assert.equal((await sent('limit=1', 'application/x-www-form-urlencoded')).status, 400);
    // The calls that change settings have long values.
    assert.equal((await sent(`"${'x'.repeat(20_000)}"`, 'application/json')).status, 413);
    assert.equal((await sent(`"${'x'.repeat(20_000)}"`, 'application/json', 'boss')).status, 400);
    assert.equal((await sent(`"${'x'.repeat(1_100_000)}"`, 'application/json', 'boss')).status, 413);
  });

  test('refuses a run that exceeds the rate limit with 429, and fails a run without credits with 403.105', async () => {
    assert.equal((await run(service, 'often', { text: 'x' })).at(-1)?.kind, 'converted');
    const response = await startRun(service, 'often', { text: 'x' });
    assert.equal(response.status, 429);
    assert.ok(Number(response.headers.get('retry-after')) > 0);
    const { retryAfter, reason } = (await response.json()) as { retryAfter: number; reason: number };
    assert.deepEqual([retryAfter, reason], [Number(response.headers.get('retry-after')), 120]);
    const [, poor] = await run(service, 'none', { text: 'x' });
    assert.ok(poor?.kind === 'failed' && poor.reason === 105);
  });

  test('refuses requests from pages of other origins, but not from its own page or from programs', async () => {
    const requestFrom = (path: string, headers: Record<string, string>, method = 'POST') =>
      fetch(`${service.url}${path}`, {
        method,
        headers: { authorization: `Basic ${btoa('demo:demo')}`, ...headers },
      });
    const state = '/console/call/state';
    const evil = await requestFrom(state, { origin: 'http://evil.example' });
    assert.deepEqual([evil.status, ((await evil.json()) as { reason: number }).reason], [403, 403]);
    assert.equal(
      (await requestFrom(state, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })).status,
      403,
    );
    const sameOrigin = { origin: service.url, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' };
    assert.equal((await requestFrom(state, sameOrigin)).status, 200);
    const navigation = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' };
    // 404 if the console is not built.
    assert.ok([200, 404].includes((await requestFrom('/', navigation, 'GET')).status));
    const stranger = await fetch(`${service.url}/`);
    assert.equal(stranger.status, 401);
    assert.match(stranger.headers.get('www-authenticate') ?? '', /^Basic /);
    assert.equal((await requestFrom('/console/run', {}, 'PUT')).headers.get('allow'), 'POST');
  });
});

const endless = { text: '<script>for (;;);</script>' };

function outcomeOf(events: readonly RunEvent[]): Converted {
  const last = events.at(-1);
  assert.ok(last?.kind === 'converted', JSON.stringify(last));
  return last;
}

/** Reads events until the stage begins. */
async function until(events: AsyncGenerator<RunEvent, undefined>, stage: string): Promise<void> {
  for (;;) {
    const { value } = await events.next();
    if (value === undefined) assert.fail(`the stage '${stage}' has not begun`);
    if (value.kind === 'stage' && value.stage === stage) return;
  }
}
