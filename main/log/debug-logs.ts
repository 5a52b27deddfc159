/** The store of debug logs: one file a log in the data folder, found by an unguessable id, deleted when it is old. */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DebugLog } from './debug-log.ts';
import type { LogEvent } from './events.ts';

export interface DebugLogs extends Disposable {
  readonly open: (recorded: boolean) => DebugLog;
  /** The events of a log, or undefined when it is unknown or expired. */
  readonly read: (id: string) => Promise<readonly LogEvent[] | undefined>;
  /** Deletes logs before they are old. */
  readonly remove: (ids: readonly string[]) => Promise<void>;
}

const idPattern = /^[0-9a-f]{40}$/;
const sweepEvery = 600_000;

/** Opens the store and deletes what is older than `keep` milliseconds, now and every ten minutes. */
export async function openDebugLogs(folder: string, keep: number): Promise<DebugLogs> {
  // A log's name is the only key to it.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  await sweep(folder, keep);
  const timer = setInterval(() => void sweep(folder, keep), Math.min(keep, sweepEvery));
  timer.unref();
  return {
    open(recorded) {
      if (!recorded) return new DebugLog();
      const id = randomBytes(20).toString('hex');
      const stream = createWriteStream(join(folder, `${id}.jsonl`), { mode: 0o600 });
      // A full disk costs the log, never the job.
      stream.on('error', () => stream.destroy());
      return new DebugLog({ id, stream });
    },
    read: (id) =>
      idPattern.test(id) ? readLog(join(folder, `${id}.jsonl`), keep) : Promise.resolve(undefined),
    async remove(ids) {
      const known = ids.filter((id) => idPattern.test(id));
      for (const id of known) await rm(join(folder, `${id}.jsonl`), { force: true }).catch(() => {});
    },
    [Symbol.dispose]() {
      clearInterval(timer);
    },
  };
}

async function readLog(path: string, keep: number): Promise<readonly LogEvent[] | undefined> {
  try {
    if (await isOlder(path, keep)) return undefined;
    const lines = (await readFile(path, 'utf8')).split('\n');
    // The last line of a log being written, or of one cut by a crash, may be half a line.
    return lines.slice(0, -1).map((line) => JSON.parse(line) as LogEvent);
  } catch {
    return undefined;
  }
}

/** Never rejects: what cannot be deleted now is tried again, and a job's log is not worth the service. */
async function sweep(folder: string, keep: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((candidate) => candidate.endsWith('.jsonl'))) {
    const path = join(folder, name);
    if (await isOlder(path, keep).catch(() => false)) await rm(path, { force: true }).catch(() => {});
  }
}

async function isOlder(path: string, keep: number): Promise<boolean> {
  return Date.now() - (await stat(path)).mtimeMs > keep;
}
