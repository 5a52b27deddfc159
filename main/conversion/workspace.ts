/** A folder for one job: its uploads, what is unpacked of them, what its steps write down. */
import { mkdirSync, rmdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { noRoom } from '../failure/failure.ts';

export interface Workspace extends AsyncDisposable {
  readonly folder: string;
}

/** Milliseconds between two tries to delete, and how many there are; the next start deletes what is left. */
const retryEvery = 5000;
const mostTries = 100;

/** Makes the folder; it goes with the job. @throws Failure unavailable when it cannot be made, whatever the reason is */
export function openWorkspace(folder: string): Workspace {
  try {
    // At once: to hand it to another thread and hear of it takes ten times as long.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw noRoom(cause);
  }
  return {
    folder,
    // A job is not worse for what it leaves behind, and its answer may be out already.
    async [Symbol.asyncDispose]() {
      if (removeEmpty(folder)) return;
      await remove(folder).catch(() => void removeLater(folder));
    },
  };
}

/** Most jobs put nothing into it. */
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

/** Without a descriptor to look into the folder with, or on a disk that fails, nothing can be deleted for a while. */
async function removeLater(folder: string): Promise<void> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    await pause(retryEvery, undefined, { ref: false });
    try {
      await remove(folder);
      return;
    } catch {
      // It is tried again.
    }
  }
}
