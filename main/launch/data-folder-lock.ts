/**
 * Locks the data folder for one instance. The lock is `platen.pid`, created atomically by a hard link, so only one
 * of two concurrent starters gets it. A lock file whose process is gone, or whose process id now belongs to a later
 * process, is stale and taken over.
 */
import {
  accessSync,
  constants,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { messageOf } from '../failure/failure.ts';

/** Disposing the result releases the lock. @throws Error with one sentence naming the folder and the reason */
export function lockDataFolder(folder: string): Disposable {
  const path = join(folder, 'platen.pid');
  const ownFile = `${path}.${process.pid}`;
  try {
    // An existing folder keeps the mode its owner chose.
    makeFolder(folder, 0o700);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    writeFileSync(ownFile, `${process.pid}\n`);
    try {
      claimLock(folder, path, ownFile);
    } finally {
      rmSync(ownFile, { force: true });
    }
  } catch (problem) {
    if (problem instanceof DataFolderInUse) throw problem;
    throw new Error(`the data folder ${folder} cannot be used: ${describeError(problem)}.`, {
      cause: problem,
    });
  }
  return {
    [Symbol.dispose]() {
      if (readPid(path) === process.pid) rmSync(path, { force: true });
    },
  };
}

/** Returns the id of the process that uses the folder, or undefined. */
export function dataFolderPid(folder: string): number | undefined {
  const path = join(folder, 'platen.pid');
  const owner = readPid(path);
  return owner !== undefined && isAlive(owner, path) ? owner : undefined;
}

/** Another process uses the folder. */
export class DataFolderInUse extends Error {}

function claimLock(folder: string, path: string, ownFile: string): void {
  for (let tries = 0; tries < 5; tries += 1) {
    try {
      linkSync(ownFile, path);
      return;
    } catch (problem) {
      if (!(problem instanceof Error && 'code' in problem && problem.code === 'EEXIST')) throw problem;
    }
    const owner = readPid(path);
    if (owner !== undefined && isAlive(owner, path))
      throw new DataFolderInUse(`the data folder ${folder} is already in use by process ${owner}.`);
    removeStale(path);
  }
  throw new DataFolderInUse(
    `the data folder ${folder} is already in use by another process that is just starting.`,
  );
}

/**
 * Renames the stale lock before deleting it, so only one of two processes removes it. Another process may take the
 * lock between the check and the rename; the renamed file is then its lock and is put back.
 */
function removeStale(path: string): void {
  const stalePath = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, stalePath);
    const owner = readPid(stalePath);
    if (owner !== undefined && isAlive(owner, stalePath)) linkSync(stalePath, path);
  } catch {
    // Another process moved it or took the lock; the next attempt finds out.
  }
  rmSync(stalePath, { force: true });
}

function readPid(path: string): number | undefined {
  try {
    const pid = Number(readFileSync(path, 'utf8').trim());
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number, path: string): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (problem) {
    if (!(problem instanceof Error && 'code' in problem && problem.code === 'EPERM')) return false;
  }
  return !startedAfterFile(pid, path);
}

/** After a reboot the process id may belong to another program, which started after the file was written. */
function startedAfterFile(pid: number, path: string): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const bootSeconds = Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]);
    const ticksPerSecond = 100;
    const startedAtMs = (bootSeconds + Number(fields[19]) / ticksPerSecond) * 1000;
    return startedAtMs > statSync(path).mtimeMs + 2000;
  } catch {
    return false;
  }
}

function describeError(problem: unknown): string {
  const code = problem instanceof Error && 'code' in problem ? String(problem.code) : '';
  const reasons: Readonly<Record<string, string>> = {
    EACCES: 'it cannot be read or written by this user',
    EPERM: 'it cannot be written by this user',
    EROFS: 'it is on a read-only file system',
    ENOSPC: 'the disk is full',
    ENOTDIR: 'a part of its path is a file',
    EEXIST: 'it is a file, not a folder',
  };
  return reasons[code] ?? messageOf(problem);
}
