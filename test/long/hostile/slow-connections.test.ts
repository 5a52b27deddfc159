import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { openConnection, readAll } from '../../support/servers/raw-connection.ts';
import { send } from '../../support/service/convert.ts';
import { basic, get, listJobs, waitForJobs, type ListedJob } from '../../support/service/job-record.ts';
import type { Service } from '../../support/service/service.ts';
import {
  assertOthersAreServed,
  sendSlowRequests,
  startSharedService,
} from '../../support/service/slow-requests.ts';
import { waitUntil } from '../../support/wait-until.ts';

test(
  'a thousand slow requests of an account block neither health checks nor other accounts',
  { timeout: 300_000 },
  async () => {
    await using service = await startSharedService();
    using slow = await sendSlowRequests(service, 1000, { kept: 500 });
    await assertOthersAreServed(service, 41);
    assert.ok(slow.ended() <= 600, `${slow.ended()} ended, although the account may have 500`);
  },
);

/** Starts a request with its account's key, and returns its connection. */
function begin(service: Service, lines: readonly string[], body = ''): Socket {
  const socket = openConnection(service);
  socket.write([...lines, 'Host: x', `Authorization: ${basic('ann')}`, '', body].join('\r\n'));
  return socket;
}

describe('With its real timeouts, the service', { concurrency: true }, () => {
  let service: Service;
  before(async () => {
    service = await startSharedService();
  });
  after(() => service[Symbol.asyncDispose]());

  for (const [what, path, type, body] of [
    ['a console call', '/console/call/state', 'application/json', '{"a":'],
    ['a console run', '/console/run', 'application/x-www-form-urlencoded', 'text=x'],
    ['a conversion', '/convert/24.04/', 'application/x-www-form-urlencoded', 'text=x'],
    ['a conversion with a file', '/convert/24.04/', 'multipart/form-data; boundary=b', '--b\r\n'],
    ['an asynchronous job', '/jobs', 'application/x-www-form-urlencoded', 'text=x'],
  ] as const)
    test(`ends the request of ${what} with 408.408 when its body stalls`, { timeout: 120_000 }, async () => {
      const head = [`POST ${path} HTTP/1.1`, `Content-Type: ${type}`, 'Content-Length: 900000'];
      const received = await readAll(begin(service, head, body));
      assert.match(received, /408\.408 - |"status":408/);
      assert.match(received, /No bytes of the request arrived for 30 seconds/);
    });

  test(
    'disconnects a caller who does not read its output, and charges nothing',
    { timeout: 240_000 },
    async () => {
      const fields = { text: largePage, output_format: 'bmp', tag: 'unread' };
      const body = new URLSearchParams(fields).toString();
      const type = 'Content-Type: application/x-www-form-urlencoded';
      const socket = begin(
        service,
        ['POST /convert/24.04/ HTTP/1.1', type, `Content-Length: ${body.length}`],
        body,
      );
      await once(socket, 'readable');
      let jobs: readonly ListedJob[] = [];
      const hasEnded = async () => {
        ({ jobs } = await listJobs(service, basic('ann')));
        return jobs.some(({ tag, outcome }) => tag === 'unread' && outcome !== null);
      };
      await waitUntil('the job has ended', hasEnded, 200_000);
      const job = jobs.find(({ tag }) => tag === 'unread');
      assert.deepEqual([job?.outcome, job?.consumed_credits], ['caller gone', 0]);
      socket.destroy();
    },
  );
});

test(
  'a caller who does not read the output of an asynchronous job is disconnected',
  { timeout: 240_000 },
  async () => {
    // While the output is being sent, the account may send no other request.
    await using service = await startSharedService('--connections-per-account', '1');
    const ann = basic('ann');
    const submitted = await send(
      service,
      { text: largePage, output_format: 'bmp' },
      { authorization: ann, path: '/jobs' },
    );
    const { id } = JSON.parse(submitted.body.toString()) as { id: string };
    await waitForJobs(service, ann, (jobs) => jobs.some((job) => job.id === id && job.state === 'done'));
    const socket = begin(service, [`GET /jobs/${id}/output HTTP/1.1`]);
    await once(socket, 'readable');
    const status = async () => (await get(service, '/jobs', ann)).status;
    assert.equal(await status(), 429);
    await waitUntil('the connection is closed', async () => (await status()) === 200, 200_000);
    const received = await readAll(socket);
    const whole = await get(service, `/jobs/${id}/output`, ann);
    assert.ok(received.length < (await whole.arrayBuffer()).byteLength);
  },
);

/** Its picture has more bytes than fit into the buffers of a connection. */
const largePage = '<body style="height: 12000px; background: linear-gradient(red, blue)">';
