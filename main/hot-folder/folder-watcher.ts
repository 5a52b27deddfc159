/** Watches a folder and waits for changes or a timeout. File system events may be late, redundant or missing. */
import { watch, type FSWatcher } from 'node:fs';
import { pause } from '../async/signals.ts';
import { WakeablePause } from '../async/wakeable-pause.ts';

export class FolderWatcher implements Disposable {
  #watcher: FSWatcher | undefined;
  #watchedIdentity = '';
  readonly #pause = new WakeablePause();

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
    this.wake();
  }

  /** Ends the current or next wait early. */
  wake(): void {
    this.#pause.wake();
  }

  /** Waits for a change, for at least `minMs` and at most `maxMs` milliseconds. Resolves earlier if the signal aborts. */
  async wait(minMs: number, maxMs: number, signal: AbortSignal): Promise<void> {
    await pause(minMs, signal).catch(() => {});
    await this.#pause.wait(Math.max(0, maxMs - minMs), signal);
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
