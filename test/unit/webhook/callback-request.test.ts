import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, test } from 'node:test';
import { serveCallbackReceiver, newSecret } from '../../support/servers/callback-receiver.ts';
import { makeCertificates } from '../../support/servers/certificates.ts';
import type { CallbackNetwork } from '../../../main/webhook/callback-network.ts';
import { sendCallback } from '../../../main/webhook/callback-request.ts';
import { openGuard } from '../../../main/network/proxy.ts';
import type { Resolve } from '../../../main/network/name-resolver.ts';
import { resolverFor, rules } from '../network/rules.ts';
import { serve } from '../network/test-servers.ts';

const secret = newSecret();
const body = JSON.stringify({ type: 'job.done', data: { id: 'a', message: 'größer' } });

/** Loopback is allowed, in place of the Internet. */
const loopback: CallbackNetwork = {
  rules: rules('intranet', { allow: '127.0.0.0/8' }),
  resolve: resolverFor({ 'receiver.example': ['127.0.0.1'] }),
};

function send(
  url: string,
  network = loopback,
  { timeoutMs = 5000, signal = new AbortController().signal } = {},
) {
  const request = { id: 'msg_1', url, body, secret, userAgent: 'Platen/1.2.3', timeoutMs };
  return sendCallback(request, network, signal);
}

async function problemOf(url: string, network = loopback, options = {}): Promise<string> {
  const result = await send(url, network, options);
  assert.ok(result.kind === 'failed', result.kind);
  return result.problem;
}

