import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openThreadPool } from '../../../main/async/threads.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { GuardedTask } from './guarded-program.ts';

const filename = fileURLToPath(import.meta.resolve('./guarded-program.ts'));

test('an aborted task ends after its guarded call, and other tasks continue', async () => {
  const threads = openThreadPool<GuardedTask, number>({
    filename,
    minThreads: 0,
    maxThreads: 2,
  });
  const states = Array.from({ length: 4 }, () => new SharedArrayBuffer(8));
  const cellsOf = (state: SharedArrayBuffer | undefined) => new Int32Array(state ?? new SharedArrayBuffer(8));
  const abort = new AbortController();
  const tasks = states.map((state, index) =>
    threads.run({ state, milliseconds: 300 }, index === 0 ? { signal: abort.signal } : {}).then(
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

test('a thread that is aborted during an import ends after it, and the process continues', async () => {
  await using threads = openThreadPool<GuardedTask, number>({ filename, minThreads: 1, maxThreads: 1 });
  const state = new SharedArrayBuffer(8);
  const abort = new AbortController();
  const task = { state, milliseconds: 0, imports: true } as const;
  const aborted = threads.run(task, { signal: abort.signal }).catch((problem: unknown) => problem);
  const cells = new Int32Array(state);
  await waitUntil('the import has begun', () => cells[0] === 1);
  const reason = new Error('aborted');
  abort.abort(reason);
  assert.equal(await aborted, reason);
  await threads.run({ state: new SharedArrayBuffer(8), milliseconds: 0 });
  assert.equal(cells[1], 1);
});

test('a task that is aborted while its thread answers does not end the next task of the thread', async () => {
  await using threads = openThreadPool<GuardedTask, number>({ filename, minThreads: 1, maxThreads: 1 });
  const run = (signal?: AbortSignal) =>
    threads.run({ state: new SharedArrayBuffer(8), milliseconds: 3 }, signal && { signal });
  await run();
  for (let round = 0; round < 60; round += 1) {
    const abort = new AbortController();
    const aborted = run(abort.signal).catch(() => {});
    const next = run();
    await setImmediate();
    // Blocks the main thread, so that in many rounds it has not read the answer of the first task when it aborts the task.
    const begun = performance.now();
    while (performance.now() < begun + 2 + round / 30);
    abort.abort();
    await Promise.all([aborted, next]);
  }
});

test('tasks continue after a thread ran out of memory in a guarded call and another one was aborted', async () => {
  const options = { filename, minThreads: 0, maxThreads: 2, resourceLimits: { maxOldGenerationSizeMb: 50 } };
  await using threads = openThreadPool<GuardedTask, number>(options);
  const run = (task: Partial<GuardedTask>, signal?: AbortSignal) =>
    threads.run({ state: new SharedArrayBuffer(8), milliseconds: 3, ...task }, signal && { signal });
  await assert.rejects(run({ exhaustsMemory: true }), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
  const state = new SharedArrayBuffer(8);
  const abort = new AbortController();
  const aborted = run({ state, milliseconds: 300 }, abort.signal).catch((problem: unknown) => problem);
  await waitUntil('the call has begun', () => new Int32Array(state)[0] === 1);
  const reason = new Error('aborted');
  abort.abort(reason);
  assert.equal(await aborted, reason);
  await run({});
});

test('tasks after one whose thread keeps more than 300 MB run in a new thread, and running tasks end', async () => {
  await using threads = openThreadPool<GuardedTask, number>({ filename, minThreads: 0, maxThreads: 1 });
  const run = (task: Partial<GuardedTask> = {}) =>
    threads.run({ state: new SharedArrayBuffer(8), milliseconds: 3, ...task });
  const first = await run();
  const [grown, waiting] = await Promise.all([run({ keepsMemory: true }), run()]);
  const next = await run();
  assert.deepEqual([grown, waiting, next === first], [first, first, false]);
});
