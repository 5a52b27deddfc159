/** Watches a folder and waits for changes or a time-out. File system events may be late, redundant or missing. */
import { watch, type FSWatcher } from 'node:fs';

interface FolderWatcher extends Disposable {
  /** Watches the folder. Call this at each scan with the folder's identity, so that a recreated folder is watched again. */
  readonly watch: (path: string, identity: string) => void;
  /** Ends the current or next wait early. */
  readonly wake: () => void;
  /** Waits for a change, for at least `minMs` and at most `maxMs` milliseconds. Resolves earlier if the signal aborts. */
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
      // Without a watcher (no free inotify watch, a drive without events), changes are found only by the regular scans.
      if (watcher === undefined) return;
      // Changes made after the scan but before the watcher started have caused no event, so the next wait ends early.
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
    // On Windows, the removal of the folder is reported as an error (nodejs/node#14971). The next scan handles it.
    return watch(path, { persistent: false }, onChange).on('error', () => {
      onEnd();
      onChange();
    });
  } catch {
    return undefined;
  }
}

/** Resolves after the given time, when the callback that `subscribe` receives is called, or when the signal aborts. */
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
