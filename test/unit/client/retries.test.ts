import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secondsIn, withRetries } from '../../../client/retries.ts';

function respondWith(...statuses: readonly number[]) {
  const received: number[] = [];
  const remaining = [...statuses];
  const ask = () => {
    const status = remaining.shift() ?? 200;
    received.push(status);
    return Promise.resolve(
      new Response('', { status, ...(status >= 400 && { headers: { 'retry-after': '1' } }) }),
    );
  };
  return { ask, received };
}

test('a request to a busy service is retried after the time in Retry-After', async () => {
  const began = performance.now();
  const { ask, received } = respondWith(503);
  assert.equal((await withRetries(ask, { patience: 10 })).status, 200);
  assert.deepEqual(received, [503, 200]);
  assert.ok(performance.now() - began >= 990);
});

test('a request is not retried if its Retry-After exceeds the maximum wait', async () => {
  const { ask, received } = respondWith(429, 503, 503);
  assert.equal((await withRetries(ask, { patience: 0 })).status, 429);
  assert.equal((await withRetries(ask, { patience: 0.5 })).status, 503);
  assert.deepEqual(received, [429, 503]);
});

test('responses other than 429 and 503 are not retried', async () => {
  for (const status of [400, 401, 403, 413, 500, 502]) {
    const { ask, received } = respondWith(status);
    assert.equal((await withRetries(ask, { patience: 10 })).status, status);
    assert.deepEqual(received, [status]);
  }
});

test('an abort before or during the wait for a retry rejects with its reason', async () => {
  const controller = new AbortController();
  const { ask, received } = respondWith(503);
  const reason = new Error('enough');
  const retried = withRetries(
    async () => {
      const answer = await ask();
      setImmediate(() => {
        controller.abort(reason);
      });
      return answer;
    },
    { patience: 600, signal: controller.signal },
  );
  await assert.rejects(retried, reason);
  await assert.rejects(
    withRetries(respondWith(503).ask, { patience: 600, signal: controller.signal }),
    reason,
  );
  assert.deepEqual(received, [503]);
});

test('Retry-After is read as seconds or as a date (RFC 9110)', () => {
  assert.equal(secondsIn('7'), 7);
  const inAMinute = secondsIn(new Date(Date.now() + 60_000).toUTCString()) ?? 0;
  assert.ok(inAMinute > 50 && inAMinute <= 60, String(inAMinute));
  assert.equal(secondsIn('Thu, 01 Jan 1970 00:00:00 GMT'), 0);
  assert.equal(secondsIn('soon'), undefined);
  assert.equal(secondsIn(null), undefined);
});
