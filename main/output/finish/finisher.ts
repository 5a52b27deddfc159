/**
 * The pool of threads that finish printed PDFs and captured pictures, so that the main thread stays responsive. Threads are
 * reused and one starts in advance, because starting a thread takes longer than finishing most documents.
 */
import { join } from 'node:path';
import { Failure } from '../../failure/failure.ts';
import { openThreadPool } from '../../async/threads.ts';
import type { Finished, FinishOrder } from './order.ts';
import type { FinishAnswer, ThreadOrder } from './finisher-thread.ts';

export interface Finisher extends AsyncDisposable {
  /** Starts a thread before the first document. Never rejects. */
  readonly prepare: () => Promise<void>;
  /** @throws Failure from a step, or the reason of the signal, which also ends the work of the thread */
  readonly finish: (order: FinishOrder, signal: AbortSignal) => Promise<Finished>;
  /**
   * Returns the picture in fewer bytes, if possible (finish/repack-png.ts). Cannot be aborted, because starting another thread
   * would take longer. @throws Error if no thread can be started
   */
  readonly repack: (png: Uint8Array) => Promise<Buffer>;
}

/** At most `threads` orders run at the same time; others wait. */
export function openFinisher(threads: number): Finisher {
  const finishing = openThreadPool<ThreadOrder, FinishAnswer>({
    filename: join(import.meta.dirname, 'finish-worker.cjs'),
    ...{ minThreads: 1, maxThreads: threads },
  });
  return {
    prepare: finishing.prepare,
    async finish(order, signal) {
      const answer = await finishing.run({ finish: order }, { signal });
      return 'finished' in answer ? answer.finished : refused(answer);
    },
    async repack(png) {
      const answer = await finishing.run({ repack: png });
      const { buffer, byteOffset, byteLength } = 'repacked' in answer ? answer.repacked : refused(answer);
      return Buffer.from(buffer, byteOffset, byteLength);
    },
    async [Symbol.asyncDispose]() {
      await finishing[Symbol.asyncDispose]();
    },
  };
}

function refused(answer: FinishAnswer): never {
  if ('kind' in answer) throw new Failure(answer.kind, answer.sentence);
  throw new Error('The finishing thread sent a result of another kind than its order.');
}
