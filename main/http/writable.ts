/** Whether jobs can write their files: looked at when somebody asks, and not more often than once in a while. */
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lackIn } from '../failure/no-room.ts';

/** Milliseconds for which an answer is good. */
const good = 3000;

/** Bytes; with less room hardly an upload fits. */
const least = 1_000_000;

/** For a folder: why it cannot be written, as a sentence's end, or undefined. */
export function watchWritable(folder: string, now: () => number = () => performance.now()) {
  let asked = -Infinity;
  let why: string | undefined;
  return (): string | undefined => {
    if (now() - asked >= good) {
      why = whyNotWritable(folder);
      asked = now();
    }
    return why;
  };
}

function whyNotWritable(folder: string): string | undefined {
  const why = tryToWrite(folder);
  return why === undefined ? undefined : `the data folder cannot be written: ${why}`;
}

/** A few bytes that are gone before they reach the disk: room alone says nothing of quotas, rights and descriptors. */
function tryToWrite(folder: string): string | undefined {
  const probe = join(folder, 'probe');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < least) return 'no space left';
    writeFileSync(probe, 'x');
    return undefined;
  } catch (problem) {
    return reasonOf(problem as NodeJS.ErrnoException);
  } finally {
    removeQuietly(probe);
  }
}

function reasonOf(problem: NodeJS.ErrnoException): string {
  if (problem.code === 'EACCES' || problem.code === 'EPERM') return 'permission denied';
  return lackIn(problem) ?? problem.code ?? 'the reason is not known';
}

/** What cannot be deleted is written over the next time. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The same that kept it from being written.
  }
}
