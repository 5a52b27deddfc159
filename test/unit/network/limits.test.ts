import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { openGuard } from '../../../main/network/proxy.ts';
import { rules } from './rules.ts';
import { closed, get, getNothing, openTunnel, serve, serveEcho, serveTcpEcho } from './test-servers.ts';

const megabyte = 1_000_000;
const limited = (limits: { requests?: number; bytes?: number }) =>
  openGuard({
    rules: rules('public', { allow: '127.0.0.1' }),
    log: () => {},
    limits: { requests: Infinity, bytes: Infinity, ...limits },
  });

test('an endless response is cut off at page-size, and nothing passes until the network guard is reset', async () => {
  let sent = 0;
  const endless = http.createServer((_request, response) => {
    const writeMore = () => {
      sent += 10_000;
      response.write(Buffer.alloc(10_000), (problem) => problem ?? setImmediate(writeMore));
    };
    writeMore();
  });
  await using server = await serve(endless);
  await using echo = await serveEcho();
  await using guard = await limited({ bytes: megabyte });
  await assert.rejects(get(guard.port, `http://127.0.0.1:${server.port}/`), { code: 'ECONNRESET' });
  assert.deepEqual(guard.exceeded(), ['page-size']);
  // Bytes in the socket buffers count as sent, although they were not read.
  assert.ok(sent < 20 * megabyte, `${sent} bytes were sent`);
  await getNothing(guard.port, `http://127.0.0.1:${echo.port}/`);
  const { first } = await openTunnel(guard.port, `127.0.0.1:${echo.port}`);
  assert.equal(first, 'HTTP/1.1 403 Forbidden');
  assert.equal(echo.sockets.size, 0);
  guard.reset();
  assert.deepEqual(guard.exceeded(), []);
  assert.equal((await get(guard.port, `http://127.0.0.1:${echo.port}/`)).status, 200);
});

test('bytes of all connections, in both directions, count together towards page-size', async () => {
  await using server = await serveTcpEcho();
  await using guard = await limited({ bytes: megabyte });
  const tunnels = await Promise.all([1, 2, 3].map(() => openTunnel(guard.port, `127.0.0.1:${server.port}`)));
  for (const { socket } of tunnels) socket.resume().write(Buffer.alloc(200_000));
  await Promise.all(tunnels.map(({ socket }) => closed(socket)));
  assert.deepEqual(guard.exceeded(), ['page-size']);
});

for (const [how, lines] of Object.entries({
  'in a plain request': (port: number) => `POST http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: a\r\n`,
  'through a tunnel': (port: number) => `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: a\r\n`,
}))
  test(`bytes sent ${how} to a silent server count towards page-size`, async () => {
    await using server = await serve(createServer((socket) => socket.resume()));
    await using guard = await limited({ bytes: megabyte });
    const socket = connect(guard.port, '127.0.0.1').on('error', () => {});
    socket.resume().write(`${lines(server.port)}Content-Length: 100000000\r\n\r\n`);
    const writeMore = () =>
      socket.write(Buffer.alloc(10_000), (problem) => problem ?? setImmediate(writeMore));
    writeMore();
    await closed(socket);
    assert.deepEqual(guard.exceeded(), ['page-size']);
  });

test('the headers of early hints (RFC 8297) count towards page-size', async () => {
  const hints = createServer((socket) => {
    const hint = `HTTP/1.1 103 Early Hints\r\nLink: <${'a'.repeat(1000)}>\r\n\r\n`;
    const writeMore = () => socket.write(hint, (problem) => problem ?? setImmediate(writeMore));
    socket.once('data', writeMore);
  });
  await using server = await serve(hints);
  await using guard = await limited({ bytes: megabyte });
  await assert.rejects(get(guard.port, `http://127.0.0.1:${server.port}/`), { code: 'ECONNRESET' });
  assert.deepEqual(guard.exceeded(), ['page-size']);
});

test('a response below the limit arrives complete', async () => {
  const body = 'x'.repeat(900_000);
  await using server = await serve(http.createServer((_request, response) => response.end(body)));
  await using guard = await limited({ bytes: megabyte });
  assert.equal((await get(guard.port, `http://127.0.0.1:${server.port}/`)).body, body);
  assert.deepEqual(guard.exceeded(), []);
});

test('an unused tunnel (preconnect) counts as a request, and requests beyond page-requests are refused', async () => {
  await using echo = await serveEcho();
  await using guard = await limited({ requests: 3 });
  for (let n = 0; n < 2; n += 1) await get(guard.port, `http://127.0.0.1:${echo.port}/`);
  const { first, socket } = await openTunnel(guard.port, `127.0.0.1:${echo.port}`);
  assert.equal(first, 'HTTP/1.1 200 Connection established');
  const ended = once(socket, 'close');
  socket.destroy();
  await ended;
  assert.deepEqual(guard.exceeded(), []);
  await getNothing(guard.port, `http://127.0.0.1:${echo.port}/`);
  assert.match((await openTunnel(guard.port, `127.0.0.1:${echo.port}`)).first, /403/);
  assert.deepEqual(guard.exceeded(), ['page-requests']);
});
