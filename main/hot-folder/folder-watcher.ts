/** Watches a folder and waits for changes or a timeout. File system events may be late, redundant or missing. */
import { watch, type FSWatcher } from 'node:fs';

interface FolderWatcher extends Disposable {
  /** Call this at each scan with the folder's current identity; a recreated folder is watched again. */
  readonly watch: (path: string, identity: string) => void;
  /** Ends the current or next wait early. */
  readonly wake: () => void;
  /** Resolves when something changes, but not before `minMs`, and after `maxMs` at the latest. */
  readonly wait: (minMs: number, maxMs: number, signal: AbortSignal) => Promise<void>;
}

export function openFolderWatcher(): FolderWatcher {
  let watcher: FSWatcher | undefined;
  let watchedIdentity = '';
  let isWoken = false;
  let onWake: (() => void) | undefined;
  const wake = () => {
    isWoken = true;
    onWake?.();
  };
  const stopWatching = () => {
    watcher?.close();
    watcher = undefined;
    watchedIdentity = '';
  };
  return {
    wake,
    watch(path, identity) {
      if (watchedIdentity === identity) return;
      stopWatching();
      watcher = tryWatch(path, wake, stopWatching);
      // Without a watcher (no inotify watch left, a drive without events) only the regular scans find changes.
      if (watcher === undefined) return;
      // Changes between the scan and this call caused no event.
      watchedIdentity = identity;
      isWoken = true;
    },
    async wait(minMs, maxMs, signal) {
      await waitFor(minMs, signal, () => {});
      if (!isWoken) await waitFor(Math.max(0, maxMs - minMs), signal, (resolve) => (onWake = resolve));
      isWoken = false;
      onWake = undefined;
    },
    [Symbol.dispose]: stopWatching,
  };
}

function tryWatch(path: string, onChange: () => void, onEnd: () => void): FSWatcher | undefined {
  try {
    // Windows reports the removal of the folder as an error (nodejs/node#14971); the next scan handles it.
    return watch(path, { persistent: false }, onChange).on('error', () => {
      onEnd();
      onChange();
    });
  } catch {
    return undefined;
  }
}

/** Resolves after the timeout, when `subscribe` calls back, or when the signal aborts. */
function waitFor(
  milliseconds: number,
  signal: AbortSignal,
  subscribe: (resolve: () => void) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done, { once: true });
    subscribe(done);
    if (signal.aborted) done();
  });
}
