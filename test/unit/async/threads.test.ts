import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { isOutOfResources } from '../../../main/failure/failure.ts';
import { loadThreadPool, openThreadPool, type ThreadPool } from '../../../main/async/threads.ts';

/** A worker that posts a message when it starts, and returns the reply to that message. */
const program = `export default ({ port }) => new Promise((resolve) => {
  port.once('message', (said) => { port.close(); resolve(said); });
  port.postMessage('begun');
});`;

interface TaskInput {
  readonly port: MessagePort;
}

const filename = join(mkdtempSync(join(tmpdir(), 'platen-threads-')), 'program.mjs');
writeFileSync(filename, program);

function begin(threads: ThreadPool<TaskInput, string>, signal = new AbortController().signal) {
  const { port1, port2 } = new MessageChannel();
  const answer = threads.run({ port: port2 }, { signal, transferList: [port2] });
  answer.catch(() => {
    port1.close();
  });
  const end = (message: string) => {
    port1.postMessage(message);
  };
  return { answer, end, begun: once(port1, 'message') };
}

/** Opens file descriptors up to the process limit until it is disposed. */
function takeDescriptors(): Disposable {
  const limit = readdirSync('/proc/self/fd').length + 200;
  execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${limit}:`]);
  const descriptors: number[] = [];
  try {
    for (;;) descriptors.push(openSync('/dev/null', 'r'));
  } catch {
    // The limit is reached.
  }
  return {
    [Symbol.dispose]() {
      for (const descriptor of descriptors) closeSync(descriptor);
    },
  };
}

const sizes = { filename, minThreads: 0, maxThreads: 2 };

const skip =
  process.platform === 'linux'
    ? false
    : 'prlimit, which limits the file descriptors of the process, exists only on Linux';

// Must run first: after any other test, the modules that need descriptors would already be loaded.
test('a task fails while no file descriptors are free, and later tasks succeed', { skip }, async () => {
  await loadThreadPool();
  await using threads = openThreadPool<TaskInput, string>(sizes);
  {
    using _taken = takeDescriptors();
    await assert.rejects(begin(threads).answer, isOutOfResources);
  }
  const later = begin(threads);
  later.end('later');
  assert.equal(await later.answer, 'later');
});

test('a running or waiting task rejects with the reason of its signal', async () => {
  await using threads = openThreadPool<TaskInput, string>({ ...sizes, maxThreads: 1 });
  const controller = new AbortController();
  const never = new AbortController();
  const first = begin(threads, controller.signal);
  await first.begun;
  const second = begin(threads, never.signal);
  never.abort(new Error('never begun'));
  await assert.rejects(second.answer, /never begun/);
  controller.abort(new Error('gone'));
  await assert.rejects(first.answer, /gone/);
});

test('a thread that cannot start fails only the tasks that wait for it', { skip }, async () => {
  await using threads = openThreadPool<TaskInput, string>(sizes);
  const first = begin(threads);
  await first.begun;
  const controller = new AbortController();
  {
    using _taken = takeDescriptors();
    await assert.rejects(begin(threads, controller.signal).answer, isOutOfResources);
  }
  // The failed task is no longer queued, so this abort has no effect.
  controller.abort();
  first.end('done');
  assert.equal(await first.answer, 'done');
  const next = [begin(threads), begin(threads)];
  for (const { end } of next) end('next');
  assert.deepEqual(await Promise.all(next.map(({ answer }) => answer)), ['next', 'next']);
});
