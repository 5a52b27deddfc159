/** Knows how much memory a window's renderer had last, which cannot be asked any more when it is gone. */
import { app, type WebContents } from 'electron';

/** Milliseconds; a look takes half of one. A page takes seconds to fill the memory, and most jobs are over before the first. */
const lookEvery = 500;

export interface MemoryWatch {
  /** Bytes at the last look; 0 before the first one. */
  readonly last: () => number;
  readonly end: () => void;
}

export function watchMemory(contents: WebContents): MemoryWatch {
  let last = 0;
  const looking = setInterval(() => {
    if (!contents.isDestroyed()) last = memoryOf(contents.getOSProcessId()) || last;
  }, lookEvery);
  return {
    last: () => last,
    end() {
      clearInterval(looking);
    },
  };
}

/** Bytes; 0 of a process that is ending. */
function memoryOf(processId: number): number {
  const found = app.getAppMetrics().find(({ pid }) => pid === processId);
  // Electron counts kilobytes of 1024.
  return (found?.memory.workingSetSize ?? 0) * 1024;
}
