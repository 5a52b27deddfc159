import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import express, { json, type Express, type Response } from 'express';
import pino from 'pino';
import { CallerDisconnected } from '../../../../main/conversion/job-log.ts';
import { deliver } from '../../../../main/http/response/deliver.ts';
import { failureHandler } from '../../../../main/http/response/fail.ts';
import { disconnectSignal } from '../../../../main/http/response/respond.ts';
import { openConnections } from '../../../../main/http/server/connections.ts';
import { openServer } from '../../../../main/http/server/open-server.ts';
import { watchUpload } from '../../../../main/http/upload/receive.ts';
import type { Certificate } from '../../../../main/preflight/certificate.ts';
import { loadSettings } from '../../../../main/settings/load.ts';
import { makeCertificates } from '../../../support/servers/certificates.ts';
import { openConnection, parseResponses, readAll, sendRaw } from '../../../support/servers/raw-connection.ts';

const log = pino({ level: 'silent' });
const prefixes = ['service'];
const stallTimeouts = { bodyMs: 300, responseMs: 600 };

const certificate: Certificate = {
  files: { cert: '/no/such/file', key: undefined, passphrase: undefined },
  options: makeCertificates().server,
  validUntil: new Date('2999-01-01'),
  fileState: '0 0 0,0 0 0',
};

async function startServer(app: Express, protocol: 'http' | 'https' = 'http') {
  const settings = loadSettings({ flags: ['--data', '/no/such/folder'], environment: {} });
  const connections = openConnections({ settings, maxConnections: 100, log });
  const application: RequestListener = (request, response) => void app(request, response);
  const server: Server = openServer(application, {
    settings,
    prefixes,
    log,
    connections,
    stallTimeouts,
    certificate: protocol === 'https' ? certificate : undefined,
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const post = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n';

/** Sends the parts with pauses that are shorter than the timeout. */
async function sendSteadily(socket: Socket, parts: readonly string[]): Promise<void> {
  for (const part of parts) {
    socket.write(part);
    await new Promise((resolve) => setTimeout(resolve, stallTimeouts.bodyMs / 6));
  }
}

test('a JSON body that stalls gets one 408.408 response, and the connection is closed', async () => {
  const app = express();
  app.post('/', json(), (_request, response) => void response.send('never'));
  app.use(failureHandler({ log, prefixes }));
  await using at = await startServer(app);
  const answers = parseResponses(await sendRaw(at, post, '{"a":'));
  assert.equal(answers.length, 1);
  assert.match(answers[0]?.body ?? '', /^408\.408 - No bytes of the request arrived for 0\.3 seconds\.$/);
  assert.equal(answers[0]?.headers['x-service-reason-code'], '408');
});

test('the reader of a form sends the response to a body that stalls', async () => {
  const app = express();
  app.post('/', async (request, response) => {
    using upload = watchUpload(request, 60_000);
    request.resume();
    response.set('x-reader', 'form');
    await upload.expired;
  });
  app.use(failureHandler({ log, prefixes }));
  await using at = await startServer(app);
  const answers = parseResponses(await sendRaw(at, post, 'x'));
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers['x-reader'], headers.connection]),
    [[408, 'form', 'close']],
  );
});

test('a refused request whose body stalls gets its refusal', async () => {
  const app = express();
  app.use(() => {
    throw new Error('refused');
  });
  app.use(failureHandler({ log, prefixes }));
  await using at = await startServer(app);
  const answers = parseResponses(await sendRaw(at, post, 'x'));
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers.connection]),
    [[500, 'close']],
  );
});

test('a body that arrives slowly but steadily is accepted, however long it takes', async () => {
  const app = express();
  app.post('/', json(), (request, response) => void response.send(JSON.stringify(request.body)));
  await using at = await startServer(app);
  const socket = openConnection(at);
  const received = readAll(socket);
  const body = JSON.stringify({ text: 'slow' });
  const head = post.replace('Length: 1000', `Length: ${body.length}\r\nConnection: close`);
  await sendSteadily(socket, [head, ...Array.from(body)]);
  assert.equal(parseResponses(await received)[0]?.body, body);
});

test('while the service does not read a body, the body does not stall', async () => {
  const app = express();
  app.post('/', async (request, response) => {
    request.pause();
    await new Promise((resolve) => setTimeout(resolve, 3 * stallTimeouts.responseMs));
    request.resume();
    await once(request, 'end');
    response.send('read');
  });
  await using at = await startServer(app);
  const body = 'x'.repeat(1000);
  const received = await sendRaw(at, post.replace('Host', 'Connection: close\r\nHost'), body);
  assert.equal(parseResponses(received)[0]?.body, 'read');
});

test('a long job does not stall, and an idle connection stays open for its own, longer time', async () => {
  const app = express();
  app.get('/', async (_request, response) => {
    await new Promise((resolve) => setTimeout(resolve, 3 * stallTimeouts.responseMs));
    response.send('done');
  });
  await using at = await startServer(app);
  const socket = openConnection(at);
  for (let turn = 0; turn < 2; turn += 1) {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [received] = (await once(socket, 'data')) as [Buffer];
    assert.equal(parseResponses(received.toString())[0]?.body, 'done');
  }
  socket.destroy();
});

