/**
 * Knows how much memory the windows' renderers have, while they work: one that has more than it may is told of, and of one
 * that is gone, which cannot be asked any more, the last figure stays. Frames and workers live in their page's process.
 */
import { app, type WebContents } from 'electron';

/** Milliseconds. Most jobs are over before the first look, which takes a quarter of one for all windows together. */
const lookEvery = 500;
/** Where one is on its way to its limit: a page can fill a gigabyte in half a second. */
const lookSoon = 100;

/** Bytes; an empty page has a fifth. */
const much = 500e6;

export interface MemoryWatch {
  /** Bytes at the last look; 0 before the first one. */
  readonly last: () => number;
  /** It had much at the last look: what is left of it would matter to the next page. */
  readonly wasMuch: () => boolean;
  readonly end: () => void;
}

interface Watched {
  readonly contents: WebContents;
  readonly onExcess: () => void;
  last: number;
}

/** `most` bytes; `onExcess` is called at each look that finds more. */
export type WatchMemory = (contents: WebContents, onExcess: () => void) => MemoryWatch;

export function openMemoryWatch(most: number): WatchMemory {
  const watched = new Set<Watched>();
  let looking: NodeJS.Timeout | undefined;
  const look = () => {
    const memory = memoryByProcessId();
    for (const one of watched) {
      const bytes = one.contents.isDestroyed() ? 0 : memory.get(one.contents.getOSProcessId());
      // One that is ending has nothing left, for seconds.
      if (bytes) one.last = bytes;
      if (one.last > most) one.onExcess();
    }
    const isNear = [...watched].some(({ last }) => last > most / 2);
    if (watched.size > 0) looking = setTimeout(look, isNear ? lookSoon : lookEvery);
    else looking = undefined;
  };
  return (contents, onExcess) => {
    const one: Watched = { contents, onExcess, last: 0 };
    watched.add(one);
    looking ??= setTimeout(look, lookEvery);
    return {
      last: () => one.last,
      wasMuch: () => one.last > Math.min(much, most / 2),
      end() {
        watched.delete(one);
      },
    };
  };
}

/** Bytes. */
function memoryByProcessId(): ReadonlyMap<number, number> {
  // Electron counts kilobytes of 1024.
  return new Map(app.getAppMetrics().map(({ pid, memory }) => [pid, memory.workingSetSize * 1024]));
}
