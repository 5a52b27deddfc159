/** Whether jobs can write their files: looked at when somebody asks, not more often than once in a while, and never waited for long. */
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { whyUnusable } from '../failure/no-room.ts';

/** Milliseconds for which an answer is good. */
const good = 3000;

/** Milliseconds somebody who asks waits for a look; then the last known answer has to do. */
const patience = 500;

/** Milliseconds after which a look that is still under way is an answer itself: a network drive that has gone hangs for minutes. */
const hung = 10_000;

/** Bytes; with less room hardly an upload fits. */
const least = 1_000_000;

/** Says for a folder why it cannot be written, as a sentence's end, or undefined. Never rejects. */
export function watchWritable(folder: string, now: () => number = () => performance.now()) {
  let looking: Promise<void> | undefined;
  let [lookedAt, why] = [-Infinity, undefined as string | undefined];
  const look = async () => {
    lookedAt = now();
    why = await whyNotWritable(folder);
    looking = undefined;
  };
  return async (): Promise<string | undefined> => {
    if (looking === undefined && now() - lookedAt < good) return why;
    // One at a time: each that hangs holds one of the few threads that work on files.
    looking ??= look();
    if (now() - lookedAt >= hung) return unwritable('it does not answer');
    await overOrLate(looking);
    return why;
  };
}

async function overOrLate(looking: Promise<void>): Promise<void> {
  const over = new AbortController();
  const late = after(patience, undefined, { signal: over.signal }).catch(() => {});
  await Promise.race([looking, late]);
  over.abort();
}

async function whyNotWritable(folder: string): Promise<string | undefined> {
  const why = await tryToWrite(folder);
  return why === undefined ? undefined : unwritable(why);
}

function unwritable(why: string): string {
  return `the data folder cannot be written: ${why}`;
}

/** A few bytes that are gone before they reach the disk: room alone says nothing of quotas, rights and descriptors. */
async function tryToWrite(folder: string): Promise<string | undefined> {
  const probe = join(folder, 'probe');
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < least) return 'no space left';
    await writeFile(probe, 'x');
    return undefined;
  } catch (problem) {
    return whyUnusable(problem as NodeJS.ErrnoException);
  } finally {
    // What cannot be deleted, for the same reason that kept it from being written, is written over the next time.
    await rm(probe, { force: true }).catch(() => {});
  }
}
