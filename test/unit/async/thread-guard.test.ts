import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openThreadPool } from '../../../main/async/threads.ts';
import { waitUntil } from '../../support/wait-until.ts';

const filename = fileURLToPath(import.meta.resolve('./guarded-program.ts'));

test('an aborted task ends after its guarded call, and other tasks continue', async () => {
  const threads = openThreadPool<{ state: SharedArrayBuffer }, undefined>({
    filename,
    minThreads: 0,
    maxThreads: 2,
  });
  const states = Array.from({ length: 4 }, () => new SharedArrayBuffer(8));
  const cellsOf = (state: SharedArrayBuffer | undefined) => new Int32Array(state ?? new SharedArrayBuffer(8));
  const abort = new AbortController();
  const tasks = states.map((state, index) =>
    threads.run({ state }, index === 0 ? { signal: abort.signal } : {}).then(
      () => 'done',
      (problem: unknown) => problem,
    ),
  );
  await waitUntil('the call has begun', () => cellsOf(states[0])[0] === 1);
  const reason = new Error('aborted');
  abort.abort(reason);
  assert.deepEqual(await Promise.all(tasks), [reason, 'done', 'done', 'done']);
  assert.deepEqual(
    states.map((state) => cellsOf(state)[1]),
    [1, 1, 1, 1],
  );
  await threads[Symbol.asyncDispose]();
});
