/** Files of the disk, for Node.js and what has its modules. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Conversion } from './conversion.ts';
import type { NamedFile } from './file-input.ts';

/** A file to send. It is read as it is sent, however large; by Node 18 it is read at once. */
export async function openFile(path: string): Promise<NamedFile> {
  const name = basename(path);
  // Node 18 has none.
  return { name, content: 'openAsBlob' in fs ? await fs.openAsBlob(path) : new Blob([await readFile(path)]) };
}

/** Writes the output as it arrives. What is at the path is replaced when all of it has come, never by half a file. */
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
