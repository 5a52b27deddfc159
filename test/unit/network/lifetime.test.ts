import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import http from 'node:http';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { openGuard, type Resolve } from '../../../main/network/proxy.ts';
import { rules } from './rules.ts';
import { closed, get, getNothing, openTunnel, serve, serveEcho, serveTcpEcho } from './test-servers.ts';

const loopbackRules = rules('public', { allow: '127.0.0.1' });

// Must run first, because sockets of other tests would still be closing.
test('a disposed network guard leaves no handle, even with open connections', async () => {
  await using server = await serveTcpEcho();
  const quiet = http.createServer(() => {});
  await using silent = await serve(quiet);
  const before = sockets();
  const guard = await openGuard({ rules: loopbackRules, log: () => {} });
  const { socket } = await openTunnel(guard.port, `127.0.0.1:${server.port}`);
  const arrived = once(quiet, 'request');
  const waiting = get(guard.port, `http://127.0.0.1:${silent.port}/`);
  const refused = assert.rejects(waiting, { code: 'ECONNRESET' });
  await arrived;
  const far = only(server.sockets);
  await guard[Symbol.asyncDispose]();
  await Promise.all([closed(socket), closed(far), refused, ...[...silent.sockets].map(closed)]);
  // getActiveResourcesInfo drops a closed handle one event-loop turn later.
  await setImmediate();
  assert.deepEqual(sockets(), before);
  await assert.rejects(get(guard.port, 'http://a.example/'), { code: 'ECONNREFUSED' });
});

test('a reset of the network guard deletes the refusals and ends every connection of the previous job', async () => {
  await using server = await serveTcpEcho();
  await using guard = await openGuard({ rules: loopbackRules, log: () => {} });
  await getNothing(guard.port, 'http://[::1]/');
  assert.equal(guard.refusals().length, 1);
  const { socket } = await openTunnel(guard.port, `127.0.0.1:${server.port}`);
  const far = only(server.sockets);
  guard.reset();
  await Promise.all([closed(socket), closed(far)]);
  assert.deepEqual(guard.refusals(), []);
});

test('a reset of the network guard ends keep-alive connections, and the next job is served', async () => {
  await using server = await serveEcho();
  await using guard = await openGuard({ rules: loopbackRules, log: () => {} });
  await get(guard.port, `http://127.0.0.1:${server.port}/`);
  const idle = only(server.sockets);
  guard.reset();
  await closed(idle);
  assert.equal((await get(guard.port, `http://127.0.0.1:${server.port}/`)).status, 200);
});

test('a host name that is still being resolved at a reset of the network guard is neither connected to nor recorded', async () => {
  await using server = await serveEcho();
  const logged: unknown[] = [];
  let answer = () => {};
  const resolver = new EventEmitter();
  const resolve: Resolve = () => {
    resolver.emit('lookup');
    return new Promise((settle) => {
      answer = () => {
        settle([{ address: '127.0.0.1', family: 4 }]);
      };
    });
  };
  await using guard = await openGuard({
    rules: rules('public'),
    log: (refusal) => logged.push(refusal),
    resolve,
  });
  const lookup = once(resolver, 'lookup');
  const request = get(guard.port, `http://late.example:${server.port}/`);
  await lookup;
  guard.reset();
  answer();
  await assert.rejects(request, { code: 'ECONNRESET' });
  assert.deepEqual([logged, guard.refusals(), server.sockets.size], [[], [], 0]);
});

test('only the first 1,000 of 1,200 refusals are kept, and 20 are logged', async () => {
  let logged = 0;
  await using guard = await openGuard({ rules: rules('public'), log: () => logged++ });
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
  const requests = Array.from({ length: 1_200 }, (_, port) =>
    getNothing(guard.port, `http://127.0.0.1:${port + 1}/`, { agent }),
  );
  await Promise.all(requests);
  agent.destroy();
  assert.deepEqual([guard.refusals().length, logged], [1_000, 20]);
});

function only(all: ReadonlySet<Socket>): Socket {
  const [first] = all;
  assert.ok(first && all.size === 1);
  return first;
}

function sockets(): readonly string[] {
  return process.getActiveResourcesInfo().filter((kind) => kind.startsWith('TCP'));
}
