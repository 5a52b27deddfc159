import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TickLimiter } from '../../../../main/engine/requests/request-tracker.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a tick limiter with a limit of three runs three callbacks per event-loop turn, in order', async () => {
  const limiter = new TickLimiter(3);
  const passed: number[] = [];
  for (let n = 0; n < 8; n += 1) limiter.run(() => passed.push(n));
  const counts = [passed.length];
  while (passed.length < 8) {
    await turn();
    counts.push(passed.length);
  }
  assert.deepEqual(passed, [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(
    [...new Set(counts)].filter((count) => count > 0),
    [3, 6, 8],
  );
});

test('a tick limiter runs a new callback after deferred ones, or immediately if there are none', async () => {
  const limiter = new TickLimiter(2);
  const passed: string[] = [];
  for (const name of ['a', 'b', 'c']) limiter.run(() => passed.push(name));
  limiter.run(() => passed.push('late'));
  assert.deepEqual(passed, ['a', 'b']);
  while (passed.length < 4) await turn();
  assert.deepEqual(passed, ['a', 'b', 'c', 'late']);
  await turn();
  await turn();
  limiter.run(() => passed.push('alone'));
  assert.equal(passed.at(-1), 'alone');
});
