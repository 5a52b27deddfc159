/**
 * How a second launcher asks a service that runs already to show its window: by a file in a folder that is there while
 * somebody can. No signal: to a process that does not expect it, it would be the end.
 */
import { existsSync, mkdirSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const request = 'show';

/** Without effect when nobody listens. */
export function askToShow(data: string): void {
  const folder = folderIn(data);
  if (existsSync(folder)) writeFileSync(join(folder, request), '');
}

/** Calls `onAsked` for each request, until it is disposed. @throws what the file system says */
export function hearRequests(data: string, onAsked: () => void): Disposable {
  const folder = folderIn(data);
  // A request that a crash has left is nobody's any more.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  const watcher = watch(folder, () => {
    const file = join(folder, request);
    // Taking it away is an event, too.
    if (!existsSync(file)) return;
    rmSync(file, { force: true });
    onAsked();
  });
  watcher.on('error', () => {});
  return {
    [Symbol.dispose]() {
      watcher.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function folderIn(data: string): string {
  return join(data, 'tray');
}
