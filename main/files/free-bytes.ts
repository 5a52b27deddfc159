/** Measures the free space of a disk. */
import { statfs } from 'node:fs/promises';

/** Returns the free space of the disk with the folder in bytes; undefined if it cannot be measured. */
export async function freeBytesOf(folder: string): Promise<number | undefined> {
  const stats = await statfs(folder).catch(() => undefined);
  return stats && stats.bavail * stats.bsize;
}

/** Maximum age of a measurement before a call starts the next one, in milliseconds. */
const maxAgeMs = 1000;

/**
 * Returns a function that returns the last measured free space in bytes, and starts a new measurement if that one is old. The function
 * returns undefined until the first measurement has ended.
 */
export function watchFreeBytes(folder: string): () => number | undefined {
  let freeBytes: number | undefined;
  let measuredAt = -Infinity;
  return () => {
    if (performance.now() - measuredAt > maxAgeMs) {
      measuredAt = performance.now();
      void freeBytesOf(folder).then((bytes) => (freeBytes = bytes));
    }
    return freeBytes;
  };
}
