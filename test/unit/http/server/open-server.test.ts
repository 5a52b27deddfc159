import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import pino from 'pino';
import { openCertificate } from '../../../../main/preflight/certificate.ts';
import { openConnections } from '../../../../main/http/server/connections.ts';
import { openServer } from '../../../../main/http/server/open-server.ts';
import { loadSettings } from '../../../../main/settings/load.ts';
import { parseResponses, sendRaw, openConnection, readAll } from '../../../support/servers/raw-connection.ts';
import { makeCertificates } from '../../../support/servers/certificates.ts';

async function startServer(application: RequestListener, ...flags: string[]) {
  const settings = loadSettings({ flags: ['--data', '/no/such/folder', ...flags], environment: {} });
  const certificate = await openCertificate(settings);
  const log = pino({ level: 'silent' });
  const connections = openConnections({ settings, maxConnections: settings.connections, log });
  const server = openServer(application, { settings, certificate, prefixes: ['service'], log, connections });
  // Shortens the timeouts; the interval of the server's checks stays the same.
  Object.assign(server, { headersTimeout: 100, requestTimeout: 300 });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http${certificate ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const hello: RequestListener = (_request, response) => {
  response.end('hello');
};

/** All of them may have the same address. */
const fiveConnections = ['--connections', '5', '--connections-per-address', '5'];

test('the server sends one 408.408 response if the headers or the body never end', async () => {
  await using at = await startServer((request, response) => {
    request.resume().once('end', () => response.end('never'));
  });
  const [headers, body] = await Promise.all([
    sendRaw(at, 'GET / HTTP/1.1\r\nHost: x\r\nX-Ne'),
    sendRaw(at, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nx'),
  ]);
  for (const received of [headers, body]) {
    const answers = parseResponses(received);
    assert.deepEqual([answers.length, answers[0]?.body.slice(0, 10)], [1, '408.408 - ']);
  }
});

test('the header Keep-Alive announces a much shorter timeout than the server has', async () => {
  let closesAfterMs = 0;
  const application: RequestListener = (request, response) => {
    closesAfterMs = (request.socket as unknown as { server: Server }).server.keepAliveTimeout;
    hello(request, response);
  };
  await using at = await startServer(application);
  const response = await fetch(at.url);
  const announced = /timeout=(\d+)$/.exec(response.headers.get('keep-alive') ?? '')?.[1];
  assert.ok(
    Number(announced) >= 60 && Number(announced) * 1000 + 15_000 <= closesAfterMs,
    `${announced} s, ${closesAfterMs} ms`,
  );
});

test('the server closes an unused connection without a response', async () => {
  await using at = await startServer(hello);
  assert.equal(await readAll(openConnection(at)), '');
});

test('the server sends no second response if the body fails after the response was sent', async () => {
  await using at = await startServer(hello);
  for (const rest of ['5\r\nhello', 'nonsense\r\n']) {
    const post = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    assert.equal(parseResponses(await sendRaw(at, post, rest)).length, 1);
  }
});

test('at the connection limit, the server closes an unfinished upload without credentials to serve a new client', async () => {
  let waiting = 0;
  await using at = await startServer(
    (request, response) => {
      if (request.method === 'GET') response.end('room');
      else waiting += 1;
    },
    ...fiveConnections,
  );
  const slow = Array.from({ length: 5 }, () => openConnection(at));
  const heads = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n';
  await Promise.all(slow.map((socket) => new Promise((resolve) => socket.write(heads, resolve))));
  while (waiting < 5) await new Promise((resolve) => setImmediate(resolve));
  const received = await sendRaw(at, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  assert.equal(parseResponses(received)[0]?.status, 200);
  for (const socket of slow) socket.destroy();
});

/** Creates a certificate for 127.0.0.1. Returns the flags that make the service use it. */
function certified() {
  const folder = mkdtempSync(join(tmpdir(), 'platen-server-'));
  const { cert, key } = makeCertificates().server;
  writeFileSync(join(folder, 'own.pem'), Buffer.concat([key, cert]));
  return {
    flags: ['--tls-cert', join(folder, 'own.pem')],
    [Symbol.dispose]() {
      rmSync(folder, { recursive: true });
    },
  };
}

const get = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

test('at the connection limit with TLS, the server closes connections without a handshake, and serves other clients', async () => {
  using certificates = certified();
  await using at = await startServer(hello, ...fiveConnections, ...certificates.flags);
  const plain = { url: at.url.replace('https', 'http') };
  const ended: number[] = [];
  const silent = Array.from({ length: 40 }, (_, turn) =>
    openConnection(plain)
      .on('close', () => ended.push(turn))
      .resume(),
  );
  await Promise.all(silent.map((socket) => once(socket, 'connect')));
  for (let turn = 0; turn < 3; turn += 1)
    assert.equal(parseResponses(await sendRaw(at, get))[0]?.body, 'hello');
  assert.ok(ended.length >= 35 && ended.length < 40, `${ended.length} have ended`);
  for (const socket of silent) socket.destroy();
});

test('with TLS, the server counts each client once, and keeps the connections that it is serving', async () => {
  using certificates = certified();
  const answers: (() => void)[] = [];
  await using at = await startServer(
    (_request, response) => void answers.push(() => response.end('served')),
    ...fiveConnections,
    ...certificates.flags,
  );
  const served = Array.from({ length: 4 }, () => sendRaw(at, get));
  while (answers.length < 4) await new Promise((resolve) => setImmediate(resolve));
  const plain = { url: at.url.replace('https', 'http') };
  const silent = Array.from({ length: 20 }, () => openConnection(plain).resume());
  // All except the last one, which takes the fifth connection.
  await Promise.all(silent.slice(0, -1).map((socket) => once(socket, 'close')));
  for (const answer of answers) answer();
  for (const received of await Promise.all(served)) assert.equal(parseResponses(received)[0]?.body, 'served');
  for (const socket of silent) socket.destroy();
});
