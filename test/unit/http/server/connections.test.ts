import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import pino from 'pino';
import { toFailure } from '../../../../main/failure/failure.ts';
import { openConnections } from '../../../../main/http/server/connections.ts';
import { openServer } from '../../../../main/http/server/open-server.ts';
import { loadSettings } from '../../../../main/settings/load.ts';
import { parseResponses, readAll } from '../../../support/servers/raw-connection.ts';
import { waitUntil } from '../../../support/wait-until.ts';

interface RequestSender {
  /** The account whose key the request has. `op` is an operator. */
  readonly account?: string;
  readonly localAddress?: string;
}

const accounts = ['op', 'ann', 'bob', 'cid', 'dan'];
const log = pino({ level: 'silent' });

/** Starts a server with the limits of the flags. */
async function listen(application: RequestListener, flags: readonly string[] = []) {
  const settings = loadSettings({ flags: ['--data', '/no/such/folder', ...flags], environment: {} });
  const connections = openConnections({ settings, maxConnections: settings.connections, log });
  const server: Server = openServer(application, { settings, prefixes: ['service'], log, connections });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, connections, port: (server.address() as AddressInfo).port };
}

/** Starts a server that responds to GET immediately, and never to POST. */
async function startServer(...flags: string[]) {
  let held = 0;
  const application: RequestListener = (request, response) => {
    const name = request.headers['x-account'] as string | undefined;
    if (name !== undefined)
      try {
        connections.admit(request, { id: accounts.indexOf(name), name, operator: name === 'op' });
      } catch (problem) {
        const { status, retryAfter } = toFailure(problem);
        assert.ok((retryAfter ?? 0) > 0);
        response.writeHead(status).end();
        return;
      }
    if (request.method === 'GET') response.end('hello');
    else held += 1;
  };
  const { server, connections, port } = await listen(application, flags);
  /** Opens a connection. The server has accepted it. */
  const open = async ({ localAddress = '127.0.0.1' }: RequestSender = {}) => {
    const accepted = once(server, 'connection');
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
    await Promise.all([once(socket, 'connect'), accepted]);
    return socket.resume();
  };
  const head = (method: string, { account }: RequestSender, more = '') =>
    `${method} / HTTP/1.1\r\nHost: x\r\n${account === undefined ? '' : `X-Account: ${account}\r\n`}${more}\r\n`;
  return {
    open,
    /** Sends the beginning of a body. Resolves when the server holds the request. */
    async hold(caller: RequestSender): Promise<Socket> {
      const socket = await open(caller);
      const before = held;
      socket.write(`${head('POST', caller, 'Content-Length: 9\r\n')}x`);
      await waitUntil('the request is held', () => held > before);
      return socket;
    },
    /** Returns the status of the response to a request. The body of a POST does not arrive. */
    async status(method: 'GET' | 'POST', caller: RequestSender): Promise<number | undefined> {
      const socket = await open(caller);
      const received = readAll(socket);
      socket.write(head(method, caller, method === 'GET' ? '' : 'Content-Length: 9\r\n'));
      await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      socket.destroy();
      return parseResponses(await received)[0]?.status;
    },
    /** Returns a connection that has been used and is idle. */
    async idle(caller: RequestSender): Promise<Socket> {
      const socket = await open(caller);
      socket.write(head('GET', caller));
      await once(socket, 'data');
      return socket;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function times<T>(count: number, make: (turn: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let turn = 0; turn < count; turn += 1) made.push(await make(turn));
  return made;
}

const closed = (sockets: readonly Socket[]) =>
  sockets.flatMap((socket, index) => (socket.destroyed || socket.readableEnded ? [index] : []));

describe('An account', () => {
  test('with as many running requests as it may have gets 429 with Retry-After, even before its body arrives', async () => {
    await using at = await startServer('--connections', '20', '--connections-per-account', '3');
    const running = await times(3, () => at.hold({ account: 'ann' }));
    assert.equal(await at.status('POST', { account: 'ann' }), 429);
    assert.equal(await at.status('GET', { account: 'bob' }), 200);
    running[0]?.destroy();
    await waitUntil('a request has ended', async () => (await at.status('GET', { account: 'ann' })) === 200);
    assert.deepEqual(closed(running.slice(1)), []);
  });

  test('may by default have requests on half of the connections', async () => {
    await using at = await startServer('--connections', '20');
    await times(10, () => at.hold({ account: 'ann' }));
    assert.equal(await at.status('GET', { account: 'ann' }), 429);
  });

  test('may have any number of idle connections', async () => {
    await using at = await startServer('--connections', '20', '--connections-per-account', '3');
    const idle = await times(10, () => at.idle({ account: 'ann' }));
    assert.equal(await at.status('GET', { account: 'ann' }), 200);
    assert.deepEqual(closed(idle), []);
  });

  test('with the most running requests loses the oldest one to an account with fewer', async () => {
    await using at = await startServer('--connections', '20', '--connections-per-account', '20');
    const few = await times(4, () => at.hold({ account: 'bob' }));
    const most = await times(12, () => at.hold({ account: 'ann' }));
    const others = await times(4, () => at.hold({ account: 'cid' }));
    await waitUntil('connections are closed', () => closed(most).length === 4);
    assert.deepEqual(closed(most), [0, 1, 2, 3]);
    assert.deepEqual(closed([...few, ...others]), []);
    assert.equal(await at.status('POST', { account: 'ann' }), 503);
    assert.equal(await at.status('GET', { account: 'dan' }), 200);
  });
});

describe('When accounts use all connections that they may,', () => {
  const fill = async () => {
    const at = await startServer('--connections', '20', '--connections-per-account', '20');
    const running = await times(16, (turn) => at.hold({ account: ['ann', 'bob'][turn % 2] ?? '' }));
    return { at, running };
  };

  test('health checks are answered, and no request is lost', async () => {
    const { at, running } = await fill();
    await using _at = at;
    const idle = await times(10, () => at.open());
    assert.deepEqual(await times(10, () => at.status('GET', {})), Array(10).fill(200));
    assert.deepEqual(closed(running), []);
    for (const socket of idle) socket.destroy();
  });

  test('an operator is served, and no request is lost', async () => {
    const { at, running } = await fill();
    await using _at = at;
    const own = await times(3, () => at.hold({ account: 'op' }));
    assert.equal(await at.status('GET', { account: 'op' }), 200);
    assert.deepEqual(closed([...running, ...own]), []);
  });

  test('an operator who also uses the others loses a request to a health check', async () => {
    await using at = await startServer('--connections', '20');
    const own = await times(20, () => at.hold({ account: 'op' }));
    assert.equal(await at.status('GET', {}), 200);
    await waitUntil('a connection is closed', () => closed(own).length > 0);
    assert.deepEqual(closed(own), [0]);
  });
});

describe('Connections without a valid key', () => {
  test('are closed first at the address that has the most, the oldest first', async () => {
    await using at = await startServer('--connections', '20', '--connections-per-address', '20');
    const other = await at.open({ localAddress: '127.0.0.2' });
    const running = await at.hold({ account: 'ann' });
    const idle = await at.idle({ account: 'bob' });
    const many = await times(30, (turn) => (turn % 2 === 0 ? at.open() : at.hold({})));
    await waitUntil('connections are closed', () => closed(many).length === 13);
    assert.deepEqual(closed(many), [...Array(13).keys()]);
    assert.deepEqual(closed([other, running, idle]), []);
  });

  test('of one address are limited, those with a valid key at the same address are not', async () => {
    await using at = await startServer('--connections', '40', '--connections-per-address', '5');
    const behindProxy = await times(8, () => at.hold({ account: 'ann' }));
    const idle = await times(8, () => at.idle({ account: 'bob' }));
    const many = await times(9, () => at.open());
    await waitUntil('connections are closed', () => closed(many).length === 4);
    assert.deepEqual(closed([...behindProxy, ...idle]), []);
    assert.equal(await at.status('GET', {}), 200);
  });
});

describe('Requests that a caller sends before the earlier ones are answered', () => {
  /** Sends requests in one write. Returns the bodies of the responses, and the most requests that were served at the same time. */
  async function pipelined(count: number) {
    let running = 0;
    let most = 0;
    const { server, port } = await listen((request, response) => {
      running += 1;
      most = Math.max(most, running);
      setTimeout(() => {
        running -= 1;
        response.end(request.url);
      }, 5);
    });
    const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {});
    const received = readAll(socket);
    const paths = Array.from({ length: count }, (_, index) => `/${index}`);
    const last = 'Connection: close\r\n';
    const heads = paths.map(
      (path, index) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${index === count - 1 ? last : ''}\r\n`,
    );
    socket.write(heads.join(''));
    const bodies = parseResponses(await received).map(({ body }) => body);
    await new Promise((resolve) => server.close(resolve));
    return { bodies, paths, most };
  }

  test('are served one after another, in their order', async () => {
    const { bodies, paths, most } = await pipelined(30);
    assert.deepEqual(bodies, paths);
    assert.equal(most, 1);
  });

  test('end the connection if they are very many', async () => {
    const { bodies, most } = await pipelined(500);
    assert.deepEqual(bodies, []);
    assert.equal(most, 1);
  });
});
