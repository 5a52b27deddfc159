import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { convert, demo, send, type ConversionResponse } from '../../support/service/convert.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { startService, type Service } from '../../support/service/service.ts';
import { serveWeb, type WebServer } from '../../support/servers/web-server.ts';
import { waitUntil } from '../../support/wait-until.ts';

const account = (name: string) => `Basic ${Buffer.from(`${name}:${name.repeat(32)}`).toString('base64')}`;
const largeAccount = account('a');
const smallAccount = account('b');

describe('With more jobs than windows and queue slots,', () => {
  let service: Service;
  let web: WebServer;
  before(async () => {
    const accounts = ['a', 'b'].map((name) => `${name}:${name.repeat(32)}`).join();
    const flags = [
      '--workers',
      '2',
      '--queue',
      '4',
      '--job-timeout',
      '10m',
      '--accounts',
      accounts,
      '--demo',
      'on',
    ];
    service = await startService({ flags: [...flags, '--network-allow', '127.0.0.1'] });
    web = await serveWeb({ '/started.js': '' });
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await web[Symbol.asyncDispose]();
  });

  test('each of 200 simultaneous callers gets a document, or 503.503 with Retry-After', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => send(service, { text: '<p>letter' })),
    );
    const refused = answers.filter(({ status }) => status === 503);
    for (const answer of refused)
      assertRefused(answer, /^503\.503 - All windows are busy and the queue is full\./);
    const served = answers.filter(({ status }) => status === 200);
    for (const { body } of served) assert.equal(pdfText(body), 'letter');
    assert.equal(served.length + refused.length, 200);
    assert.ok(served.length >= 6, `only ${served.length} documents`);
  });

  test('a full queue refuses further jobs of the account immediately', async () => {
    await using held = await holdAll();
    for (let n = 0; n < 20; n += 1) assertRefused(await send(service, letter, held.sending), /queue is full/);
    assert.equal(held.answered(), 0);
    assert.equal((await fetch(`${service.url}/ready`)).status, 503);
  });

  test('a full queue refuses an upload before it has arrived', async () => {
    await using held = await holdAll();
    const port = Number(new URL(service.url).port);
    const socket = connect(port, '127.0.0.1');
    const head = ['POST /convert/24.04/ HTTP/1.1', 'Host: x', `Authorization: ${largeAccount}`];
    const type = 'Content-Type: application/x-www-form-urlencoded';
    socket.write([...head, type, 'Content-Length: 100000000', '', 'text=x'].join('\r\n'));
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    assert.match(bytes.toString(), /^HTTP\/1\.1 503 [^]*retry-after: \d+\r\n/i);
    assert.equal(held.answered(), 0);
  });

  test('a refused job costs nothing, and has no job record', async () => {
    await using held = await holdAll();
    const { headers } = await send(service, letter, held.sending);
    const id = headers.get('x-service-job-id') ?? '';
    assert.match(id, /\w/);
    const record = await fetch(`${service.url}/jobs/${id}`, { headers: { authorization: largeAccount } });
    assert.equal(record.status, 404);
  });

  test('the newest job of an account that fills the queue is refused when a job of another account arrives', async () => {
    await using held = await holdAll();
    const sent = send(service, letter, { authorization: smallAccount });
    await held.next();
    assert.equal(held.answered(), 1);
    assertRefused(await held.next(), /an account with fewer jobs took the place/);
    held.letGo(1);
    const answer = await sent;
    assert.equal(pdfText(answer.body), 'letter');
    // The earlier jobs of the first account are still queued.
    assert.equal(held.answered(), 1);
  });

  const letter = { text: '<p>letter' };

  /** Starts six jobs of account `a`: two that never end in the windows, and four in the queue. */
  async function holdAll() {
    const before = web.requestedPaths.length;
    const callers = Array.from({ length: 6 }, () => new AbortController());
    let answered = 0;
    const sending = { authorization: largeAccount };
    const jobs: Promise<ConversionResponse>[] = [];
    const begin = async (isReady: () => boolean | Promise<boolean>, index: number) => {
      const fields = { text: `<script src="${web.url}/started.js"></script><script>for (;;);</script>` };
      const { signal } = callers[index] ?? new AbortController();
      const job = send(service, fields, { ...sending, signal });
      job.then(
        () => (answered += 1),
        () => undefined,
      );
      jobs.push(job);
      await waitUntil('the job has arrived', isReady);
    };
    for (const index of [0, 1]) await begin(() => web.requestedPaths.length > before + index, index);
    for (const index of [2, 3, 4, 5]) await begin(async () => (await waiting()) === index - 1, index);
    return {
      sending,
      answered: () => answered,
      /** Resolves with the response of the first job that gets one. */
      next: () => Promise.any(jobs),
      letGo: (count: number) => {
        callers.slice(0, count).forEach((caller) => {
          caller.abort();
        });
      },
      async [Symbol.asyncDispose]() {
        callers.forEach((caller) => {
          caller.abort();
        });
        await Promise.allSettled(jobs);
        assert.equal(pdfText(await convert(service, { text: 'alive' })), 'alive');
        while ((await metric('platen_windows', 'working')) > 0) continue;
      },
    };
  }

  const waiting = () => metric('platen_queue_length');

  /** Returns the sum of the metric's series whose line contains the word. */
  async function metric(name: string, word = ''): Promise<number> {
    const answer = await fetch(`${service.url}/metrics`, { headers: { authorization: demo } });
    const lines = (await answer.text()).split('\n');
    const samples = lines.filter((line) => line.startsWith(name) && line.includes(word));
    return samples.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }
});

function assertRefused({ status, headers, body }: ConversionResponse, message: RegExp): void {
  assert.equal(status, 503, body.toString());
  assert.match(body.toString(), message);
  const seconds = Number(headers.get('retry-after'));
  assert.ok(seconds >= 1 && seconds <= 60, String(seconds));
}
