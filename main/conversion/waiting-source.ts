/** Keeps the documents of jobs that wait for a window on disk: 64 templates of 90 bytes can become 90 MB each. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Source } from '../input/source.ts';
import type { JobFolder } from '../job/job.ts';

/** In bytes. Writing and reading a smaller document costs more than the memory is worth. */
const maxInMemory = 2_000_000;

export interface WaitingSource {
  /** The source without a large document. */
  readonly waiting: Source;
  /** Returns the whole source. */
  readonly whole: () => Promise<Source>;
}

/** Writes a large document into the folder of its job. */
export async function keepOnDisk(source: Source, folder: JobFolder): Promise<WaitingSource> {
  if (source.kind !== 'document' || source.staticText !== undefined || source.bytes.length <= maxInMemory)
    return { waiting: source, whole: () => Promise.resolve(source) };
  const path = join(folder.path(), 'prepared-document');
  await writeFile(path, source.bytes, { flag: 'wx', mode: 0o600 });
  const waiting = { ...source, bytes: Buffer.alloc(0) };
  return { waiting, whole: async () => ({ ...waiting, bytes: await readFile(path) }) };
}
