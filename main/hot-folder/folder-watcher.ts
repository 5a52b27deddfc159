/** Watches a folder and waits for changes or a timeout. File system events may be late, redundant or missing. */
import { watch, type FSWatcher } from 'node:fs';

export class FolderWatcher implements Disposable {
  #watcher: FSWatcher | undefined;
  #watchedIdentity = '';
  #isWoken = false;
  #onWake: (() => void) | undefined;

  /** Watches the folder. Call this at each scan with the folder's identity, so that a recreated folder is watched again. */
  watch(path: string, identity: string): void {
    if (this.#watchedIdentity === identity) return;
    this.#stopWatching();
    this.#watcher = tryWatch(
      path,
      () => {
        this.wake();
      },
      () => {
        this.#stopWatching();
      },
    );
    // Without a watcher (no free inotify watch, a drive without events), changes are found only by the regular scans.
    if (this.#watcher === undefined) return;
    // Changes made after the scan but before the watcher started have caused no event, so the next wait ends early.
    this.#watchedIdentity = identity;
    this.#isWoken = true;
  }

  /** Ends the current or next wait early. */
  wake(): void {
    this.#isWoken = true;
    this.#onWake?.();
  }

  /** Waits for a change, for at least `minMs` and at most `maxMs` milliseconds. Resolves earlier if the signal aborts. */
  async wait(minMs: number, maxMs: number, signal: AbortSignal): Promise<void> {
    await waitFor(minMs, signal, () => {});
    if (!this.#isWoken)
      await waitFor(Math.max(0, maxMs - minMs), signal, (resolve) => (this.#onWake = resolve));
    this.#isWoken = false;
    this.#onWake = undefined;
  }

  [Symbol.dispose](): void {
    this.#stopWatching();
  }

  #stopWatching(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#watchedIdentity = '';
  }
}

/**
 * Returns undefined on Windows, where the regular scans find changes: a watched folder cannot be removed completely, and its
 * removal can end the process (nodejs/node#14971, nodejs/node#21276).
 */
function tryWatch(path: string, onChange: () => void, onEnd: () => void): FSWatcher | undefined {
  if (process.platform === 'win32') return undefined;
  try {
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
