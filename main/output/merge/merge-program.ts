/** The subprocess that merges PDF files. */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { messageOf } from '../../failure/failure.ts';
import { handleTask } from '../../subprocess/handle-task.ts';
import type { MergeAnswer, MergeTask } from './merge-pdfs.ts';
import { PdfMerger } from './pdf-merger.ts';

handleTask(async ({ json }) => ({ json: await merge(json as MergeTask), bytes: new Uint8Array() }));

async function merge({ documents, out }: MergeTask): Promise<MergeAnswer> {
  const file = openSync(out, 'wx', 0o600);
  try {
    const merger = new PdfMerger(file, documents.length);
    for (const { path, ...bookmark } of documents) {
      try {
        await merger.add(await readFile(path), bookmark);
      } catch (problem) {
        return { problem: `document ${bookmark.number} cannot be merged: ${messageOf(problem)}` };
      }
    }
    const size = merger.end();
    fsyncSync(file);
    return size;
  } finally {
    closeSync(file);
  }
}
