/** The file that defines a service: read, and put in place. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Undefined when there is none. @throws Error with one sentence when it cannot be read */
export async function readDefinition(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new Error(`${path} cannot be read (${code}).`, { cause });
  }
}

/** Everybody may read it: no secret is ever in it. */
export async function writeDefinition(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { mode: 0o644 });
}
