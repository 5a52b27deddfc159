/**
 * Threads in which printed PDFs are finished, so that HTTP answers meanwhile. They are kept: a new one would take longer to
 * start than most documents to finish, so one is there from the start.
 */
import { join } from 'node:path';
import { Failure } from '../failure/failure.ts';
import type { Finished, FinishOrder } from './finish/order.ts';
import type { FinishAnswer } from './finish/worker.ts';

export interface Finisher extends AsyncDisposable {
  /** @throws Failure as the steps say; the signal's reason, and the thread's work ends then */
  readonly finish: (order: FinishOrder, signal: AbortSignal) => Promise<Finished>;
}

const idleTimeout = 60_000;

/** `threads` at most work at once; the others wait. */
export async function openFinisher(threads: number): Promise<Finisher> {
  // It comes as an ES module only, and the service is CommonJS.
  const { Tinypool } = await import('tinypool');
  const filename = join(import.meta.dirname, 'finish-worker.cjs');
  const pool = new Tinypool({ filename, minThreads: 1, maxThreads: threads, idleTimeout });
  // A thread that fails with nothing to do must not end the service.
  pool.on('error', () => {});
  return {
    async finish(order, signal) {
      signal.throwIfAborted();
      const answer = (await pool.run(order, { signal }).catch((problem: unknown) => {
        signal.throwIfAborted();
        throw problem;
      })) as FinishAnswer;
      if ('finished' in answer) return answer.finished;
      throw new Failure(answer.kind, answer.sentence);
    },
    async [Symbol.asyncDispose]() {
      await pool.destroy();
    },
  };
}
