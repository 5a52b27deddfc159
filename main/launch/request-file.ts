/**
 * Requests from another process, each a file in the data folder of the service: to stop, on Windows, which has no signals, and to
 * show the window, because a signal would end a process that does not handle it. Every user who can write to the data folder can
 * send them.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Interval at which a listener looks for the file. Events of the file system are not used: on Windows they may lack the file name,
 * and a watched folder cannot be removed completely.
 */
const pollIntervalMs = 250;

/** Requests the stop. Does nothing if the data folder does not exist. @throws the file system's error */
export function requestStop(data: string): void {
  if (existsSync(data)) writeFileSync(stopFile(data), '');
}

/** Calls `onRequest` for each stop request until disposed. @throws the file system's error */
export function listenForStopRequests(data: string, onRequest: () => void): Disposable {
  // Discards a request that was meant for an earlier run.
  rmSync(stopFile(data), { force: true });
  return pollForFile(stopFile(data), onRequest);
}

/** Requests the window. Returns false if no service listens. @throws the file system's error */
export function requestShow(data: string): boolean {
  if (!existsSync(showFolder(data))) return false;
  writeFileSync(showFile(data), '');
  return true;
}

/**
 * Calls `onRequest` for each request to show the window until disposed. The folder of these requests exists only meanwhile.
 * @throws the file system's error
 */
export function listenForShowRequests(data: string, onRequest: () => void): Disposable {
  const folder = showFolder(data);
  // Discards a request left over from a crash.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  const poll = pollForFile(showFile(data), onRequest);
  return {
    [Symbol.dispose]() {
      poll[Symbol.dispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits for the file until disposed. Deletes it each time it appears, then calls `onRequest`. */
function pollForFile(path: string, onRequest: () => void): Disposable {
  const timer = setInterval(() => {
    if (existsSync(path) && tryRemove(path)) onRequest();
  }, pollIntervalMs);
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
    },
  };
}

/** Returns false if the file cannot be removed now, for example while its writer or a virus scanner has it open (Windows). */
function tryRemove(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
}

function stopFile(data: string): string {
  return join(data, 'stop-request');
}

function showFolder(data: string): string {
  return join(data, 'tray');
}

function showFile(data: string): string {
  return join(showFolder(data), 'show');
}
