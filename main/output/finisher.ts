/**
 * Threads in which printed PDFs and captured pictures are finished, so that HTTP answers meanwhile. They are kept: a new one
 * would take longer to start than most documents to finish, so one is there before the first.
 */
import { join } from 'node:path';
import { Failure } from '../failure/failure.ts';
import { openThreads } from '../threads.ts';
import type { Finished, FinishOrder } from './finish/order.ts';
import type { FinishAnswer, ThreadOrder } from './finish/worker.ts';

export interface Finisher extends AsyncDisposable {
  /** Starts a thread ahead of the first document. Never rejects. */
  readonly prepare: () => Promise<void>;
  /** @throws Failure as the steps say; the signal's reason, and the thread's work ends then */
  readonly finish: (order: FinishOrder, signal: AbortSignal) => Promise<Finished>;
  /**
   * The same picture in fewer bytes, if it can be (finish/repack-png.ts). Not to be ended: it takes less time than to start another
   * thread. @throws Error when no thread could start for it
   */
  readonly repack: (png: Uint8Array) => Promise<Buffer>;
}

/** `threads` at most work at once; the others wait. */
export function openFinisher(threads: number): Finisher {
  const finishing = openThreads<ThreadOrder, FinishAnswer>({
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
  throw new Error('a thread has answered what it was not asked');
}
