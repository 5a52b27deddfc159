/** The store of debug logs: one file for each log in the data folder, named by an unguessable id and deleted when it expires. */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DebugLog } from './debug-log.ts';
import type { LogEvent } from './events.ts';

export interface DebugLogs extends Disposable {
  readonly open: (recorded: boolean) => DebugLog;
  /** Returns the events of a log, or undefined if it is unknown or expired. */
  readonly read: (id: string) => Promise<readonly LogEvent[] | undefined>;
  /** Deletes logs before they expire. */
  readonly remove: (ids: readonly string[]) => Promise<void>;
}

const idPattern = /^[0-9a-f]{40}$/;
const sweepIntervalMs = 600_000;

/** Opens the store and deletes logs older than `maxAgeMs`, now and at least every ten minutes. */
export async function openDebugLogs(folder: string, maxAgeMs: number): Promise<DebugLogs> {
  // The name of a log is the secret that gives access to it, so other users must not list the folder.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  await deleteExpired(folder, maxAgeMs);
  const timer = setInterval(() => void deleteExpired(folder, maxAgeMs), Math.min(maxAgeMs, sweepIntervalMs));
  timer.unref();
  return {
    open(recorded) {
      if (!recorded) return new DebugLog();
      const id = randomBytes(20).toString('hex');
      const stream = createWriteStream(join(folder, `${id}.jsonl`), { mode: 0o600 });
      // If the disk is full, only the log is lost; the job continues.
      stream.on('error', () => stream.destroy());
      return new DebugLog({ id, stream });
    },
    read: (id) =>
      idPattern.test(id) ? readLog(join(folder, `${id}.jsonl`), maxAgeMs) : Promise.resolve(undefined),
    async remove(ids) {
      const validIds = ids.filter((id) => idPattern.test(id));
      for (const id of validIds) await rm(join(folder, `${id}.jsonl`), { force: true }).catch(() => {});
    },
    [Symbol.dispose]() {
      clearInterval(timer);
    },
  };
}

async function readLog(path: string, maxAgeMs: number): Promise<readonly LogEvent[] | undefined> {
  try {
    if (await isExpired(path, maxAgeMs)) return undefined;
    const lines = (await readFile(path, 'utf8')).split('\n');
    // The last line may be incomplete while the log is being written, or after a crash.
    return lines.slice(0, -1).map((line) => JSON.parse(line) as LogEvent);
  } catch {
    return undefined;
  }
}

/** Deletes expired logs. Never rejects; the next call tries again to delete files that could not be deleted. */
async function deleteExpired(folder: string, maxAgeMs: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((candidate) => candidate.endsWith('.jsonl'))) {
    const path = join(folder, name);
    if (await isExpired(path, maxAgeMs).catch(() => false)) await rm(path, { force: true }).catch(() => {});
  }
}

async function isExpired(path: string, maxAgeMs: number): Promise<boolean> {
  return Date.now() - (await stat(path)).mtimeMs > maxAgeMs;
}
