import assert from 'node:assert/strict';
import { once as onceEvent } from 'node:events';
import { readdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parseResponses, openConnection, readAll } from '../../support/servers/raw-connection.ts';
import { send } from '../../support/service/convert.ts';
import { basic, waitForJobs } from '../../support/service/job-record.ts';
import { startService, type Service } from '../../support/service/service.ts';
import {
  assertOthersAreServed,
  sendSlowRequests,
  startSharedService,
} from '../../support/service/slow-requests.ts';
import { waitUntil } from '../../support/wait-until.ts';

const head = (authorization: string, ...headers: readonly string[]) =>
  [
    'POST /convert/24.04/ HTTP/1.1',
    'Host: x',
    `Authorization: ${authorization}`,
    'Content-Length: 1000',
    ...headers,
    '\r\n',
  ].join('\r\n');
const urlencoded = 'Content-Type: application/x-www-form-urlencoded';
const multipart = 'Content-Type: multipart/form-data; boundary=b';

/** Sends a byte every 50 ms until the connection is closed. */
function trickle(socket: Socket): void {
  const timer = setInterval(() => socket.write('x'), 50);
  socket.once('close', () => {
    clearInterval(timer);
  });
}

describe('A slow client', () => {
  let service: Service;
  before(async () => {
    service = await startService({ flags: ['--accounts', 'ann:key,bob:key', '--connections', '600'] });
  });
  after(() => service[Symbol.asyncDispose]());

  test(
    'does not block other uploads, even if there are hundreds of slow clients',
    { timeout: 120_000 },
    async () => {
      const refused: string[] = [];
      const unfinished = head(basic('ann'), urlencoded).replace('Length: 1000', 'Length: 600000');
      const sockets = Array.from({ length: 400 }, () =>
        openConnection(service).on('data', (bytes: Buffer) => refused.push(bytes.toString())),
      );
      for (const socket of sockets) socket.write(`${unfinished}text=`);
      // An account gets at most half of the connections; its further requests are refused immediately.
      await waitUntil('100 requests are refused', () => refused.length >= 100);
      for (const response of refused)
        assert.match(
          response,
          /^HTTP\/1\.1 429 [^]*retry-after: \d[^]*429\.120 - This account has 300 requests running/i,
        );
      const text = `<p>long<!--${'x'.repeat(700_000)}-->`;
      assert.equal((await send(service, { text }, { authorization: basic('bob') })).status, 200);
      assert.equal((await fetch(`${service.url}/health`)).status, 200);
      assert.equal((await fetch(`${service.url}/health`)).status, 200);
      assert.equal(refused.length, 100, 'some of the other connections were closed');
      for (const socket of sockets) socket.destroy();
    },
  );

  test('does not prevent conversions for other clients, even if 300 clients are slow', async () => {
    const sockets = Array.from({ length: 300 }, (_, turn) => {
      const socket = openConnection(service);
      const parts = ['', 'GET /hea', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: b\r\n', head('Bearer nothing')];
      socket.write(parts[turn % parts.length] ?? '');
      return socket;
    });
    await Promise.all(sockets.map((socket) => onceEvent(socket, 'connect')));
    for (let turn = 0; turn < 5; turn += 1) {
      assert.equal((await send(service, { text: `turn ${turn}` })).status, 200);
      assert.equal((await fetch(`${service.url}/health`)).status, 200);
    }
    assert.ok(sockets.every(({ destroyed }) => !destroyed));
    for (const socket of sockets) socket.destroy();
  });
});

for (const [limit, kept] of [
  ['50', 50],
  ['100', 90],
] as const)
  test(`an account that may use ${limit} of 100 connections blocks neither health checks nor others`, async () => {
    const limits = ['--connections', '100', '--connections-per-account', limit];
    await using service = await startSharedService(...limits);
    using _slow = await sendSlowRequests(service, 300, { kept });
    await assertOthersAreServed(service, 10);
  });

test('a slow upload fails with 408.408 at the upload timeout, and leaves no files', async () => {
  await using service = await startService({
    flags: ['--upload-timeout', '1s', '--accounts', 'ann:key:10'],
  });
  const ann = basic('ann');
  for (const [type, begin] of [
    [urlencoded, 'text='],
    [multipart, '--b\r\ncontent-disposition: form-data; name="file"; filename="a.html"\r\n\r\n'],
  ] as const) {
    const socket = openConnection(service);
    const received = readAll(socket);
    socket.write(head(ann, type) + begin);
    trickle(socket);
    const answers = parseResponses(await received);
    assert.equal(answers.length, 1);
    assert.match(answers[0]?.body ?? '', /^408\.408 - The request took longer than 1 seconds to arrive\.$/);
    assert.equal(answers[0]?.headers['x-service-reason-code'], '408');
    const [job] = await waitForJobs(service, ann, ([newest]) => newest?.outcome !== null);
    assert.deepEqual([job?.outcome, job?.status, job?.consumed_credits], ['failed', 408, 0]);
  }
  assert.deepEqual(readdirSync(join(service.data, 'work')), []);
  const converted = await send(service, { text: 'x' }, { authorization: ann });
  assert.equal(converted.headers.get('x-service-remaining-credits'), '9');
});

test('at the connection limit, the oldest idle connections are closed, with one log line', async () => {
  await using service = await startService({
    flags: ['--connections', '20', '--connections-per-address', '20'],
  });
  const idle: Socket[] = [];
  const ended: number[] = [];
  for (let turn = 0; turn < 30; turn += 1) {
    const socket = openConnection(service);
    await onceEvent(socket, 'connect');
    socket.write('GET /half');
    socket.once('close', () => ended.push(turn)).resume();
    idle.push(socket);
  }
  assert.equal((await fetch(`${service.url}/health`)).status, 200);
  assert.equal((await send(service, { text: 'there is room' })).status, 200);
  assert.ok(ended.length >= 10);
  assert.deepEqual(
    ended.toSorted((left, right) => left - right),
    ended.map((_, turn) => turn),
  );
  for (const socket of idle) socket.destroy();
  await service.stop();
  assert.equal(service.log().match(/all connections are in use/g)?.length, 1);
});
