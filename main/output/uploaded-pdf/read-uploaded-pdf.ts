/**
 * Reads PDFs that callers send, in a subprocess with limits (docs/decisions/0075-uploaded-pdfs.md). Keeps the results for letterheads,
 * which come with every job.
 */
import { join } from 'node:path';
import { sha256Of } from '../../async/sha256.ts';
import { Failure } from '../../failure/failure.ts';
import { runInSubprocess, SubprocessExitError } from '../../subprocess/run-in-subprocess.ts';
import { maxDecodedBytes } from '../pdf-reader/inflate.ts';
import {
  plainLimits,
  type PlainPdf,
  type UploadProblem,
  type UploadedPdfAnswer,
  type UploadedPdfTask,
} from './task.ts';

interface UploadedPdf {
  /** The option that provides the file, for the error message. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

const heapBytes = 500_000_000;
const timeoutMs = 20_000;

/** Reads the PDFs of one job. */
export class UploadedPdfReader {
  #objectsLeft: number = plainLimits.objects;

  /**
   * Returns the first `maxPages` pages as a plain PDF (plain-pdf.ts). @throws Failure valueNotAllowed, which names the option, if the
   * bytes are no PDF that can be read; the signal's reason
   */
  async read({ name, bytes }: UploadedPdf, maxPages: number, signal: AbortSignal): Promise<Uint8Array> {
    const key = `${await sha256Of(bytes)} ${maxPages}`;
    const plain = takeRecent(key) ?? (await this.#convert({ name, bytes }, maxPages, signal));
    this.#objectsLeft -= plain.objects;
    if (this.#objectsLeft < 0) throw failureOf(name, 'too complex');
    // The finishing thread takes the bytes away, so it gets a copy of those that are kept.
    return keepRecent(key, plain) ? new Uint8Array(plain.bytes) : plain.bytes;
  }

  async #convert({ name, bytes }: UploadedPdf, maxPages: number, signal: AbortSignal): Promise<PlainPdf> {
    const json: UploadedPdfTask = { maxPages, maxObjects: this.#objectsLeft };
    const program = join(import.meta.dirname, 'uploaded-pdf-worker.cjs');
    const createTimeoutError = () => failureOf(name, 'too complex');
    const task = {
      program,
      heapBytes,
      timeoutMs,
      keepsSpare: true,
      createTimeoutError,
      json,
      bytes,
    } as const;
    const result = await runInSubprocess(task, signal).catch((problem: unknown) => {
      throw problem instanceof SubprocessExitError && problem.outOfMemory
        ? failureOf(name, 'too complex', problem)
        : problem;
    });
    const answer = result.json as UploadedPdfAnswer;
    if ('problem' in answer) throw failureOf(name, answer.problem, answer.cause);
    return { bytes: result.bytes, objects: answer.objects };
  }
}

const advice: Readonly<Record<UploadProblem, string>> = {
  'too complex': `is a PDF document that is too complex: the pages that are used may have ${maxDecodedBytes / 1e6} MB of content when decompressed, ${plainLimits.objects} objects together with those of the other files, ${plainLimits.stringBytes / 1e6} MB in a string, and objects nested ${plainLimits.nesting} deep; send a simpler document`,
  'needs a password':
    'is a PDF document that needs a password to open; remove the password and send the file again',
  damaged: 'is a damaged PDF document; save it again with a PDF program and send the new file',
};

function failureOf(name: string, problem: UploadProblem, cause?: unknown): Failure {
  return new Failure('valueNotAllowed', `The file of ${name} ${advice[problem]}.`, { cause });
}

// Recent results, by the digest of the uploaded bytes: starting a process takes longer than converting most documents.

/** In the order of their last use. */
const recent = new Map<string, PlainPdf>();
const maxRecentBytes = 20_000_000;
const maxRecentPdfBytes = 2_000_000;
let recentBytes = 0;

function takeRecent(key: string): PlainPdf | undefined {
  const plain = recent.get(key);
  if (plain !== undefined && recent.delete(key)) recentBytes -= memoryOf(plain);
  return plain;
}

/** Short results share a buffer of Node's pool with other data, which they keep in memory. */
function memoryOf({ bytes }: PlainPdf): number {
  return Math.max(bytes.length, Buffer.poolSize);
}

/** Returns whether the result is kept. */
function keepRecent(key: string, plain: PlainPdf): boolean {
  if (plain.bytes.length > maxRecentPdfBytes || recent.has(key)) return false;
  recent.set(key, plain);
  recentBytes += memoryOf(plain);
  for (const oldest of recent.keys()) {
    if (recentBytes <= maxRecentBytes) break;
    takeRecent(oldest);
  }
  return true;
}
