/** Measures the free space of a disk. */
import { statfs } from 'node:fs/promises';

/** Returns the free space of the disk with the folder in bytes; undefined if it cannot be measured. */
export async function freeBytesOf(folder: string): Promise<number | undefined> {
  const stats = await statfs(folder).catch(() => undefined);
  return stats && stats.bavail * stats.bsize;
}
