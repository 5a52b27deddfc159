/** Mounts a small tmpfs that a test can fill. Linux only, as root. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface SmallDisk extends Disposable {
  /** Fills the disk except for `left` bytes. */
  readonly fill: (left: number) => void;
  readonly empty: () => void;
}

/** The reason why no tmpfs can be mounted; false if it can. */
export const smallDiskSkipReason =
  process.platform === 'linux' && process.getuid?.() === 0
    ? false
    : 'the test mounts a tmpfs, which requires Linux and root';

/** Mounts a tmpfs on the folder, which it creates if necessary. */
export function mountSmallDisk(folder: string, megabytes: number): SmallDisk {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', folder]);
  const ballast = join(folder, 'ballast');
  return {
    fill(left) {
      const size = writeUntilFull(ballast);
      truncateSync(ballast, Math.max(0, size - left));
    },
    empty() {
      rmSync(ballast);
    },
    [Symbol.dispose]() {
      // A lazy unmount: a process that is ending may still have a file open.
      execFileSync('umount', ['--lazy', folder]);
    },
  };
}

function writeUntilFull(path: string): number {
  const file = openSync(path, 'w', 0o600);
  const chunk = Buffer.alloc(65_536);
  let size = 0;
  try {
    for (;;) size += writeSync(file, chunk);
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code !== 'ENOSPC') throw problem;
    return size;
  } finally {
    closeSync(file);
  }
}
