/** The folder of one job: its uploads, the unpacked files, and what the conversion steps write. */
import { mkdirSync, rmdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { outOfResources } from '../failure/failure.ts';

interface Workspace extends AsyncDisposable {
  readonly folder: string;
}

/** How often a failed deletion is tried again. The next start deletes what is left. */
const retryIntervalMs = 5000;
const maxRetries = 100;

/** Creates the folder. Disposing the result deletes it. @throws Failure unavailable when the folder cannot be created, whatever the reason */
export function openWorkspace(folder: string): Workspace {
  try {
    // Synchronous, because the asynchronous call takes ten times as long.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw outOfResources(cause);
  }
  return {
    folder,
    // A folder that cannot be deleted is not a reason to fail the job, whose answer may already be sent.
    async [Symbol.asyncDispose]() {
      if (removeEmpty(folder)) return;
      await remove(folder).catch(() => void removeLater(folder));
    },
  };
}

/** Deletes the folder if it is empty, as it is for most jobs. */
function removeEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Deletion can fail for a while, for example without a free file descriptor or on a failing disk. */
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
