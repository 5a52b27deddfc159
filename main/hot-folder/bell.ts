/** Waits until something happens in a folder, or for a while: what the system tells of changes may be late, too much or missing. */
import { watch, type FSWatcher } from 'node:fs';

export interface Bell extends Disposable {
  /** To be called at each look with what is at the path now; a folder that was made anew is listened to anew. */
  readonly listen: (path: string, identity: string) => void;
  /** To be looked at soon, whatever the system says. */
  readonly ring: () => void;
  /** Resolves when it rings, but not before `least` milliseconds, and after `most` in any case. */
  readonly wait: (least: number, most: number, signal: AbortSignal) => Promise<void>;
}

export function openBell(): Bell {
  let [watcher, listens, rung] = [undefined as FSWatcher | undefined, '', false];
  let onRing: (() => void) | undefined;
  const ring = () => {
    rung = true;
    onRing?.();
  };
  const end = () => {
    watcher?.close();
    [watcher, listens] = [undefined, ''];
  };
  return {
    ring,
    listen(path, identity) {
      if (listens === identity) return;
      end();
      watcher = tryWatch(path, ring, end);
      // Without a watcher (no inotify watch left, a drive that has none) the looks themselves have to do.
      if (watcher === undefined) return;
      // What came between the look and now was told to nobody.
      [listens, rung] = [identity, true];
    },
    async wait(least, most, signal) {
      await until(least, signal, () => {});
      if (!rung) await until(Math.max(0, most - least), signal, (resolve) => (onRing = resolve));
      [rung, onRing] = [false, undefined];
    },
    [Symbol.dispose]: end,
  };
}

function tryWatch(path: string, onChange: () => void, onEnd: () => void): FSWatcher | undefined {
  try {
    // Windows tells by an error that the folder has gone (nodejs/node#14971); it is looked for again then.
    return watch(path, { persistent: false }, onChange).on('error', () => {
      onEnd();
      onChange();
    });
  } catch {
    return undefined;
  }
}

/** Resolves at the signal's end too. */
function until(
  milliseconds: number,
  signal: AbortSignal,
  offer: (resolve: () => void) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done, { once: true });
    offer(done);
    if (signal.aborted) done();
  });
}
