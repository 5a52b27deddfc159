/** Reads the files of a data folder while its service runs. */
import { readFileSync } from 'node:fs';

/**
 * Returns the content of a file. On Windows, Chromium has some of its files open so that no other program can read them; their
 * content is then empty.
 */
export function readUnlessLocked(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (problem) {
    if (process.platform === 'win32' && (problem as NodeJS.ErrnoException).code === 'EBUSY')
      return Buffer.alloc(0);
    throw problem;
  }
}
