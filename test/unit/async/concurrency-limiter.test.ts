import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConcurrencyLimiter } from '../../../main/async/concurrency-limiter.ts';

test('runs as many tasks of a key as allowed, in order; tasks of other keys do not wait', async () => {
  const limiter = new ConcurrencyLimiter<string>(2);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (key: string, name: string) =>
    limiter.run(key, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const tasks = [start('a', 'a1'), start('a', 'a2'), start('a', 'a3'), start('a', 'a4'), start('b', 'b1')];
  await new Promise(setImmediate);
  assert.deepEqual(begun, ['a1', 'a2', 'b1']);
  assert.equal(limiter.waitingCount('a'), 2);
  ends.get('a2')?.();
  await tasks[1];
  await new Promise(setImmediate);
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'a3']);
  for (const name of ['a1', 'a3', 'b1']) ends.get(name)?.();
  await new Promise(setImmediate);
  ends.get('a4')?.();
  await Promise.all(tasks);
  assert.equal(limiter.waitingCount('a'), 0);
});

test('starts the next task after one has failed', async () => {
  const limiter = new ConcurrencyLimiter<string>(1);
  const failing = limiter.run('a', () => Promise.reject(new Error('no')));
  const next = limiter.run('a', () => Promise.resolve('next'));
  await assert.rejects(failing, /no/);
  assert.equal(await next, 'next');
});
