/**
 * The pool of threads that finish printed PDFs and captured images, so that the main thread stays responsive. Threads are reused,
 * and one is started in advance, because starting a thread takes longer than finishing most documents.
 */
import { join } from 'node:path';
import { Failure } from '../../failure/failure.ts';
import { openThreadPool, transferable } from '../../async/threads.ts';
import type { FinishResult, FinishTask } from './finish-task.ts';
import type { ThreadResult, ThreadTask } from './finisher-thread.ts';
import { bufferOf } from '../../input/bytes.ts';

export interface Finisher extends AsyncDisposable {
  /** Starts a thread before the first document. Never rejects. */
  readonly prepare: () => Promise<void>;
  /**
   * Performs the task in a thread. If the signal aborts, the thread's work ends. @throws Failure from a step; the signal's reason
   */
  readonly finish: (task: FinishTask, signal: AbortSignal) => Promise<FinishResult>;
  /**
   * Recompresses a PNG to fewer bytes, if possible (repack-png.ts). Cannot be aborted, because starting a new thread would take
   * longer.
   * @throws Error if no thread can be started
   */
  readonly repack: (png: Uint8Array) => Promise<Buffer>;
}

/** Opens the pool. At most `threads` tasks run at the same time; further tasks wait. */
export function openFinisher(threads: number): Finisher {
  const options = {
    filename: join(import.meta.dirname, 'finish-worker.cjs'),
    minThreads: 1,
    maxThreads: threads,
  };
  const pool = openThreadPool<ThreadTask, ThreadResult>(options);
  return {
    prepare: pool.prepare,
    async finish(task, signal) {
      const result = await pool.run(
        { finish: task },
        { signal, transferList: transferable(buffersOf(task)) },
      );
      return 'finished' in result ? result.finished : throwProblem(result);
    },
    async repack(png) {
      const result = await pool.run({ repack: png });
      return bufferOf('repacked' in result ? result.repacked : throwProblem(result));
    },
    async [Symbol.asyncDispose]() {
      await pool[Symbol.asyncDispose]();
    },
  };
}

/** Returns the long byte arrays of a task. Nothing uses them after the task. */
function buffersOf({ printed, headersAndFooters = [], stamps = [], jpegs = [] }: FinishTask): Uint8Array[] {
  const layers = [...headersAndFooters.map(({ pdf }) => pdf), ...stamps.map(({ bytes }) => bytes)];
  return [printed, ...layers, ...jpegs];
}

function throwProblem(result: ThreadResult): never {
  if ('kind' in result) throw new Failure(result.kind, result.message);
  throw new Error('The finishing thread returned a result that does not match its task.');
}
