import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextTurn, yieldingToEventLoop } from '../../../main/async/yielding.ts';

test('in each turn of the event loop, one step of all the work runs', async () => {
  let steps = 0;
  let isOver = false;
  const works = Array.from({ length: 50 }, async () => {
    for (let step = 0; step < 4; step += 1) {
      await nextTurn();
      steps += 1;
    }
  });
  let most = 0;
  const watch = async () => {
    while (!isOver) {
      const before = steps;
      await new Promise(setImmediate);
      most = Math.max(most, steps - before);
    }
  };
  const watching = watch();
  await Promise.all(works);
  isOver = true;
  await watching;
  assert.equal(steps, 200);
  assert.ok(most <= 2, `${most} steps`);
});

test('values are yielded unchanged and in order, however long each takes', async () => {
  const seen: number[] = [];
  for await (const value of yieldingToEventLoop([1, 2, 3])) {
    const began = performance.now();
    while (performance.now() - began < 6);
    seen.push(value);
  }
  assert.deepEqual(seen, [1, 2, 3]);
});
