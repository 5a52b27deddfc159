import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { send } from '../../support/service/convert.ts';
import {
  basic,
  get,
  listJobs,
  waitForJobs,
  openServiceDatabase,
  type ListedJob,
} from '../../support/service/job-record.ts';
import { electronOf } from '../../support/service/processes.ts';
import { startService, temporaryFolder, type Service } from '../../support/service/service.ts';
import { openSlowReader, large } from '../../support/servers/slow-reader.ts';
import { serveWeb } from '../../support/servers/web-server.ts';

describe('Job records:', () => {
  let service: Service;
  before(async () => {
    const accounts = [
      'ann:key',
      'bob:key',
      'boss:key',
      'page:key',
      'twenty:key:20',
      'five:key:5',
      'slow:key:100',
      'gone:key:100',
      'once:key',
      'often:key',
      'secret:key',
    ];
    service = await startService({
      flags: ['--accounts', accounts.join(), '--job-timeout', '20', '--network-allow', '127.0.0.1'],
    });
    await using record = await openServiceDatabase(service);
    await record.book.change('boss', { operator: true });
    await record.book.change('once', { jobsAtOnce: 1 });
    await record.book.change('often', { jobsPerMinute: 2 });
  });
  after(() => service[Symbol.asyncDispose]());
  const as = (user: string) => ({ authorization: basic(user) });
  const leftOf = async (user: string) => {
    await using record = await openServiceDatabase(service);
    return (await record.book.find(user)).balance;
  };

  test('the record of a job contains its request, result and cost, and the link to its debug log', async () => {
    const { body, headers } = await send(
      service,
      { text: '<p>é', page_size: 'A5', tag: 'bill 7', debug_log: true },
      as('ann'),
    );
    const [job] = (await listJobs(service, basic('ann'))).jobs;
    assert.ok(job);
    const { received_at, started_at, ended_at, stages, ...facts } = job;
    assert.deepEqual(facts, {
      id: headers.get('x-service-job-id'),
      state: 'done',
      account: 'ann',
      tag: 'bill 7',
      input: 'text',
      input_bytes: 5,
      output_format: 'pdf',
      parameters: { text: '(4 characters)', page_size: 'A5', tag: 'bill 7', debug_log: 'true' },
      outcome: 'converted',
      status: 200,
      reason: 0,
      message: null,
      output_bytes: body.length,
      pages: 1,
      total_pages: 1,
      consumed_credits: 1,
      debug_log: headers.get('x-service-debug-log'),
      priority: null,
      callback_url: null,
      keep: null,
      expires_at: null,
      batch: null,
      row: null,
      progress: null,
    });
    assert.equal(started_at, received_at);
    assert.ok(Date.parse(received_at) <= Date.parse(ended_at ?? ''));
    assert.ok((stages?.print ?? 0) > 0);
    assert.equal((await fetch(job.debug_log ?? '')).status, 200);
    const single = await get(service, `/jobs/${job.id}`, basic('ann'));
    assert.deepEqual(await single.json(), job);
  });

  test('the record of a failed job contains the error that the client received, also for an unreadable form', async () => {
    const failed = await send(service, { text: 'x', page_size: 'A9' }, as('bob'));
    const { status } = await fetch(`${service.url}/convert/24.04/`, {
      method: 'POST',
      body: 'x',
      headers: { authorization: basic('bob'), 'content-type': 'text/plain' },
    });
    assert.equal(status, 400);
    const { jobs } = await listJobs(service, basic('bob'));
    assert.deepEqual(
      jobs.map((job) => [job.outcome, job.status, job.reason, job.consumed_credits]),
      [
        ['failed', 400, 302, 0],
        ['failed', 400, 311, 0],
      ],
    );
    assert.equal(failed.body.toString(), `400.311 - ${jobs[1]?.message ?? ''}`);
    assert.deepEqual(jobs[1]?.parameters, { text: '(1 character)', page_size: 'A9' });
  });

  test('a record contains no secrets of the request', async () => {
    const secrets = {
      url: 'http://user:MARKER1@127.0.0.1:9/?token=MARKER2',
      cookies: 'sid=MARKER3',
      custom_http_header: 'X-Key: MARKER4',
      http_auth_user_name: 'MARKER5',
      http_auth_password: 'MARKER6',
      user_password: 'MARKER7',
      owner_password: 'MARKER8',
      header_html: 'MARKER9',
      data_string: '{"a": "MARKER10"}',
      pasword: 'MARKER11',
    };
    await send(service, secrets, as('secret'));
    const { pasword, ...known } = secrets;
    assert.ok(pasword);
    await send(service, known, as('secret'));
    const text = await (await get(service, '/jobs', basic('secret'))).text();
    const { jobs } = await listJobs(service, basic('secret'));
    assert.equal(jobs.length, 2);
    assert.doesNotMatch(text, /MARKER/);
    assert.equal(jobs[0]?.parameters?.cookies, '***');
  });

  test('records are read page by page, the newest first', async () => {
    const sent: (string | null)[] = [];
    for (let n = 0; n < 5; n += 1)
      sent.unshift((await send(service, { text: '' }, as('page'))).headers.get('x-service-job-id'));
    const read: string[][] = [];
    for (let before: string | null = ''; before !== null;) {
      const { jobs, next } = await listJobs(
        service,
        basic('page'),
        `?limit=2${before && `&before=${before}`}`,
      );
      read.push(jobs.map(({ id }) => id));
      before = next;
    }
    assert.deepEqual(read, [sent.slice(0, 2), sent.slice(2, 4), sent.slice(4)]);
    const lastPage = await listJobs(service, basic('page'), '?limit=5');
    assert.equal(lastPage.next, null);
  });

  test('an account can read only the records of its own jobs, and an operator can read all records', async () => {
    const { headers } = await send(service, { text: 'x' }, as('ann'));
    const id = headers.get('x-service-job-id') ?? '';
    assert.equal((await get(service, `/jobs/${id}`, basic('bob'))).status, 404);
    assert.ok((await listJobs(service, basic('bob'))).jobs.every(({ account }) => account === 'bob'));
    assert.equal((await get(service, `/jobs/${id}`, basic('boss'))).status, 200);
    assert.ok((await listJobs(service, basic('boss'))).jobs.some((job) => job.id === id));
    const { jobs } = await listJobs(service, basic('boss'), '?account=bob');
    assert.deepEqual([...new Set(jobs.map(({ account }) => account))], ['bob']);
    assert.equal((await fetch(`${service.url}/jobs`)).status, 401);
  });

  test('a wrong query is refused with 400.311 and the name of the parameter, or with 400.303', async () => {
    for (const [query, name] of [
      ['limit=0', 'limit'],
      ['limit=501', 'limit'],
      ['limit=1&limit=2', 'limit'],
      ['before=yesterday', 'before'],
      ['account=ann', 'account'],
    ] as const) {
      const answer = await get(service, `/jobs?${query}`, basic('bob'));
      assert.match(await answer.text(), new RegExp(`^400\\.311 - The value '.*' of ${name} is not allowed`));
    }
    const nobody = await get(service, '/jobs?account=nobody', basic('boss'));
    assert.match(await nobody.text(), /^400\.311 - The value 'nobody' of account/);
    const unknown = await get(service, '/jobs?limt=3', basic('bob'));
    assert.match(await unknown.text(), /^400\.303 - .*did you mean limit\?/);
    const state = await get(service, '/jobs?state=late', basic('bob'));
    assert.match(await state.text(), /^400\.311 - The value 'late' of state .* queued, running, done/);
    const put = await fetch(`${service.url}/jobs`, { method: 'PUT', headers: as('bob') });
    assert.deepEqual([put.status, put.headers.get('allow')], [405, 'GET, POST']);
  });

  test('of 200 simultaneous requests, exactly as many succeed as there are credits', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => send(service, { text: 'x' }, as('twenty'))),
    );
    const codes = answers.map(({ status, headers }) => `${status}.${headers.get('x-service-reason-code')}`);
    assert.equal(codes.filter((code) => code === '200.0').length, 20);
    assert.equal(codes.filter((code) => code === '403.105').length, 180);
    assert.equal(await leftOf('twenty'), 0);
  });

  test('a job whose output costs more than the balance fails with 403.105, without a charge', async () => {
    const dear = await send(service, large, as('five'));
    assert.match(dear.body.toString(), /^403\.105 - The output costs 64 credits and the account has 5 left/);
    assert.equal(await leftOf('five'), 5);
    const cheap = await send(service, { text: 'x' }, as('five'));
    assert.equal(cheap.headers.get('x-service-remaining-credits'), '4');
  });

  test('a client that reads slowly is charged only when it has received the complete response', async () => {
    const { socket, body } = await openSlowReader(service, basic('slow'));
    await waitForJobs(service, basic('slow'), ([job]) => job?.output_bytes !== null && job !== undefined);
    assert.equal(await leftOf('slow'), 100);
    assert.equal(await body(), 31_500_017);
    socket.destroy();
    await waitForJobs(service, basic('slow'), ([job]) => job?.outcome === 'converted');
    assert.equal(await leftOf('slow'), 36);
  });

  test('a client that disconnects during the response is not charged', async () => {
    const { socket } = await openSlowReader(service, basic('gone'));
    socket.destroy();
    const [job] = await waitForJobs(service, basic('gone'), ([first]) => hasEnded(first));
    assert.deepEqual([job?.outcome, job?.status, job?.consumed_credits], ['caller gone', null, 0]);
    assert.equal(await leftOf('gone'), 100);
  });

  test('too many simultaneous jobs, or jobs per minute, get 429.120 with Retry-After, and have no record', async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    await using site = await serveWeb({ '/': (_, page) => void gate.then(() => page.end('<p>x')) });
    const running = send(service, { url: site.url }, as('once'));
    await waitForJobs(service, basic('once'), (jobs) => jobs.length === 1);
    const second = await send(service, { text: 'x' }, as('once'));
    assert.match(second.body.toString(), /^429\.120 - .* limit of 1 concurrent jobs/);
    assert.equal(second.headers.get('retry-after'), '1');
    open();
    assert.equal((await running).status, 200);
    assert.equal((await send(service, { text: 'x' }, as('once'))).status, 200);
    assert.equal((await listJobs(service, basic('once'))).jobs.length, 2);
    for (const status of [200, 200, 429]) {
      const answer = await send(service, { text: 'x' }, as('often'));
      assert.equal(answer.status, status);
      const wait = Number(answer.headers.get('retry-after') ?? 60);
      assert.ok(wait > 50 && wait <= 60);
    }
  });
});

