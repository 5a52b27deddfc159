/** Threads in which pixels become PNG data, so that HTTP answers meanwhile. They are kept: most pictures are done sooner than one starts. */
import { join } from 'node:path';
import { openThreads } from '../../threads.ts';
import type { BandOrder, BandPart } from './band.ts';

export interface Press extends AsyncDisposable {
  /** The order's pixels are the thread's after that. @throws the signal's reason */
  readonly encode: (order: BandOrder, signal: AbortSignal) => Promise<BandPart>;
}

/** `threads` at most work at once; the others wait. */
export function openPress(threads: number): Press {
  const encoding = openThreads<BandOrder, BandPart>({
    filename: join(import.meta.dirname, 'png-worker.cjs'),
    ...{ minThreads: 0, maxThreads: threads },
  });
  return {
    encode: (order, signal) => encoding.run(order, { signal, transferList: [order.pixels.buffer] }),
    [Symbol.asyncDispose]: () => encoding[Symbol.asyncDispose](),
  };
}
