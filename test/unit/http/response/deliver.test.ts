import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { test } from 'node:test';
import express, { type Response } from 'express';
import { CallerDisconnected } from '../../../../main/conversion/job-log.ts';
import { disconnectSignal } from '../../../../main/http/response/respond.ts';
import { deliver } from '../../../../main/http/response/deliver.ts';

interface DeliveryProbe {
  readonly events: string[];
  /** The outcome of the delivery. */
  readonly outcome: Promise<unknown>;
  readonly socket: Socket;
  readonly received: () => number;
}

/** `unsent` is the number of written bytes that the operating system has not accepted. */
type Charge = (
  acknowledge: () => void,
  at: { received: () => number; unsent: () => number },
) => Promise<void>;

/** Delivers a response of `size` bytes to a client, and runs `work` meanwhile. `charge` replaces the charge of the ledger. */
async function withDelivery(
  { size }: { size: number },
  charge: Charge,
  work: (probe: DeliveryProbe) => Promise<void>,
): Promise<void> {
  const events: string[] = [];
  const app = express();
  const bytes = Buffer.alloc(size, 'x');
  let settle = (_: unknown) => {};
  const outcome = new Promise((resolve) => (settle = resolve));
  let received = 0;
  let unsentBytes = () => 0;
  const entry = {
    charge: async (_stages: object, acknowledge: () => void) => {
      events.push('charged');
      await charge(acknowledge, { received: () => received, unsent: () => unsentBytes() });
    },
    refund: () => Promise.resolve(void events.push('refunded')),
  };
  app.get('/', (_request, response: Response) => {
    response.set('content-length', String(size));
    const { socket: serverSocket } = response.req;
    unsentBytes = () => serverSocket.writableLength;
    const gone = disconnectSignal(response);
    const options = {
      stages: {},
      callerDisconnected: gone,
      onLastByte: () => void events.push('last byte'),
    };
    deliver(response, { bytes, entry, ...options }).then(settle, settle);
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  socket.on('data', (part: Buffer) => {
    const start = part.indexOf('\r\n\r\n');
    received += start < 0 ? part.length : part.length - start - 4;
  });
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await work({ events, outcome, socket, received: () => received });
  socket.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

test('the last byte goes to the operating system immediately, even if the client reads slowly', async () => {
  let waiting = -1;
  const charge: Charge = (acknowledge, { unsent }) => {
    acknowledge();
    waiting = unsent();
    return Promise.resolve();
  };
  for (const size of [6_000_000, 9_999_999, 12_345_678])
    await withDelivery({ size }, charge, async ({ outcome, socket }) => {
      // Reads small amounts, so that the send buffer is full most of the time.
      socket.on('data', () => {
        socket.pause();
        setTimeout(() => socket.resume(), 1);
      });
      await outcome;
      assert.equal(waiting, 0);
    });
});

const oneSecondSignal = AbortSignal.timeout.bind(AbortSignal, 1000);

for (const size of [1, 2, 500, 64_000, 5_000_000]) {
  test(`a response of ${size} bytes is complete only after it was charged`, async () => {
    const charge: Charge = async (acknowledge, { received }) => {
      while (received() < size - 1) await new Promise((resolve) => setImmediate(resolve));
      assert.equal(received(), size - 1);
      acknowledge();
    };
    await withDelivery({ size }, charge, async ({ events, outcome, received }) => {
      assert.equal(await outcome, undefined);
      while (received() < size) await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(events, ['charged', 'last byte']);
    });
  });
}

test('the service does not charge a client that disconnects in the middle of the response', async () => {
  const charge = () => Promise.reject(new Error('charged'));
  await withDelivery({ size: 50_000_000 }, charge, async ({ events, outcome, socket }) => {
    socket.once('data', () => socket.destroy());
    assert.ok((await outcome) instanceof CallerDisconnected);
    assert.deepEqual(events, []);
  });
});

test('the service refunds a client that disconnects at the last byte', async () => {
  let hangUp = () => {};
  const charge = async (acknowledge: () => void) => {
    hangUp();
    const until = oneSecondSignal();
    // The operating system sees the closed connection before this process does.
    while (!until.aborted && !gone) await new Promise((resolve) => setImmediate(resolve));
    acknowledge();
  };
  let gone = false;
  await withDelivery({ size: 500 }, charge, async ({ events, outcome, socket }) => {
    hangUp = () => {
      socket.once('close', () => (gone = true));
      socket.resetAndDestroy();
    };
    assert.ok((await outcome) instanceof CallerDisconnected);
    assert.deepEqual(events, ['charged', 'last byte', 'refunded']);
  });
});

test('the service aborts a response that cannot be charged', async () => {
  const charge = () => Promise.reject(new Error('disk full'));
  await withDelivery({ size: 500 }, charge, async ({ outcome, socket, received }) => {
    const closed = new Promise((resolve) => socket.once('close', resolve));
    assert.match(String(await outcome), /disk full/);
    await closed;
    assert.ok(received() < 500);
  });
});

test(
  'a pipelined response that waits for its turn is aborted when the connection closes',
  { timeout: 20_000 },
  async () => {
    const app = express();
    const outcomes: Promise<unknown>[] = [];
    const entry = { charge: () => Promise.reject(new Error('charged')), refund: () => Promise.resolve() };
    const both = new Promise<void>((resolve) => {
      app.get('/', (_request, response: Response) => {
        const callerDisconnected = disconnectSignal(response);
        const delivery = {
          bytes: Buffer.alloc(9),
          entry,
          stages: {},
          callerDisconnected,
          onLastByte: () => {},
        };
        // The first request is never answered, so the second response has to wait.
        if (outcomes.length === 1)
          outcomes.push(deliver(response, delivery).catch((problem: unknown) => problem));
        else outcomes.push(once(callerDisconnected, 'abort'));
        if (outcomes.length === 2) resolve();
      });
    });
    const server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(2));
    await both;
    socket.destroy();
    assert.ok((await outcomes[1]) instanceof CallerDisconnected);
    await outcomes[0];
    await new Promise((resolve) => server.close(resolve));
  },
);
