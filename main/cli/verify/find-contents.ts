/** Finds the contents and files of a request in a folder, by their digests. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Of } from '../../async/sha256.ts';
import type { RequestValue } from '../../log/events.ts';
import { counted } from '../../log/findings/phrases.ts';
import { UsageProblem } from '../terminal.ts';

export type RequestContent = Extract<RequestValue, { readonly sha256: string }>;

/** Returns the bytes for each digest. @throws UsageProblem that names the inputs without a file */
export async function findContents(
  folder: string,
  contents: readonly RequestContent[],
): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>();
  const digests = new Set(contents.map(({ sha256 }) => sha256));
  const largest = Math.max(0, ...contents.map(({ bytes }) => bytes));
  for (const path of await filesIn(folder)) {
    const { size } = await stat(path);
    // Larger files cannot be inputs. Smaller ones may be, because many clients send line breaks of texts as CRLF.
    if (size > largest) continue;
    const file = await readFile(path);
    for (const bytes of [file, withCrlf(file)]) {
      const digest = await sha256Of(bytes);
      if (digests.has(digest)) found.set(digest, bytes);
    }
    if (found.size === digests.size) break;
  }
  const missing = contents.filter(({ sha256 }) => !found.has(sha256));
  if (missing.length === 0) return found;
  const names = missing.map(
    ({ name, file, bytes }) => `${name}${file === undefined ? '' : ` "${file}"`} (${counted(bytes, 'byte')})`,
  );
  throw new UsageProblem(
    `${folder} has no file with the content of ${names.join(', ')}. A file may have any name, but must have the same bytes as in the request.`,
  );
}

/** Returns the text with CRLF as its line breaks. */
function withCrlf(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll(/\r?\n/g, '\r\n'), 'latin1');
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => {
    throw new UsageProblem(`${folder} is not a folder that can be read.`);
  });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
