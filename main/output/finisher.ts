/**
 * Threads in which printed PDFs are finished, so that HTTP answers meanwhile. They are kept: a new one would take longer to
 * start than most documents to finish, so one is there from the start.
 */
import { join } from 'node:path';
import { Failure } from '../failure/failure.ts';
import { hasNoRoom } from '../failure/no-room.ts';
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
  pool.setMaxListeners(0).on('error', () => {});
  return {
    async finish(order, signal) {
      signal.throwIfAborted();
      const unstarted = new AbortController();
      // A task whose thread cannot start would wait for the next one's: the pool tells nobody.
      const onError = (problem: Error) => {
        if (hasNoRoom(problem)) unstarted.abort(problem);
      };
      pool.on('error', onError);
      const end = AbortSignal.any([signal, unstarted.signal]);
      const answer = (await pool
        .run(order, { signal: end })
        .catch((problem: unknown) => {
          end.throwIfAborted();
          throw problem;
        })
        .finally(() => pool.off('error', onError))) as FinishAnswer;
      if ('finished' in answer) return answer.finished;
      throw new Failure(answer.kind, answer.sentence);
    },
    async [Symbol.asyncDispose]() {
      await pool.destroy();
    },
  };
}
