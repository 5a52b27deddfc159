/**
 * Lets a second launcher ask the running service to show its window. The request is a file in a folder that exists while the
 * service listens. A signal would end a process that does not handle it.
 */
import { existsSync, mkdirSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const requestFile = 'show';

/** Requests the window. Does nothing if no service listens. */
export function requestShow(data: string): void {
  const folder = requestFolder(data);
  if (existsSync(folder)) writeFileSync(join(folder, requestFile), '');
}

/** Calls `onRequest` for each request until disposed. @throws the file system's error */
export function listenForShowRequests(data: string, onRequest: () => void): Disposable {
  const folder = requestFolder(data);
  // Discards a request left over from a crash.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  const watcher = watch(folder, () => {
    const file = join(folder, requestFile);
    // Deleting the file triggers an event too.
    if (!existsSync(file)) return;
    rmSync(file, { force: true });
    onRequest();
  });
  watcher.on('error', () => {});
  return {
    [Symbol.dispose]() {
      watcher.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function requestFolder(data: string): string {
  return join(data, 'tray');
}
