/**
 * One instance for each data folder. The lock is `platen.pid`, made in one step by a hard link, so that of two starters
 * one wins; a file whose process is gone, or is a later one with the same number, is stale and taken over.
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

/** @throws Error with one sentence naming the folder and the reason. */
export function lockDataFolder(folder: string): Disposable {
  const path = join(folder, 'platen.pid');
  const mine = `${path}.${process.pid}`;
  try {
    // Who had it before us has decided for himself who may look in.
    makeFolder(folder, 0o700);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    writeFileSync(mine, `${process.pid}\n`);
    try {
      claim(folder, path, mine);
    } finally {
      rmSync(mine, { force: true });
    }
  } catch (problem) {
    if (problem instanceof DataFolderInUse) throw problem;
    throw new Error(`the data folder ${folder} cannot be used: ${reason(problem)}.`, { cause: problem });
  }
  return {
    [Symbol.dispose]() {
      if (ownerOf(path) === process.pid) rmSync(path, { force: true });
    },
  };
}

/** The process that works with the folder, if any does. */
export function userOfDataFolder(folder: string): number | undefined {
  const path = join(folder, 'platen.pid');
  const owner = ownerOf(path);
  return owner !== undefined && isAlive(owner, path) ? owner : undefined;
}

/** Another process works with the folder. */
export class DataFolderInUse extends Error {}

function claim(folder: string, path: string, mine: string): void {
  for (let tries = 0; tries < 5; tries += 1) {
    try {
      linkSync(mine, path);
      return;
    } catch (problem) {
      if (!(problem instanceof Error && 'code' in problem && problem.code === 'EEXIST')) throw problem;
    }
    const owner = ownerOf(path);
    if (owner !== undefined && isAlive(owner, path))
      throw new DataFolderInUse(`the data folder ${folder} is already in use by process ${owner}.`);
    removeStale(path);
  }
  throw new DataFolderInUse(
    `the data folder ${folder} is already in use by another process that is just starting.`,
  );
}

/**
 * Moved first: of two who find it stale only one can move it. Between the look and the move another may have taken the lock
 * over; what was moved is his then, and is put back.
 */
function removeStale(path: string): void {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
    const owner = ownerOf(aside);
    if (owner !== undefined && isAlive(owner, aside)) linkSync(aside, path);
  } catch {
    // Somebody else has moved it, or has taken the lock: the next try sees.
  }
  rmSync(aside, { force: true });
}

function ownerOf(path: string): number | undefined {
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
  return !startedAfter(pid, path);
}

/** After a restart of the machine the number may belong to another program, which began after the file was written. */
function startedAfter(pid: number, path: string): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const bootSeconds = Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]);
    const ticksPerSecond = 100;
    const began = (bootSeconds + Number(fields[19]) / ticksPerSecond) * 1000;
    return began > statSync(path).mtimeMs + 2000;
  } catch {
    return false;
  }
}

function reason(problem: unknown): string {
  const code = problem instanceof Error && 'code' in problem ? String(problem.code) : '';
  const known: Readonly<Record<string, string>> = {
    EACCES: 'it cannot be read or written by this user',
    EPERM: 'it cannot be written by this user',
    EROFS: 'it is on a read-only file system',
    ENOSPC: 'the disk is full',
    ENOTDIR: 'a part of its path is a file',
    EEXIST: 'it is a file, not a folder',
  };
  return known[code] ?? (problem instanceof Error ? problem.message : String(problem));
}
