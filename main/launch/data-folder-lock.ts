/**
 * Locks the data folder for one instance. Node.js cannot lock files, so SQLite locks the file `platen.lock`: with fcntl on POSIX
 * systems, with LockFileEx on Windows. The operating system releases the lock when the process ends for any reason. Child processes
 * do not inherit the lock. `platen.pid` only names the lock's owner.
 */
import { DatabaseSync } from '@photostructure/sqlite';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { messageOf } from '../failure/failure.ts';

/** Longer than another process holds its shared lock in `isLocked`. */
const lockTimeoutMs = 200;

/**
 * Locks the folder, and creates it if missing. Disposing the result releases the lock.
 * @throws Error with a one-sentence message that names the folder and the reason
 */
export function lockDataFolder(folder: string): Disposable {
  try {
    // An existing folder keeps its mode.
    makeFolder(folder, 0o700);
    assertUsable(folder);
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

/** @throws the file system's error if this user cannot read and write in the folder */
function assertUsable(folder: string): void {
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  // On Windows, access does not check permissions, and SQLite reports only that it cannot open the file. Elsewhere, closing the file
  // would release a lock that this process holds (fcntl).
  if (process.platform === 'win32') closeSync(openSync(lockPath(folder), 'a'));
}

/**
 * Writes the URL of the service that uses the folder, for the desktop client. Disposing the result deletes the file.
 * @throws the file system's error
 */
export function publishUrl(folder: string, url: string): Disposable {
  writeFileSync(urlPath(folder), `${url}\n`, { mode: 0o600 });
  return {
    [Symbol.dispose]() {
      rmSync(urlPath(folder), { force: true });
    },
  };
}

/** Returns the URL of the service that uses the folder; undefined if none does, or if it does not listen yet. */
export function dataFolderUrl(folder: string): string | undefined {
  try {
    return isLocked(folder) ? readFileSync(urlPath(folder), 'utf8').trim() : undefined;
  } catch {
    return undefined;
  }
}

/** Returns how long the service that uses the folder has listened; undefined if `dataFolderUrl` is undefined. */
export function listeningMs(folder: string): number | undefined {
  if (dataFolderUrl(folder) === undefined) return undefined;
  const { mtimeMs } = statSync(urlPath(folder), { throwIfNoEntry: false }) ?? {};
  return mtimeMs === undefined ? undefined : Date.now() - mtimeMs;
}

/** Returns the id of the process that uses the folder; undefined if there is none or its id is unknown. */
export function dataFolderPid(folder: string): number | undefined {
  return isLocked(folder) ? readPid(folder) : undefined;
}

/** Thrown if another process uses the folder. */
export class DataFolderInUse extends Error {}

function acquire(folder: string): InstanceType<typeof DatabaseSync> {
  const database = new DatabaseSync(lockPath(folder), { timeout: lockTimeoutMs });
  try {
    // A journal file on disk would remain after a crash.
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
 * Returns whether a process has locked the folder. Returns false if this user cannot open the lock file: this user could then
 * neither stop the lock's owner nor send requests to it.
 */
export function isLocked(folder: string): boolean {
  if (!existsSync(lockPath(folder))) return false;
  try {
    const database = new DatabaseSync(lockPath(folder), { readOnly: true });
    try {
      // The query needs a shared lock, which SQLite refuses while another process holds the exclusive lock.
      database.exec('SELECT 1 FROM sqlite_schema');
      return false;
    } finally {
      database.close();
    }
  } catch (problem) {
    return isBusy(problem);
  }
}

/**
 * Returns whether the error is SQLITE_BUSY. Compares only the low byte, because the extended result codes of SQLITE_BUSY differ in
 * the upper bytes.
 */
function isBusy(problem: unknown): boolean {
  const sqliteBusy = 5;
  const code = problem instanceof Error && 'errcode' in problem ? Number(problem.errcode) : 0;
  return (code & 0xff) === sqliteBusy;
}

function lockPath(folder: string): string {
  return join(folder, 'platen.lock');
}

function urlPath(folder: string): string {
  return join(folder, 'platen.url');
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
