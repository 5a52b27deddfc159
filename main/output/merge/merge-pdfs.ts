/** Merges PDF files in a subprocess, so that neither the time nor the memory of a large merge affects the service. */
import { join } from 'node:path';
import { runInSubprocess } from '../../subprocess/run-in-subprocess.ts';
import type { MergedSize } from './pdf-merger.ts';

export interface MergeTask {
  /** In the order of the merged document; at least one. */
  readonly documents: readonly DocumentToMerge[];
  /** Path of the merged file, which must not exist. */
  readonly out: string;
}

export interface DocumentToMerge {
  /** Path of a PDF file. */
  readonly path: string;
  /** The title of the bookmark that leads to the document. Default: the title of the document, then its number. */
  readonly title?: string;
  readonly number: number;
}

export type MergeAnswer = MergedSize | { readonly problem: string };

/** Only one document is in memory at a time, so this limits the size of one document rather than their number. */
const heapBytes = 2_000_000_000;
const timeoutMs = 60_000;
/** Reading and writing a document of ten pages takes about 20 ms. */
const timeoutPerDocumentMs = 2000;

/**
 * Merges the files.
 * @throws Error that names the document if one cannot be read; SubprocessExitError; the signal's reason
 */
export async function mergePdfs(task: MergeTask, signal: AbortSignal): Promise<MergedSize> {
  const program = join(import.meta.dirname, 'merge-worker.cjs');
  const { json } = await runInSubprocess(
    {
      program,
      heapBytes,
      timeoutMs: timeoutMs + timeoutPerDocumentMs * task.documents.length,
      createTimeoutError: () => new Error(`merging ${task.documents.length} documents took too long`),
      json: task,
      bytes: new Uint8Array(),
    },
    signal,
  );
  const answer = json as MergeAnswer;
  if ('problem' in answer) throw new Error(answer.problem);
  return answer;
}