describe('A callback', () => {
  test('is signed, so that the reference package verifies it', async () => {
    await using receiver = await serveCallbackReceiver(secret);
    assert.deepEqual(await send(`${receiver.url}/hook?token=a%20b`), { kind: 'delivered' });
    assert.deepEqual(receiver.problems, []);
    const [callback] = receiver.received;
    assert.equal(callback?.body, body);
    assert.equal(callback.headers['webhook-id'], 'msg_1');
    assert.equal(callback.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(callback.headers['user-agent'], 'Platen/1.2.3');
    assert.equal(callback.headers.host, `127.0.0.1:${receiver.port}`);
  });

  test('reaches a name at the address that was checked', async () => {
    await using receiver = await serveCallbackReceiver(secret);
    const result = await send(`http://receiver.example:${receiver.port}/hook`);
    assert.deepEqual(result, { kind: 'delivered' });
    assert.equal(receiver.received[0]?.headers.host, `receiver.example:${receiver.port}`);
  });

  test('does not parse the trusted authorities again', async () => {
    const { server } = makeCertificates();
    await using receiver = await serveCallbackReceiver(secret, undefined, server);
    let readings = 0;
    const authorities = [server.cert.toString()];
    const iterate = authorities[Symbol.iterator].bind(authorities);
    authorities[Symbol.iterator] = () => {
      readings += 1;
      return iterate();
    };
    for (let sent = 0; sent < 3; sent += 1)
      assert.deepEqual(await send(`${receiver.url}/hook`, { ...loopback, authorities }), {
        kind: 'delivered',
      });
    assert.equal(readings, 1);
  });

  test('is delivered over TLS only with a certificate of a trusted authority for the name', async () => {
    const { server } = makeCertificates();
    await using receiver = await serveCallbackReceiver(secret, undefined, server);
    const trusting = { ...loopback, authorities: [server.cert.toString()] };
    assert.deepEqual(await send(`${receiver.url}/hook`, trusting), { kind: 'delivered' });
    assert.match(await problemOf(`${receiver.url}/hook`), /DEPTH_ZERO_SELF_SIGNED_CERT/);
    const otherName = `https://receiver.example:${receiver.port}/hook`;
    assert.match(await problemOf(otherName, trusting), /ERR_TLS_CERT_ALTNAME_INVALID/);
    assert.equal(receiver.received.length, 1);
  });

  test('goes through the upstream proxy, over http and over https', async () => {
    const { server } = makeCertificates();
    await using plain = await serveCallbackReceiver(secret);
    await using secured = await serveCallbackReceiver(secret, undefined, server);
    await using proxy = await openGuard({ rules: loopback.rules, log: () => {} });
    const network = {
      ...loopback,
      upstreamProxy: new URL(`http://127.0.0.1:${proxy.port}`),
      authorities: [server.cert.toString()],
    };
    assert.deepEqual(await send(`${plain.url}/hook`, network), { kind: 'delivered' });
    assert.deepEqual(await send(`${secured.url}/hook`, network), { kind: 'delivered' });
    proxy.stopAccepting();
    assert.match(await problemOf(`${plain.url}/hook`, network), /closed the connection/);
    assert.equal(plain.received.length + secured.received.length, 2);
  });

  test('counts as gone only after 410; other statuses fail, also those that are no success', async () => {
    const statuses = [410, 404, 500, 302];
    await using receiver = await serveCallbackReceiver(secret, (response, number) => {
      response.writeHead(statuses[number] ?? 200, { location: '/elsewhere' }).end('No.');
    });
    const url = `${receiver.url}/hook`;
    assert.deepEqual(await send(url), { kind: 'gone' });
    assert.match(await problemOf(url), /status 404/);
    assert.match(await problemOf(url), /status 500/);
    assert.match(await problemOf(url), /redirect 302, and redirects are not followed/);
    assert.deepEqual(new Set(receiver.requestedPaths), new Set(['/hook']));
  });

  test('keeps the Retry-After of the receiver, in seconds and as a date', async () => {
    const later = new Date(Date.now() + 90_000).toUTCString();
    const values = ['120', later, 'soon'];
    await using receiver = await serveCallbackReceiver(secret, (response, number) => {
      response.writeHead(503, { 'retry-after': values[number] }).end();
    });
    const pauses: (number | undefined)[] = [];
    for (const _ of values) {
      const result = await send(`${receiver.url}/hook`);
      pauses.push(result.kind === 'failed' ? result.retryAfterMs : NaN);
    }
    assert.equal(pauses[0], 120_000);
    assert.ok(Number(pauses[1]) > 80_000 && Number(pauses[1]) <= 90_000, String(pauses[1]));
    assert.equal(pauses[2], undefined);
  });
});

describe('A receiver', () => {
  test('that resolves to a refused address gets no connection', async () => {
    await using receiver = await serveCallbackReceiver(secret);
    const url = `http://receiver.example:${receiver.port}/hook`;
    for (const addresses of [['127.0.0.1'], ['93.184.215.14', '10.0.0.7'], ['::ffff:169.254.169.254']]) {
      const network = { rules: rules('public'), resolve: resolverFor({ 'receiver.example': addresses }) };
      const result = await send(url, network);
      assert.equal(
        result.kind === 'failed' && result.problem,
        'the network policy refuses the address of the receiver',
      );
      assert.equal(result.kind === 'failed' && result.refusal?.address, addresses.at(-1));
    }
    assert.equal(receiver.received.length, 0);
  });

  test('whose name leads to another address later is not reached there (DNS rebinding)', async () => {
    await using receiver = await serveCallbackReceiver(secret);
    let lookups = 0;
    // The first lookup is the one that is checked. A second one would lead to this machine.
    const resolve: Resolve = () =>
      Promise.resolve([{ address: (lookups += 1) === 1 ? '192.0.2.1' : '127.0.0.1', family: 4 }]);
    const network = { rules: rules('public', { allow: '192.0.2.0/24' }), resolve };
    const url = `http://receiver.example:${receiver.port}/hook`;
    assert.notEqual((await send(url, network, { timeoutMs: 1000 })).kind, 'delivered');
    assert.equal(lookups, 1);
    assert.equal(receiver.received.length, 0);
  });

  test('that does not answer, or not completely, ends at the time limit', async () => {
    await using silent = await serve(createServer((socket) => socket.resume()));
    const url = `http://127.0.0.1:${silent.port}/hook`;
    assert.match(await problemOf(url, loopback, { timeoutMs: 300 }), /did not answer within/);
    await using dripping = await serve(
      createServer((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        setInterval(() => socket.write('x-more: 1\r\n'), 50).unref();
      }),
    );
    const drippingUrl = `http://127.0.0.1:${dripping.port}/hook`;
    assert.match(await problemOf(drippingUrl, loopback, { timeoutMs: 400 }), /did not answer within/);
  });

  test('that sends an endless body has the callback, and its connection is closed', async () => {
    await using receiver = await serve(
      createServer((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        const more = Buffer.alloc(16_384, 'x');
        const writeMore = () => socket.write(more, (error) => error ?? setImmediate(writeMore));
        writeMore();
      }),
    );
    assert.deepEqual(await send(`http://127.0.0.1:${receiver.port}/`), { kind: 'delivered' });
  });

  test('that cannot be reached is described without the query of its URL', async () => {
    await using taken = await serve(createServer());
    const { port } = taken;
    await taken[Symbol.asyncDispose]();
    assert.equal(
      await problemOf(`http://127.0.0.1:${port}/?token=abc`),
      'the receiver refused the connection',
    );
    assert.equal(
      await problemOf('http://nowhere.example/?token=abc'),
      'the name of the receiver cannot be resolved',
    );
    await using rude = await serve(createServer((socket) => socket.destroy()));
    assert.match(await problemOf(`http://127.0.0.1:${rude.port}/`), /closed the connection/);
    await using wrong = await serve(createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')));
    assert.match(await problemOf(`http://127.0.0.1:${wrong.port}/`), /HPE_INVALID_CONSTANT/);
  });

  test('that still works when the service stops is left with the reason of the stop', async () => {
    await using silent = await serve(createServer((socket) => socket.resume()));
    const controller = new AbortController();
    const sending = send(`http://127.0.0.1:${silent.port}/`, loopback, { signal: controller.signal });
    setTimeout(() => {
      controller.abort(new Error('the service stops'));
    }, 50);
    await assert.rejects(sending, /the service stops/);
  });
});
