import assert from 'node:assert/strict';
import http from 'node:http';
import { describe, test } from 'node:test';
import {
  openGuard,
  type GuardOptions,
  type GuardRefusal,
  type Resolve,
} from '../../../main/network/proxy.ts';
import { resolverFor, rules } from './rules.ts';
import {
  closed,
  get,
  getNothing,
  nextText,
  openTunnel,
  serve,
  serveEcho,
  serveTcpEcho,
} from './test-servers.ts';

const guardOf = (options: Partial<GuardOptions>) =>
  openGuard({ rules: rules('intranet'), log: () => {}, ...options });

describe('a plain request', () => {
  test('reaches a server that an exception allows, with its method, path, query and body unchanged', async () => {
    await using server = await serveEcho();
    await using guard = await guardOf({ rules: rules('offline', { allow: `127.0.0.1:${server.port}` }) });
    const url = `http://127.0.0.1:${server.port}/a%20b?c=d`;
    const answer = await get(guard.port, url, { method: 'POST', body: 'hello' });
    assert.equal(answer.status, 200);
    assert.equal(answer.body, `POST 127.0.0.1:${server.port}/a%20b?c=d hello`);
    assert.deepEqual(guard.refusals(), []);
  });

  test('is refused without an exception: the connection closes without a response and is logged once', async () => {
    await using server = await serveEcho();
    const logged: GuardRefusal[] = [];
    await using guard = await guardOf({ log: (refusal) => logged.push(refusal) });
    await getNothing(guard.port, `http://127.0.0.1:${server.port}/`);
    const expected = {
      host: '127.0.0.1',
      port: server.port,
      address: '127.0.0.1',
      why: 'the policy intranet does not allow loopback addresses',
    };
    assert.deepEqual(logged, [expected]);
    assert.deepEqual(guard.refusals(), [expected]);
    assert.equal(server.sockets.size, 0);
  });

  test('is refused if the target is this service, even if an exception allows the whole network', async () => {
    await using server = await serveEcho();
    const serviceEndpoints = () => ({
      addresses: new Set<string>(),
      guards: new Set<number>(),
      service: server.port,
    });
    await using guard = await guardOf({ rules: rules('public', { allow: '127.0.0.0/8' }), serviceEndpoints });
    await getNothing(guard.port, `http://127.0.0.1:${server.port}/`);
    assert.deepEqual(
      guard.refusals().map(({ why }) => why),
      ['the target is this service'],
    );
  });

  test('to the same host reuses the connection and the DNS lookup', async () => {
    await using server = await serveEcho();
    let connections = 0;
    const resolve = resolverFor({ 'a.example': ['127.0.0.1'] });
    await using guard = await guardOf({ rules: rules('public', { allow: 'a.example' }), resolve });
    using agent = disposable(new http.Agent({ keepAlive: true }));
    for (let turn = 0; turn < 3; turn++) {
      await get(guard.port, `http://a.example:${server.port}/${turn}`, { agent: agent.value });
      connections = Math.max(connections, server.sockets.size);
    }
    assert.deepEqual([resolve.lookups, connections], [['a.example'], 1]);
  });

  test('ends without a response if the name does not resolve or the port is closed, and gets status 400 if its URL is not an http: URL', async () => {
    await using guard = await guardOf({
      rules: rules('public', { allow: '127.0.0.1' }),
      resolve: resolverFor({}),
    });
    const server = await serveEcho();
    await server[Symbol.asyncDispose]();
    await getNothing(guard.port, 'http://no.example/');
    await getNothing(guard.port, 'http://0x7f../');
    await getNothing(guard.port, `http://127.0.0.1:${server.port}/`);
    assert.equal((await get(guard.port, 'https://a.example/')).status, 400);
    assert.equal((await get(guard.port, 'http://a.example/', { path: '/' })).status, 400);
    assert.deepEqual(guard.refusals(), []);
  });

  test('is forwarded without hop-by-hop headers, with the Host of its URL', async () => {
    await using server = await serve(
      http.createServer((request, response) => response.end(JSON.stringify(request.headers))),
    );
    await using guard = await guardOf({ rules: rules('public', { allow: '127.0.0.1' }) });
    const headers = {
      Host: 'evil.example',
      'Proxy-Authorization': 'x',
      Connection: 'x-own',
      'X-Own': '1',
      'X-Kept': '2',
    };
    const { body } = await get(guard.port, `http://127.0.0.1:${server.port}/`, { headers });
    const received = JSON.parse(body) as http.IncomingHttpHeaders;
    const expected = { host: `127.0.0.1:${server.port}`, 'x-kept': '2', connection: 'keep-alive' };
    assert.deepEqual(received, expected);
  });

  test('fails when its response breaks off', async () => {
    await using server = await serve(
      http.createServer((request, response) => {
        response.writeHead(200, { 'Content-Length': 1000 });
        response.write('half', () => request.socket.destroy());
      }),
    );
    await using guard = await guardOf({ rules: rules('public', { allow: '127.0.0.1' }) });
    await assert.rejects(get(guard.port, `http://127.0.0.1:${server.port}/`), { code: 'ECONNRESET' });
  });

  test('is repeated when the server closes the reused idle connection', async () => {
    let answers = 0;
    await using server = await serve(
      http.createServer((request, response) => {
        // Closes the connection at its second request.
        if (answers++ === 1) request.socket.destroy();
        else response.end('fine');
      }),
    );
    await using guard = await guardOf({ rules: rules('public', { allow: '127.0.0.1' }) });
    for (let turn = 0; turn < 2; turn++) {
      assert.equal((await get(guard.port, `http://127.0.0.1:${server.port}/`)).body, 'fine');
    }
    assert.equal(answers, 3);
  });

  test('that is redirected to a refused address is refused when the browser follows the redirect', async () => {
    await using server = await serve(
      http.createServer((_request, response) => {
        response.writeHead(302, { Location: 'http://169.254.169.254/latest/meta-data/' }).end();
      }),
    );
    await using guard = await guardOf({ rules: rules('intranet', { allow: `127.0.0.1:${server.port}` }) });
    const { status, headers } = await get(guard.port, `http://127.0.0.1:${server.port}/`);
    assert.equal(status, 302);
    await getNothing(guard.port, headers.location ?? '');
    assert.equal(guard.refusals()[0]?.address, '169.254.169.254');
  });
});

