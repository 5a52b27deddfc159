/** Reads and writes files, in Node.js and in runtimes that provide the modules of Node.js. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Conversion } from './conversion.ts';
import type { NamedFile } from './file-input.ts';

/**
 * Opens a file for a request. The client reads the file while sending it; in Node 18, `openFile` reads the whole file into memory.
 */
export async function openFile(path: string): Promise<NamedFile> {
  const name = basename(path);
  // Node 18 has no `openAsBlob`.
  return { name, content: 'openAsBlob' in fs ? await fs.openAsBlob(path) : new Blob([await readFile(path)]) };
}

/** Writes the output to a file as it arrives. An existing file is replaced only when the complete output has arrived. */
export async function saveAs({ body }: Pick<Conversion, 'body'>, path: string): Promise<void> {
  const part = `${path}.${randomUUID().slice(0, 8)}.part`;
  try {
    await writeFile(part, body);
    await rename(part, path);
  } catch (problem) {
    await rm(part, { force: true });
    throw problem;
  }
}
