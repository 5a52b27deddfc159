/** The folder of a running job. */
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { outOfResources } from '../failure/failure.ts';
import type { JobFolder } from '../job/job.ts';

/** Interval between attempts to delete a folder. If the last attempt fails, the next start deletes the folder. */
const retryIntervalMs = 5000;
const maxRetries = 100;

/** Returns a folder that does not exist yet. Disposing of it deletes the folder. */
export function openJobFolder(path: string): JobFolder & AsyncDisposable {
  let isCreated = false;
  let isDeleted = false;
  return {
    path() {
      // An upload may still arrive after the end of its job. Its files must not be written to a new folder.
      if (isCreated || isDeleted) return path;
      try {
        // Synchronous, because the asynchronous call takes ten times as long.
        mkdirSync(path, { recursive: true, mode: 0o700 });
      } catch (cause) {
        throw outOfResources(cause);
      }
      isCreated = true;
      return path;
    },
    // A folder that cannot be deleted is not a reason to fail the job, whose response may already be sent.
    async [Symbol.asyncDispose]() {
      isDeleted = true;
      if (isCreated) await remove(path).catch(() => void removeLater(path));
    },
  };
}

async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Tries repeatedly to delete the folder. Deletion can fail for some time, for example without a free file descriptor. */
async function removeLater(folder: string): Promise<void> {
  for (let tries = 0; tries < maxRetries; tries += 1) {
    await pause(retryIntervalMs, undefined, { ref: false });
    try {
      await remove(folder);
      return;
    } catch {
      // The loop tries again.
    }
  }
}
