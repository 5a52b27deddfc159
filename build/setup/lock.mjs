/** A lock file, so that only one set-up of a clone runs at a time. The lock of a killed set-up is discarded. */

import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { onExit } from './on-exit.mjs';
import { Problem, print } from './problem.mjs';

const LOCK_TIMEOUT_MS = 15 * 60_000;

/**
 * Runs the work while holding the lock file.
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
  const until = Date.now() + LOCK_TIMEOUT_MS;
  for (let isReported = false; !create(file);) {
    const owner = ownerOf(file);
    if (isStale(file, owner)) {
      discard(file, owner);
      continue;
    }
    if (Date.now() > until)
      throw new Problem(`Another set-up (process ${owner}) does not finish: stop it, or delete ${file}.`);
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

/** @param {string} file @returns {string} the owner's process id; empty if the file is missing or not yet written */
function ownerOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** @param {string} file @param {string} owner */
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

/** Moves the lock of a dead owner away, and puts back a lock that another process took meanwhile. @param {string} file @param {string} owner */
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
