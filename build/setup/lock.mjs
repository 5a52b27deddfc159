/** A lock file, so that only one set-up of a clone runs at a time. The lock of a process that no longer exists is discarded. */

import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { onExit } from './on-exit.mjs';
import { BuildProblem, print } from './problem.mjs';

const lockTimeoutMs = 15 * 60_000;

/**
 * Waits for the lock, runs the work, and releases the lock. @throws {BuildProblem} if another process holds the lock for 15 minutes
 * @param {string} file
 * @param {() => Promise<void>} work
 */
export async function withLock(file, work) {
  await take(file);
  const removeHook = onExit(() => rmSync(file, { force: true }));
  try {
    await work();
  } finally {
    removeHook();
    rmSync(file, { force: true });
  }
}

/** @param {string} file */
async function take(file) {
  const until = Date.now() + lockTimeoutMs;
  for (let isReported = false; !create(file);) {
    const owner = ownerOf(file);
    if (isStale(file, owner)) {
      discard(file, owner);
      continue;
    }
    if (Date.now() > until)
      throw new BuildProblem(
        `Another set-up (process ${owner}) has not finished within 15 minutes: stop it, or delete ${file}.`,
      );
    if (!isReported) print(`Waiting for another set-up of this project (process ${owner}).`);
    isReported = true;
    await sleep(200);
  }
}

/** @param {string} file */
function create(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

/** @param {string} file @returns {string} the process id of the owner; empty if the file does not exist or is still empty */
function ownerOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Returns whether the owner has ended, or the file has been empty for 5 s. @param {string} file @param {string} owner */
function isStale(file, owner) {
  if (owner) return !isAlive(Number(owner));
  const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
  return Date.now() - mtimeMs > 5000;
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/**
 * Removes the lock of an owner that has ended. If another process has taken the lock in the meantime, puts it back.
 * @param {string} file @param {string} owner
 */
function discard(file, owner) {
  const away = `${file}.${process.pid}`;
  try {
    renameSync(file, away);
  } catch {
    return;
  }
  if (ownerOf(away) === owner) rmSync(away, { force: true });
  else renameSync(away, file);
}