const size = 50_000_000;

/** Requests the body, calls `read` for each part, and returns when the connection is closed. */
async function readWith({ url }: { url: string }, read: (socket: Socket) => void): Promise<number> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  let received = 0;
  socket.on('data', (part: Buffer) => {
    received += part.length;
    read(socket);
  });
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await once(socket, 'close');
  return received;
}

const slowly = (socket: Socket) => {
  socket.pause();
  setTimeout(() => socket.resume(), 1);
};

/** Applications that send the body in the ways in which routes do. Each reports why it ended. */
const senders: Readonly<Record<string, (response: Response) => Promise<unknown>>> = {
  async 'a converted document'(response) {
    const entry = {
      charge: (_stages: object, acknowledge: () => void) => {
        acknowledge();
        return Promise.resolve();
      },
      refund: () => Promise.resolve(),
    };
    const callerDisconnected = disconnectSignal(response);
    response.set('content-length', String(size));
    const delivery = { bytes: Buffer.alloc(size), entry, stages: {}, callerDisconnected };
    await deliver(response, { ...delivery, onLastByte: () => {} });
  },
  async 'a stream'(response) {
    const parts = Array.from({ length: size / 1_000_000 }, () => Buffer.alloc(1_000_000));
    await pipeline(Readable.from(parts), response);
  },
  async 'a single text'(response) {
    response.type('text').send('x'.repeat(size));
    await once(response, 'close');
    const { errored } = response.req.socket;
    if (errored) throw errored;
  },
};

for (const [what, sendBody] of Object.entries(senders)) {
  const start = async () => {
    const app = express();
    let settle: (problem: unknown) => void = () => {};
    const outcome = new Promise<unknown>((resolve) => (settle = resolve));
    app.get('/', (_request, response) => {
      sendBody(response).then(() => {
        settle(undefined);
      }, settle);
    });
    return { at: await startServer(app), outcome };
  };

  test(`a caller who stops reading ${what} is disconnected`, { timeout: 30_000 }, async () => {
    const { at, outcome } = await start();
    await using _at = at;
    const reading = readWith(at, (socket) => socket.pause());
    const problem = await outcome;
    assert.ok(problem instanceof Error);
    if (problem instanceof CallerDisconnected)
      assert.match(problem.message, /read nothing of the response for 0\.6 seconds/);
    else assert.equal((problem as NodeJS.ErrnoException).code, 'ERR_STREAM_PREMATURE_CLOSE');
    await at[Symbol.asyncDispose]();
    void reading;
  });

  test(`a caller who reads ${what} slowly but steadily gets all of it`, { timeout: 60_000 }, async () => {
    const { at, outcome } = await start();
    await using _at = at;
    const began = performance.now();
    assert.ok((await readWith(at, slowly)) > size);
    assert.equal(await outcome, undefined);
    assert.ok(performance.now() - began > stallTimeouts.responseMs, 'the response was too short');
  });
}

/** What a caller sends while it receives a response: the head of its request, then this byte now and then. */
const drips: Readonly<Record<string, readonly [head: string, byte: string]>> = {
  'its next request': ['GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /', 'a'],
  'the body of its request': ['GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n', 'a'],
  'something that is not HTTP': ['GET / HTTP/1.1\r\nHost: x\r\n\r\n', '?'],
};

for (const protocol of ['http', 'https'] as const) {
  const start = async () => {
    const app = express();
    app.get('/', (_request, response) => void response.send(Buffer.alloc(size)));
    return startServer(app, protocol);
  };
  const drip = (socket: Socket, byte: string) => {
    const timer = setInterval(() => socket.write(byte), stallTimeouts.bodyMs / 3);
    socket.once('close', () => {
      clearInterval(timer);
    });
  };

  for (const [what, [head, byte]] of Object.entries(drips))
    test(
      `a caller who stops reading and drips ${what} is disconnected (${protocol})`,
      { timeout: 30_000 },
      async () => {
        await using at = await start();
        const socket = openConnection(at);
        socket.write(head);
        drip(socket, byte);
        await new Promise((resolve) => socket.once('close', resolve));
      },
    );

  test(
    `a caller who drips a request and reads slowly gets all (${protocol})`,
    { timeout: 60_000 },
    async () => {
      await using at = await start();
      const socket = openConnection(at);
      const [head, byte] = drips['its next request'] ?? ['', ''];
      socket.write(head);
      drip(socket, byte);
      const began = performance.now();
      let received = 0;
      socket.on('data', (part: Buffer) => {
        received += part.length;
        if (received > size) socket.destroy();
        else slowly(socket);
      });
      await once(socket, 'close');
      assert.ok(received > size);
      assert.ok(performance.now() - began > stallTimeouts.responseMs, 'the response was too short');
    },
  );
}
