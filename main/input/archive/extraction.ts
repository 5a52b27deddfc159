/**
 * Owns unpacking an uploaded archive into a job's folder, in a worker thread that can be ended whatever it is doing.
 * It knows nothing of options, settings and windows.
 */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Extracted } from './extracted.ts';
import type { ArchiveLimits } from './limits.ts';
import { refusal } from './refusal.ts';
import type { Answer, WorkerOrder } from './worker.ts';

export interface ExtractionRequest {
  /** The uploaded file. */
  readonly path: string;
  /** The job's own folder: it exists, is empty, and is the caller's to remove, also after a failure. */
  readonly folder: string;
  readonly limits: ArchiveLimits;
  readonly signal: AbortSignal;
  /** The compiled worker; the service's lies beside the service. */
  readonly workerFile?: string;
}

/**
 * @throws Failure archiveUnusable, with a sentence saying which entry and why; the signal's reason when it aborts.
 * When it returns or throws, the worker has ended: nothing is written any more.
 */
export async function extractArchive(request: ExtractionRequest): Promise<Extracted> {
  const { signal, limits } = request;
  signal.throwIfAborted();
  const progress = new SharedArrayBuffer(4);
  const worker = startWorker(request, progress);
  const ending = new AbortController();
  const watch = watchProgress(new Int32Array(progress), () => {
    ending.abort(hung());
  });
  const timer = setTimeout(() => {
    ending.abort(tooSlow(limits));
  }, limits.time);
  try {
    return await answerOf(worker, AbortSignal.any([signal, ending.signal]));
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    await worker.terminate();
  }
}

/**
 * Heaps are limited here; buffers are not part of them, and are bounded by what the archive itself may be. Standard input
 * and output stay away from the service's.
 */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

function startWorker(
  { path, folder, limits, workerFile }: ExtractionRequest,
  progress: SharedArrayBuffer,
): Worker {
  const workerData: WorkerOrder = { path, folder, limits, progress };
  return new Worker(workerFile ?? join(import.meta.dirname, 'archive-worker.cjs'), {
    workerData,
    resourceLimits,
    env: {},
    execArgv: [],
  });
}

function answerOf(worker: Worker, signal: AbortSignal): Promise<Extracted> {
  return new Promise((resolve, reject) => {
    signal.addEventListener(
      'abort',
      () => {
        reject(signal.reason as Error);
      },
      { once: true },
    );
    worker.on('message', (answer: Answer) => {
      if (answer.kind === 'extracted') resolve(answer.extracted);
      else reject(refusal(answer.sentence, answer.cause));
    });
    worker.on('error', (error) => {
      reject(asFailure(error));
    });
    worker.on('exit', (code) => {
      reject(new Error(`The archive worker ended with code ${code} and no answer.`));
    });
  });
}

function asFailure(error: unknown): Error {
  if (!(error instanceof Error)) return new Error('The archive worker failed.', { cause: error });
  const outOfMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return outOfMemory
    ? refusal('The archive takes too much memory to unpack; pack the files again, or send fewer.', error)
    : error;
}

/** A block of bzip2 is decoded within a fifth of a second; it hangs when nothing has moved for this long (milliseconds). */
const longestSilence = 1_500;

/** seek-bzip's loop over a run has no end when the run's length overflows, so the outside must see that it hangs. */
function watchProgress(progress: Int32Array, hang: () => void): NodeJS.Timeout {
  let [last, since] = [0, Date.now()];
  return setInterval(() => {
    const now = Atomics.load(progress, 0);
    if (now === 0 || now !== last) [last, since] = [now, Date.now()];
    else if (Date.now() - since > longestSilence) hang();
  }, longestSilence / 10);
}

function hung(): Error {
  return refusal('The bzip2 archive is damaged: it cannot be decoded; pack the files again.');
}

function tooSlow({ time }: ArchiveLimits): Error {
  return refusal(`The archive takes longer than ${time / 1000} s to unpack; send a smaller one.`);
}
