/** The worker's own program: one archive, one answer. Compiled to .build/archive-worker.cjs. */
import { parentPort, workerData } from 'node:worker_threads';
import { Failure } from '../../failure/failure.ts';
import type { Extracted } from './extracted.ts';
import { unpack, type Order } from './unpack.ts';

/** What comes back. A Failure does not survive the way between threads. */
export type Answer =
  | { readonly kind: 'extracted'; readonly extracted: Extracted }
  | { readonly kind: 'refused'; readonly sentence: string; readonly cause: string };

// seek-bzip says `new Buffer`, and outside node_modules, as a part of this bundle, that would be a warning a job.
process.noDeprecation = true;

const answer = (message: Answer): void => parentPort?.postMessage(message);

unpack(workerData as Order).then(
  (extracted) => {
    answer({ kind: 'extracted', extracted });
  },
  (error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    answer({
      kind: 'refused',
      sentence: error.message,
      cause: error.cause instanceof Error ? String(error.cause.stack) : '',
    });
  },
);
