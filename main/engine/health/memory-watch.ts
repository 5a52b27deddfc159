/**
 * Samples the memory of the renderers that have a job, and reports each renderer above its limit. The last sample stays available
 * after the renderer is gone. Frames and workers run in their page's process.
 */
import { app, type WebContents } from 'electron';

/** Most jobs end before the first sample. A sample takes 0.25 ms for all windows together. */
const sampleIntervalMs = 500;
/** Interval while a renderer is above half of its limit, because a page can fill a gigabyte in half a second. */
const fastSampleIntervalMs = 100;

/** Samples above this count as high. An empty page uses two fifths of this. */
const highMemoryBytes = 250e6;

export interface MemoryWatch {
  /** Returns the bytes of the last sample, 0 before the first one. */
  readonly lastBytes: () => number;
  /**
   * Returns whether the last sample was so high that garbage must be collected. Otherwise the garbage would count as memory of the
   * next page.
   */
  readonly wasHigh: () => boolean;
  readonly end: () => void;
}

interface WatchedRenderer {
  readonly contents: WebContents;
  readonly onExcess: () => void;
  lastBytes: number;
}

/** Starts watching a renderer. `onExcess` is called at each sample above the limit. */
export type WatchMemory = (contents: WebContents, onExcess: () => void) => MemoryWatch;

export function openMemoryWatch(maxBytes: number): WatchMemory {
  const watched = new Set<WatchedRenderer>();
  let timer: NodeJS.Timeout | undefined;
  const sample = () => {
    const memory = memoryByProcessId();
    for (const entry of watched) {
      const bytes = entry.contents.isDestroyed() ? 0 : memory.get(entry.contents.getOSProcessId());
      // For a renderer that is ending, Electron reports 0 for seconds.
      if (bytes) entry.lastBytes = bytes;
      if (entry.lastBytes > maxBytes) entry.onExcess();
    }
    const isNearLimit = [...watched].some(({ lastBytes }) => lastBytes > maxBytes / 2);
    if (watched.size > 0) timer = setTimeout(sample, isNearLimit ? fastSampleIntervalMs : sampleIntervalMs);
    else timer = undefined;
  };
  return (contents, onExcess) => {
    const entry: WatchedRenderer = { contents, onExcess, lastBytes: 0 };
    watched.add(entry);
    timer ??= setTimeout(sample, sampleIntervalMs);
    return {
      lastBytes: () => entry.lastBytes,
      wasHigh: () => entry.lastBytes > Math.min(highMemoryBytes, maxBytes / 2),
      end() {
        watched.delete(entry);
      },
    };
  };
}

/** Returns the memory of each process in bytes. */
function memoryByProcessId(): ReadonlyMap<number, number> {
  // Electron reports KiB.
  return new Map(app.getAppMetrics().map(({ pid, memory }) => [pid, memory.workingSetSize * 1024]));
}
