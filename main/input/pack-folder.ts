/** Packs a folder of this machine, as the archive a caller would have sent. */
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
  /** Leaves out what is hidden: names that begin with a dot. */
  readonly plain?: true;
  /** Folder of the archive that all is put into. */
  readonly into?: string;
}

/** Whole folders of other people's files, which no document is made of. */
const left = new Set(['node_modules', '.git']);

/**
 * Regular files and folders; links are left out, so that nothing outside comes along. Its size in bytes.
 * @throws Failure uploadTooLarge
 */
export async function packFolder({ from, to, most, plain, into = '' }: Packing): Promise<number> {
  const file = await open(to, 'wx', 0o600);
  try {
    let size = 0;
    const filter = (path: string, found: object) => isWanted(path, found, plain);
    for await (const bytes of create({ cwd: from, portable: true, prefix: into, filter }, ['.'])) {
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

function isWanted(path: string, found: Stats | object, plain?: true): boolean {
  const [stats, name] = [found as Stats, basename(path)];
  if (left.has(name) || (plain && /^\.[^.]/.test(name))) return false;
  return stats.isFile() || stats.isDirectory();
}
