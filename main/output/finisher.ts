/**
 * Threads in which printed PDFs are finished, so that HTTP answers meanwhile. They are kept: a new one would take longer to
 * start than most documents to finish, so one is there before the first.
 */
import { join } from 'node:path';
import { Failure } from '../failure/failure.ts';
import { openThreads } from '../threads.ts';
import type { Finished, FinishOrder } from './finish/order.ts';
import type { FinishAnswer } from './finish/worker.ts';

export interface Finisher extends AsyncDisposable {
  /** Starts a thread ahead of the first document. Never rejects. */
  readonly prepare: () => Promise<void>;
  /** @throws Failure as the steps say; the signal's reason, and the thread's work ends then */
  readonly finish: (order: FinishOrder, signal: AbortSignal) => Promise<Finished>;
}

/** `threads` at most work at once; the others wait. */
export function openFinisher(threads: number): Finisher {
  const finishing = openThreads<FinishOrder, FinishAnswer>({
    filename: join(import.meta.dirname, 'finish-worker.cjs'),
    ...{ minThreads: 1, maxThreads: threads },
  });
  return {
    prepare: finishing.prepare,
    async finish(order, signal) {
      const answer = await finishing.run(order, { signal });
      if ('finished' in answer) return answer.finished;
      throw new Failure(answer.kind, answer.sentence);
    },
    async [Symbol.asyncDispose]() {
      await finishing[Symbol.asyncDispose]();
    },
  };
}