describe('a tunnel', () => {
  test('carries bytes both ways to a server that an exception allows', async () => {
    await using server = await serveTcpEcho();
    await using guard = await guardOf({ rules: rules('public', { allow: '127.0.0.1' }) });
    const { socket, first } = await openTunnel(guard.port, `127.0.0.1:${server.port}`);
    assert.equal(first, 'HTTP/1.1 200 Connection established');
    socket.write('ping');
    assert.equal(await nextText(socket), 'ping');
  });

  test('to a loopback address is refused in any notation', async () => {
    await using guard = await guardOf({});
    for (const host of [
      '127.0.0.1',
      '0x7f.1',
      '2130706433',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[64:ff9b::7f00:1]',
    ]) {
      const { socket, first } = await openTunnel(guard.port, `${host}:443`);
      assert.equal(first, 'HTTP/1.1 403 Forbidden', host);
      socket.destroy();
    }
    assert.equal(guard.refusals().length, 6);
  });

  test('gets status 502 if the name does not resolve, and 400 if the target has no port', async () => {
    await using guard = await guardOf({ resolve: resolverFor({}) });
    assert.match((await openTunnel(guard.port, 'no.example:443')).first, / 502 /);
    assert.match((await openTunnel(guard.port, 'no.example')).first, / 400 /);
  });

  test('ends on both sides when either side closes', async () => {
    await using server = await serveTcpEcho();
    await using guard = await guardOf({ rules: rules('public', { allow: '127.0.0.1' }) });
    const browserCloses = await openTunnel(guard.port, `127.0.0.1:${server.port}`);
    const [far] = server.sockets;
    assert.ok(far);
    browserCloses.socket.destroy();
    await closed(far.resume());
    const serverCloses = await openTunnel(guard.port, `127.0.0.1:${server.port}`);
    for (const socket of server.sockets) socket.destroy();
    await closed(serverCloses.socket);
  });
});

describe('DNS resolution', () => {
  const skip = process.platform === 'darwin' && 'macOS has only one loopback address, 127.0.0.1';
  const resolvedOnce =
    'a name is resolved once per connection, and the connection goes to the address that was checked';
  test(resolvedOnce, { skip }, async () => {
    await using server = await serveTcpEcho();
    let lookups = 0;
    // DNS rebinding: the first lookup returns an allowed address (like a public one), later lookups another address.
    const resolve: Resolve = () =>
      Promise.resolve([{ address: lookups++ === 0 ? '127.0.0.2' : '127.0.0.1', family: 4 }]);
    await using guard = await guardOf({ rules: rules('public', { allow: '127.0.0.2' }), resolve });
    // 127.0.0.2 has no listener, so a successful tunnel would mean a second lookup.
    assert.match((await openTunnel(guard.port, `rebind.example:${server.port}`)).first, / 502 /);
    assert.equal(lookups, 1);
    assert.match((await openTunnel(guard.port, `rebind.example:${server.port}`)).first, / 403 /);
    assert.equal(lookups, 2);
  });

  test('a name is refused if one of its addresses is refused', async () => {
    await using guard = await guardOf({ resolve: resolverFor({ 'a.example': ['8.8.8.8', '127.0.0.1'] }) });
    assert.match((await openTunnel(guard.port, 'a.example:443')).first, / 403 /);
  });

  test('the addresses of an allowed name are tried in turn until one responds', { skip }, async () => {
    await using server = await serveEcho('127.0.0.3');
    const resolve = resolverFor({ 'a.example': ['::1', '127.0.0.2', '127.0.0.3'] });
    await using guard = await guardOf({ rules: rules('public', { allow: 'a.example' }), resolve });
    assert.equal((await get(guard.port, `http://a.example:${server.port}/`)).status, 200);
  });

  test('under offline the resolver is not called for a name without an exception', async () => {
    const resolve = resolverFor({ 'a.example': ['8.8.8.8'] });
    await using guard = await guardOf({ rules: rules('offline', { allow: '10.0.0.0/8' }), resolve });
    await getNothing(guard.port, 'http://a.example/');
    assert.deepEqual([resolve.lookups, guard.refusals().length], [[], 1]);
  });
});

function disposable<T extends { destroy(): void }>(value: T) {
  return {
    value,
    [Symbol.dispose]() {
      value.destroy();
    },
  };
}
