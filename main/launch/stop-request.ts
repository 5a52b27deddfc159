/**
 * Stops a service on Windows, which has no signals, with a file in the data folder. Every user who can write to that folder can
 * stop the service.
 */
import { existsSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const requestFile = 'stop-request';

/** Requests the stop. Does nothing if the data folder does not exist. @throws the file system's error */
export function requestStop(data: string): void {
  if (existsSync(data)) writeFileSync(join(data, requestFile), '');
}

/** Calls `onRequest` once, when a stop is requested, unless disposed before. @throws the file system's error */
export function listenForStopRequest(data: string, onRequest: () => void): Disposable {
  const file = join(data, requestFile);
  // Discards an old request that was meant for an earlier run.
  rmSync(file, { force: true });
  const watcher = watch(data, (_event, name) => {
    if (name !== requestFile || !existsSync(file)) return;
    watcher.close();
    rmSync(file, { force: true });
    onRequest();
  });
  watcher.on('error', () => {});
  return {
    [Symbol.dispose]() {
      watcher.close();
    },
  };
}
