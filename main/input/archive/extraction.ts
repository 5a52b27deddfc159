/**
 * Owns unpacking an uploaded archive into a job's folder, in a process that can be ended whatever it is doing.
 * It knows nothing of options, settings and windows.
 */
import { join } from 'node:path';
import { EndedApart, runApart, type Errand } from '../../apart/run-apart.ts';
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
 * When it returns or throws, the program has ended: nothing is written any more.
 */
export async function extractArchive(request: ExtractionRequest): Promise<Extracted> {
  try {
    const { about } = await runApart(errandOf(request), request.signal);
    return read(about as Answer);
  } catch (problem) {
    throw problem instanceof EndedApart && problem.outOfMemory ? tooHungry(problem) : problem;
  }
}

/** Heaps are limited here; buffers are not part of them, and are bounded by the upload's size. */
const heap = 128_000_000;

function errandOf({ path, folder, limits, workerFile }: ExtractionRequest): Errand {
  const order: Order = { path, folder, limits };
  const program = workerFile ?? join(import.meta.dirname, 'archive-worker.cjs');
  const late = () => tooSlow(limits);
  return { program, heap, time: limits.time, late, about: order, bytes: new Uint8Array() };
}

function read(answer: Answer): Extracted {
  switch (answer.kind) {
    case 'extracted':
      return answer.extracted;
    case 'refused':
      throw refusal(answer.sentence, answer.cause);
    case 'fault':
      throw Object.assign(new Error('The archive could not be unpacked.', { cause: answer.stack }), {
        code: answer.code,
      });
  }
}

function tooHungry(cause: EndedApart): Error {
  const sentence = 'The archive takes too much memory to unpack; pack the files again, or send fewer.';
  return refusal(sentence, cause);
}

function tooSlow({ time }: ArchiveLimits): Error {
  return refusal(`The archive takes longer than ${time / 1000} s to unpack; send a smaller one.`);
}
