/** Packs a chosen folder, as the archive a caller would have sent. */
import type { Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { create } from 'tar';
import { Failure } from '../failure/failure.ts';

interface Packing {
  /** Absolute. */
  readonly from: string;
  /** The file that is made. */
  readonly to: string;
  /** Bytes. */
  readonly most: number;
}

/** Whole folders of other people's files, which no document is made of. */
const left = new Set(['node_modules', '.git']);

/**
 * Regular files and folders; links are left out, so that nothing outside comes along. Its size in bytes.
 * @throws Failure uploadTooLarge
 */
export async function packFolder({ from, to, most }: Packing): Promise<number> {
  const file = await open(to, 'wx', 0o600);
  try {
    let size = 0;
    for await (const bytes of create({ cwd: from, portable: true, filter: isWanted }, ['.'])) {
      size += bytes.length;
      if (size > most)
        throw new Failure('uploadTooLarge', `The folder is larger than ${most / 1e6} MB, the upload limit.`);
      await file.write(bytes);
    }
    return size;
  } finally {
    await file.close();
  }
}

function isWanted(path: string, found: Stats | object): boolean {
  const stats = found as Stats;
  return !left.has(basename(path)) && (stats.isFile() || stats.isDirectory());
}
