/** Checks whether jobs can write their files. A check runs on demand, at most every 3 s. Callers wait for it at most 500 ms. */
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileErrorReason } from '../../failure/failure.ts';

/** How long a result stays valid, in milliseconds. */
const cacheMs = 3000;

/** How long a caller waits for a running check before it gets the previous result, in milliseconds. */
const waitMs = 500;

/** A check that takes longer counts as failed: access to a disconnected network drive can hang for minutes. */
const hangTimeoutMs = 10_000;

/** Minimum free space in bytes; with less, hardly any upload fits. */
const minFreeBytes = 1_000_000;

/**
 * Returns a function that checks the folder. It resolves to the reason why the folder cannot be written, or undefined. It never
 * rejects.
 */
export function openWritableCheck(folder: string, now: () => number = () => performance.now()) {
  let running: Promise<void> | undefined;
  let checkedAtMs = -Infinity;
  let reason: string | undefined;
  const check = async () => {
    checkedAtMs = now();
    reason = await unwritableReason(folder);
    running = undefined;
  };
  return async (): Promise<string | undefined> => {
    if (running === undefined && now() - checkedAtMs < cacheMs) return reason;
    // One check at a time: a hanging check occupies one of the few libuv threads that access files.
    running ??= check();
    if (now() - checkedAtMs >= hangTimeoutMs) return unwritable('the drive does not respond');
    await settledOrTimeout(running);
    return reason;
  };
}

async function settledOrTimeout(running: Promise<void>): Promise<void> {
  const timer = new AbortController();
  const timeout = delay(waitMs, undefined, { signal: timer.signal }).catch(() => {});
  await Promise.race([running, timeout]);
  timer.abort();
}

async function unwritableReason(folder: string): Promise<string | undefined> {
  const why = await writeError(folder);
  return why === undefined ? undefined : unwritable(why);
}

function unwritable(why: string): string {
  return `the data folder cannot be written: ${why}`;
}

/**
 * Writes and deletes a small file. Returns why that fails, or undefined. Free space alone does not reveal quotas, missing
 * permissions or a lack of file descriptors.
 */
async function writeError(folder: string): Promise<string | undefined> {
  const probe = join(folder, 'probe');
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < minFreeBytes) return 'no space left';
    await writeFile(probe, 'x');
    return undefined;
  } catch (problem) {
    return fileErrorReason(problem as NodeJS.ErrnoException);
  } finally {
    // If the file cannot be deleted, the next check overwrites it.
    await rm(probe, { force: true }).catch(() => {});
  }
}
