import assert from 'node:assert/strict';
import http from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { openGuard, type GuardOptions } from '../../../main/network/proxy.ts';
import { resolverFor, rules } from './rules.ts';
import { closed, get, getNothing, nextText, openTunnel, serve, serveTcpEcho } from './test-servers.ts';

/** Starts an upstream proxy with a password. It responds to plain requests itself, and connects every tunnel to one port. */
async function serveUpstream(tunnelsTo = 0) {
  const requests: string[] = [];
  const isAuthorized = (request: http.IncomingMessage) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    return request.headers['proxy-authorization'] === `Basic ${btoa('me:p@ss')}`;
  };
  const server = http.createServer((request, response) => {
    response.writeHead(isAuthorized(request) ? 200 : 407).end('from upstream');
  });
  server.on('connect', (request: http.IncomingMessage, socket: Socket) => {
    if (!isAuthorized(request)) return void socket.end('HTTP/1.1 407 Who\r\n\r\n');
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    socket.pipe(connect(tunnelsTo, '127.0.0.1').on('error', () => {})).pipe(socket);
  });
  return Object.assign(await serve(server), { requests });
}

const guardOf = (port: number, options: Partial<GuardOptions>) =>
  openGuard({
    rules: rules('intranet'),
    log: () => {},
    upstreamProxy: new URL(`http://me:p%40ss@127.0.0.1:${port}`),
    resolve: resolverFor({ 'a.example': ['8.8.8.8'], 'in.example': ['127.0.0.1'] }),
    ...options,
  });

test('with an upstream proxy, allowed requests and tunnels go through it by name, with its password', async () => {
  await using server = await serveTcpEcho();
  await using upstream = await serveUpstream(server.port);
  await using guard = await guardOf(upstream.port, {});
  assert.equal((await get(guard.port, 'http://a.example/x?y')).body, 'from upstream');
  const { socket, first } = await openTunnel(guard.port, 'a.example:443');
  assert.match(first, / 200 /);
  socket.write('ping');
  assert.equal(await nextText(socket), 'ping');
  assert.deepEqual(upstream.requests, ['GET http://a.example/x?y', 'CONNECT a.example:443']);
});

test('with an upstream proxy, a name with a refused address is not sent to it', async () => {
  await using upstream = await serveUpstream();
  await using guard = await guardOf(upstream.port, {});
  await getNothing(guard.port, 'http://in.example/');
  assert.match((await openTunnel(guard.port, 'in.example:443')).first, / 403 /);
  assert.match((await openTunnel(guard.port, '0x7f.1:443')).first, / 403 /);
  assert.deepEqual([upstream.requests, guard.refusals().length], [[], 3]);
});

test('under the policy intranet, a name that only the upstream proxy resolves is allowed, except localhost and metadata names', async () => {
  await using upstream = await serveUpstream();
  await using guard = await guardOf(upstream.port, {});
  assert.equal((await get(guard.port, 'http://far.example/')).status, 200);
  const local = ['localhost', 'x.localhost', 'metadata.google.internal'];
  for (const name of local) {
    await getNothing(guard.port, `http://${name}/`);
  }
  assert.deepEqual(
    guard.refusals().map(({ host }) => host),
    local,
  );
});

test('under the policy public, a name that only the upstream proxy resolves needs an exception', async () => {
  await using upstream = await serveUpstream();
  await using guard = await guardOf(upstream.port, { rules: rules('public', { allow: 'named.example' }) });
  await getNothing(guard.port, 'http://far.example/');
  assert.deepEqual([upstream.requests, guard.refusals().length], [[], 1]);
  assert.equal((await get(guard.port, 'http://named.example/')).status, 200);
});

test('with a wrong upstream password, requests fail and the browser gets no 407', async () => {
  await using upstream = await serveUpstream();
  const upstreamProxy = new URL(`http://me:wrong@127.0.0.1:${upstream.port}`);
  await using guard = await guardOf(upstream.port, { upstreamProxy });
  await getNothing(guard.port, 'http://a.example/');
  assert.match((await openTunnel(guard.port, 'a.example:443')).first, / 502 /);
});

test('an upstream proxy with the scheme socks5: is rejected when the network guard opens', async () => {
  await assert.rejects(guardOf(1, { upstreamProxy: new URL('socks5://127.0.0.1:1') }), TypeError);
});

for (const [what, answer] of Object.entries({
  'closes without a response': '',
  'sends garbage': '\x00\xff\x16garbage\r\n\r\n',
  'closes in the middle of its headers': 'HTTP/1.1 200 OK\r\nContent-Ty',
  'sends endless headers': `HTTP/1.1 200 OK\r\nA: ${'a'.repeat(400_000)}\r\n`,
  'wants a password': 'HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n',
}))
  test(`requests through an upstream proxy that ${what} fail, and the network guard keeps working`, async () => {
    await using upstream = await serve(
      createServer((socket) => socket.once('data', () => socket.end(answer, 'latin1'))),
    );
    await using guard = await guardOf(upstream.port, {});
    for (let n = 0; n < 2; n += 1) {
      await getNothing(guard.port, 'http://a.example/');
      assert.match((await openTunnel(guard.port, 'a.example:443')).first, /^HTTP\/1\.1 502 /);
    }
  });

test('connections to an upstream proxy that never responds are closed when the network guard is reset', async () => {
  await using upstream = await serve(createServer((socket) => socket.resume()));
  await using guard = await guardOf(upstream.port, {});
  const waiting = getNothing(guard.port, 'http://a.example/');
  const tunnel = connect(guard.port, '127.0.0.1').on('error', () => {});
  tunnel.resume().write('CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n');
  while (upstream.sockets.size < 2) await new Promise((resolve) => setImmediate(resolve));
  const far = [...upstream.sockets];
  guard.reset();
  await Promise.all([waiting, closed(tunnel), ...far.map(closed)]);
});