const hasEnded = (job: ListedJob | undefined) => job !== undefined && job.outcome !== null;

describe('A service that was killed and restarted', () => {
  const data = temporaryFolder();
  const flags = ['--accounts', 'ann:key:3,bob:key,zoe:key', '--restart', 'off'];
  let restarted: Service;
  const logs: string[] = [];
  before(async () => {
    const killed = await startService({ data, flags });
    for (const user of ['bob', 'zoe', 'bob', 'bob']) {
      const sent = await send(killed, { text: 'x', debug_log: true }, { authorization: basic(user) });
      logs.push(new URL(sent.headers.get('x-service-debug-log') ?? '').pathname);
      await waitForJobs(killed, basic(user), ([job]) => hasEnded(job));
    }
    const slow = { text: '<script></script>', javascript_delay: 5000, tag: 'slow' };
    const cut = send(killed, slow, { authorization: basic('ann') }).catch(() => 'cut');
    await waitForJobs(killed, basic('ann'), ([job]) => job?.tag === 'slow');
    const ended = new Promise((resolve) => killed.process.once('exit', resolve));
    process.kill(electronOf(killed), 'SIGKILL');
    await ended;
    assert.equal(await cut, 'cut');
    restarted = await startService({ data, flags: [...flags, '--jobs-keep', '1'] });
  });
  after(() => restarted[Symbol.asyncDispose]());

  test('records the running job as interrupted, and releases its credits', async () => {
    const [job] = (await listJobs(restarted, basic('ann'))).jobs;
    assert.deepEqual([job?.outcome, job?.status, job?.ended_at], ['interrupted', null, null]);
    assert.match(job?.message ?? '', /ended before the job/);
    const { headers } = await send(restarted, { text: 'x' }, { authorization: basic('ann') });
    assert.equal(headers.get('x-service-remaining-credits'), '2');
  });

  test('keeps the latest records of each account, as many as jobs-keep, with their debug logs', async () => {
    for (const user of ['bob', 'zoe'])
      assert.equal((await listJobs(restarted, basic(user))).jobs.length, 1, user);
    const statuses = logs.map(async (path) => (await fetch(`${restarted.url}${path}`)).status);
    assert.deepEqual(await Promise.all(statuses), [404, 200, 404, 200]);
  });
});
