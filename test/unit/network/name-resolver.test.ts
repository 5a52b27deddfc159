import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { NameResolver, type Resolve, type ResolvedAddress } from '../../../main/network/name-resolver.ts';
import { openGuard } from '../../../main/network/proxy.ts';
import { rules } from './rules.ts';

const address: ResolvedAddress = { address: '192.0.2.1', family: 4 };

/** A resolver for 16 concurrent lookups, 8 of one account, whose DNS server answers only when the test wants. */
function silentResolver({ timeoutMs = 60_000 } = {}) {
  const started: string[] = [];
  const answers = new Map<string, () => void>();
  const { resolve } = new NameResolver({
    lookup: (host) => {
      started.push(host);
      return new Promise((settle) => {
        answers.set(host, () => {
          settle([address]);
        });
      });
    },
    maxConcurrent: 16,
    maxConcurrentOfAccount: 8,
    timeoutMs,
  });
  const ask = (account: string, host: string, signal?: AbortSignal) => {
    const result = resolve(host, { account, signal });
    result.catch(() => {});
    return result;
  };
  return { started, resolve, ask, answer: (host: string) => answers.get(host)?.() };
}

const turn = () => new Promise(setImmediate);

async function waitUntil(isReached: () => boolean): Promise<void> {
  while (!isReached()) await turn();
}

describe('A DNS server that never answers', () => {
  test('occupies only the share of the account that asks it, so names of others are resolved', async () => {
    const { started, ask, answer } = silentResolver();
    for (let index = 0; index < 10_000; index += 1) void ask('hostile', `${index}.example`);
    assert.equal(started.length, 8);
    const other = ask('other', 'other.example');
    answer('other.example');
    assert.deepEqual(await other, [address]);
    assert.equal(started.length, 9);
  });

  test('leaves a thread for the next account, however many accounts ask it', () => {
    const { started, ask } = silentResolver();
    for (let account = 0; account < 5; account += 1) {
      const before = started.length;
      for (let index = 0; index < 100; index += 1) void ask(`${account}`, `${account}-${index}.example`);
      assert.ok(started.length > before, `account ${account} waits`);
    }
    assert.ok(started.length <= 16);
  });

  test('makes callers fail with a clear reason, and still counts while its thread is busy', async () => {
    const { started, ask, answer } = silentResolver({ timeoutMs: 1 });
    const asked = Array.from({ length: 20 }, (_, index) => ask('a', `${index}.example`));
    const message = 'the DNS server did not resolve 0.example in time';
    await assert.rejects(asked[0] ?? Promise.resolve(), { code: 'EAI_AGAIN', message });
    await assert.rejects(ask('b', '0.example'), { message });
    assert.equal(started.length, 8);
    answer('0.example');
    await waitUntil(() => started.length === 9);
    assert.equal(started[8], '8.example');
  });
});

test('callers that need the same name share one lookup, waiting or running', async () => {
  const { started, ask, answer } = silentResolver();
  for (let index = 0; index < 8; index += 1) void ask('a', `${index}.example`);
  const waiting = [ask('a', 'same.example'), ask('a', 'same.example')];
  const running = [ask('b', 'same.example'), ask('b', 'same.example')];
  answer('0.example');
  answer('same.example');
  for (const result of [...waiting, ...running]) assert.deepEqual(await result, [address]);
  assert.equal(started.filter((host) => host === 'same.example').length, 1);
});

test('a waiting lookup is dropped when the last caller that needs it gives up', async () => {
  const { started, ask, answer } = silentResolver();
  for (let index = 0; index < 8; index += 1) void ask('a', `${index}.example`);
  const one = new AbortController();
  const other = new AbortController();
  const dropped = ask('a', 'dropped.example', one.signal);
  const left = ask('a', 'needed.example', one.signal);
  void ask('a', 'needed.example', other.signal);
  one.abort(new Error('gone'));
  await assert.rejects(dropped, /gone/);
  await assert.rejects(left, /gone/);
  answer('0.example');
  answer('1.example');
  await waitUntil(() => started.length === 9);
  await turn();
  assert.equal(started.at(-1), 'needed.example');
});

test('a network guard resolves for the account of its job, and drops the lookups of closed connections', async () => {
  const { started, resolve, answer } = silentResolver();
  let asked = 0;
  const counting: Resolve = (host, options) => {
    asked += 1;
    return resolve(host, options);
  };
  await using guard = await openGuard({ rules: rules('public'), log: () => {}, resolve: counting });
  const tunnelTo = (host: string) => {
    const socket = connect(guard.port, '127.0.0.1').on('error', () => {});
    socket.write(`CONNECT ${host}:443 HTTP/1.1\r\nHost: ${host}:443\r\n\r\n`);
    return socket;
  };
  const requestTo = (host: string) => {
    const socket = connect(guard.port, '127.0.0.1').on('error', () => {});
    socket.write(`GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    return socket;
  };
  guard.begin({ account: 'hostile', proxies: {} });
  for (let index = 0; index < 20; index += 1) tunnelTo(`t${index}.example`);
  for (let index = 0; index < 20; index += 1) requestTo(`r${index}.example`);
  await waitUntil(() => asked === 40);
  assert.equal(started.length, 8);
  guard.begin({ account: 'other', proxies: {} });
  tunnelTo('other.example');
  requestTo('other.test');
  await waitUntil(() => started.length === 10);
  for (const host of started.slice(0, 8)) answer(host);
  for (let index = 0; index < 10; index += 1) await turn();
  assert.deepEqual(started.slice(8).toSorted(), ['other.example', 'other.test']);
  guard.reset();
});
