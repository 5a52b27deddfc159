/**
 * Locks the data folder for one instance. SQLite holds the lock on `platen.lock`, because Node.js cannot lock files:
 * fcntl on POSIX systems, LockFileEx on Windows. The operating system drops it when the process ends, however it ends,
 * and children do not inherit it. `platen.pid` only names the owner.
 */
import { DatabaseSync } from '@photostructure/sqlite';
import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { messageOf } from '../failure/failure.ts';

/** Longer than another process holds its shared lock while it checks whether the folder is locked (`isLocked`). */
const lockTimeoutMs = 200;

/** Disposing the result releases the lock. @throws Error with one sentence naming the folder and the reason */
export function lockDataFolder(folder: string): Disposable {
  try {
    // An existing folder keeps the mode its owner chose.
    makeFolder(folder, 0o700);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    const lock = acquire(folder);
    writeFileSync(pidPath(folder), `${process.pid}\n`);
    return {
      [Symbol.dispose]() {
        if (readPid(folder) === process.pid) rmSync(pidPath(folder), { force: true });
        lock.close();
      },
    };
  } catch (problem) {
    if (problem instanceof DataFolderInUse) throw problem;
    throw new Error(`the data folder ${folder} cannot be used: ${describeError(problem)}.`, {
      cause: problem,
    });
  }
}

/** Returns the id of the process that uses the folder, or undefined. */
export function dataFolderPid(folder: string): number | undefined {
  return isLocked(folder) ? readPid(folder) : undefined;
}

/** Another process uses the folder. */
export class DataFolderInUse extends Error {}

function acquire(folder: string): InstanceType<typeof DatabaseSync> {
  const database = new DatabaseSync(lockPath(folder), { timeout: lockTimeoutMs });
  try {
    // A journal on disk would remain after a crash.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (problem) {
    database.close();
    if (!isBusy(problem)) throw problem;
    const owner = readPid(folder);
    throw new DataFolderInUse(
      `the data folder ${folder} is already in use by ${owner === undefined ? 'another process that is just starting' : `process ${owner}`}.`,
      { cause: problem },
    );
  }
}

/**
 * Returns false for a file that this user cannot open: its owner is a process that this user could neither stop nor send a request
 * to.
 */
function isLocked(folder: string): boolean {
  if (!existsSync(lockPath(folder))) return false;
  try {
    const database = new DatabaseSync(lockPath(folder), { readOnly: true });
    try {
      // Needs a shared lock, which an exclusive one forbids.
      database.exec('SELECT 1 FROM sqlite_schema');
      return false;
    } finally {
      database.close();
    }
  } catch (problem) {
    return isBusy(problem);
  }
}

/** Compares the low byte only: SQLITE_BUSY has extended result codes, which differ in the upper bytes. */
function isBusy(problem: unknown): boolean {
  const sqliteBusy = 5;
  const code = problem instanceof Error && 'errcode' in problem ? Number(problem.errcode) : 0;
  return (code & 0xff) === sqliteBusy;
}

function lockPath(folder: string): string {
  return join(folder, 'platen.lock');
}

function pidPath(folder: string): string {
  return join(folder, 'platen.pid');
}

function readPid(folder: string): number | undefined {
  try {
    const pid = Number(readFileSync(pidPath(folder), 'utf8').trim());
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
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
