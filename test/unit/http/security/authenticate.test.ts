import assert from 'node:assert/strict';
import { afterEach, describe, mock, test } from 'node:test';
import express, { type ErrorRequestHandler } from 'express';
import { toFailure } from '../../../../main/failure/failure.ts';
import { authenticate } from '../../../../main/http/security/authenticate.ts';
import { accountOf } from '../../../../main/http/server/locals.ts';
import { temporaryAccounts } from '../../../support/accounts/accounts.ts';
import { serve } from '../serving.ts';

/**
 * Starts a server that responds with the name of the authenticated account, or the reason code of the failure. With `together`, the
 * server checks no key before that many requests have arrived.
 */
async function startServer({ together: batchSize = 1 } = {}) {
  const app = express();
  const temporary = await temporaryAccounts([
    { user: 'ann', key: 's:e:cret' },
    { user: 'jürgen', key: 'grün' },
  ]);
  let lookups = 0;
  let arrived = 0;
  let openGate = () => {};
  const gate = new Promise<void>((resolve) => (openGate = resolve));
  const countedAuthenticate: typeof temporary.book.authenticate = async (user, key) => {
    lookups += 1;
    await gate;
    return await temporary.book.authenticate(user, key);
  };
  app.use((request, _response, next) => {
    const from = request.headers['x-from'];
    // Simulates a client address outside all networks of this machine.
    if (from !== undefined) Object.defineProperty(request.socket, 'remoteAddress', { value: from });
    arrived += 1;
    if (arrived >= batchSize) openGate();
    next();
  });
  app.use(authenticate({ ...temporary.book, authenticate: countedAuthenticate }));
  app.use((_request, response) => void response.send(accountOf(response).name));
  app.use(respondWithReason());
  const served = await serve(app);
  return {
    ...served,
    book: temporary.book,
    lookups: () => lookups,
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

function respondWithReason(): ErrorRequestHandler {
  return (thrown, _request, response, _next) => {
    const { status, reason, retryAfter } = toFailure(thrown);
    response.status(status).send(`${reason} ${retryAfter ?? ''}`.trim());
  };
}

const basic = (credentials: string) => ({
  authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
});
const validCredentials = basic('ann:s:e:cret');
const wrong = basic('ann:wrong');

afterEach(() => {
  mock.timers.reset();
});

describe('a request', () => {
  test('is authenticated with the name and key of an account', async () => {
    await using at = await startServer();
    assert.deepEqual((({ status, body }) => [status, body])(await at.get(validCredentials)), [200, 'ann']);
    assert.equal((await at.get(basic('jürgen:grün'))).body, 'jürgen');
    assert.equal(
      (await at.get({ authorization: validCredentials.authorization.replace('Basic', 'bAsIc ') })).body,
      'ann',
    );
  });

  test('gets 401.106 and WWW-Authenticate unless it has valid credentials', async () => {
    await using at = await startServer();
    const headers = [
      {},
      wrong,
      basic('ann'),
      basic(':'),
      basic('ann:'),
      basic(':s:e:cret'),
      basic('ann:s:e:cret '),
      basic('ann\0:s:e:cret'),
      basic('__proto__:x'),
      basic('constructor:'),
      { authorization: '' },
      { authorization: 'Basic' },
      { authorization: 'Basic !!!' },
      { authorization: 'Bearer ann:s:e:cret' },
      { authorization: `Basic ${Buffer.from('ann:s:e:cret\xff', 'latin1').toString('base64')}` },
      { authorization: `Basic ${Buffer.from('j\xfcrgen:gr\xfcn', 'latin1').toString('base64')}` },
      { authorization: `${validCredentials.authorization}, ${validCredentials.authorization}` },
      { authorization: `Basic ${'A'.repeat(10_000)}` },
    ];
    for (const some of headers) {
      const { status, body, headers: sent } = await at.get(some);
      assert.deepEqual([status, body], [401, '106'], JSON.stringify(some).slice(0, 80));
      assert.equal(sent['www-authenticate'], 'Basic realm="Platen", charset="UTF-8"');
    }
  });
});

describe('the limit for wrong credentials', () => {
  const statusesOf = async (
    at: Awaited<ReturnType<typeof startServer>>,
    count: number,
    headers: Record<string, string> = wrong,
  ) => {
    const statuses: number[] = [];
    for (let turn = 0; turn < count; turn += 1) statuses.push((await at.get(headers)).status);
    return statuses;
  };

  test('responds with 429.120 and Retry-After after 50 failures within a minute, even to the correct key', async () => {
    mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
    await using at = await startServer();
    assert.deepEqual(await statusesOf(at, 51), [...Array<number>(50).fill(401), 429]);
    assert.equal((await at.get(wrong)).body, '120 60');
    mock.timers.setTime(1_059_001);
    assert.equal((await at.get(validCredentials)).body, '120 1');
    mock.timers.setTime(1_060_000);
    assert.equal((await at.get(validCredentials)).body, 'ann');
    assert.deepEqual(await statusesOf(at, 51), [...Array<number>(50).fill(401), 429]);
  });

  test('does not affect other client addresses, or credentials that succeeded before', async () => {
    mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
    await using at = await startServer();
    assert.equal((await at.get(validCredentials)).status, 200);
    await statusesOf(at, 60, basic('jürgen:wrong'));
    assert.equal((await at.get(validCredentials)).status, 200);
    assert.equal((await at.get(basic('jürgen:grün'))).status, 429);
    assert.equal((await at.get(basic('jürgen:grün'), { localAddress: '127.0.0.2' })).status, 200);
  });

  test('checks at most 51 of many simultaneous guesses', async () => {
    await using at = await startServer({ together: 200 });
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async (_, turn) => (await at.get(basic(`ann:${turn}`))).status),
    );
    assert.deepEqual([statuses.filter((status) => status === 401).length, at.lookups()], [50, 51]);
    assert.equal((await at.get(validCredentials)).status, 429);
  });

  test('lets 200 simultaneous first requests with the correct key pass', async () => {
    await using at = await startServer({ together: 200 });
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async () => (await at.get(validCredentials)).status),
    );
    assert.deepEqual(new Set(statuses), new Set([200]));
  });

  test('counts a revoked key as wrong, even if it succeeded before', async () => {
    await using at = await startServer();
    assert.equal((await at.get(validCredentials)).status, 200);
    const [key] = await at.book.listKeys('ann');
    await at.book.revokeKey('ann', key?.id ?? '');
    assert.deepEqual(await statusesOf(at, 51, validCredentials), [...Array<number>(50).fill(401), 429]);
    const lookups = at.lookups();
    assert.equal((await at.get(validCredentials)).status, 429);
    assert.equal(at.lookups(), lookups);
  });

  test('counts per IPv6 /64 network and per IPv4 address in any notation', async () => {
    mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
    await using at = await startServer();
    const from = (address: string, credentials = wrong) => ({ ...credentials, 'x-from': address });
    for (let turn = 0; turn < 51; turn += 1) {
      await at.get(from(`2001:db8:1:2:${turn}::1`));
      await at.get(from(turn % 2 === 0 ? '192.0.2.7' : '::ffff:192.0.2.7'));
    }
    for (const [address, status] of [
      ['2001:db8:1:2:ffff::9', 429],
      ['2001:db8:1:3::1', 200],
      ['::ffff:192.0.2.7', 429],
      ['192.0.2.7', 429],
      ['192.0.2.8', 200],
    ] as const)
      assert.equal((await at.get(from(address, validCredentials))).status, status, address);
  });

  test('uses the address of the connection and ignores X-Forwarded-For', async () => {
    await using at = await startServer();
    const statuses = new Set<number>();
    for (let turn = 0; turn < 60; turn += 1)
      statuses.add((await at.get({ ...wrong, 'x-forwarded-for': `192.0.2.${turn}` })).status);
    assert.deepEqual([...statuses], [401, 429]);
  });

  test('does not count requests without credentials', async () => {
    mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
    await using at = await startServer();
    assert.deepEqual(new Set(await statusesOf(at, 60, {})), new Set([401]));
    assert.equal((await at.get(validCredentials)).status, 200);
  });
});
