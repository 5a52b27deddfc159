/**
 * How a service is asked to stop where there are no signals (Windows): by a file in its data folder. Who may write there may
 * do so.
 */
import { existsSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const request = 'stop-request';

/** Without effect where there is no data folder. @throws what the file system says */
export function askToStop(data: string): void {
  if (existsSync(data)) writeFileSync(join(data, request), '');
}

/** Calls `onAsked` at most once, until it is disposed. @throws what the file system says */
export function hearStopRequest(data: string, onAsked: () => void): Disposable {
  const file = join(data, request);
  // One that nobody heard was for somebody else.
  rmSync(file, { force: true });
  const watcher = watch(data, (_event, name) => {
    if (name !== request || !existsSync(file)) return;
    watcher.close();
    rmSync(file, { force: true });
    onAsked();
  });
  watcher.on('error', () => {});
  return {
    [Symbol.dispose]() {
      watcher.close();
    },
  };
}
