/**
 * Owns unpacking an uploaded archive into a job's folder, in a worker thread that can be ended whatever it is doing.
 * It knows nothing of options, settings and windows.
 */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Extracted } from './extracted.ts';
import type { ArchiveLimits } from './limits.ts';
import { refusal } from './refusal.ts';
import type { Order } from './unpack.ts';
import type { Answer } from './worker.ts';

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
  request.signal.throwIfAborted();
  const worker = startWorker(request);
  const over = new AbortController();
  try {
    return await Promise.race([answerOf(worker), interruption(request, over.signal)]);
  } finally {
    over.abort();
    await worker.terminate();
  }
}

/**
 * Heaps are limited here; buffers are not part of them, and are bounded by the upload's size.
 */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

function startWorker({ path, folder, limits, workerFile }: ExtractionRequest): Worker {
  const workerData: Order = { path, folder, limits };
  return new Worker(workerFile ?? join(import.meta.dirname, 'archive-worker.cjs'), {
    workerData,
    resourceLimits,
    env: {},
    execArgv: [],
  });
}

function answerOf(worker: Worker): Promise<Extracted> {
  return new Promise((resolve, reject) => {
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

/** Rejects when the job's signal aborts or the time is up; never settles once it is `over`. */
function interruption({ signal, limits }: ExtractionRequest, over: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = (): void => {
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', stop, { signal: over });
    const timer = setTimeout(() => {
      reject(tooSlow(limits));
    }, limits.time);
    over.addEventListener('abort', () => {
      clearTimeout(timer);
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

function tooSlow({ time }: ArchiveLimits): Error {
  return refusal(`The archive takes longer than ${time / 1000} s to unpack; send a smaller one.`);
}
