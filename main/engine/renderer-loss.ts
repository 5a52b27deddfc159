/** Why a renderer was lost. Chromium names the want of memory on Windows alone; elsewhere it is told from its traces. Plain Node. */
import { totalmem } from 'node:os';

/** As Electron tells it. */
export interface Gone {
  readonly reason: string;
  /** On POSIX systems the number of the signal that ended it. */
  readonly exitCode: number;
}

/**
 * How V8, Blink and the allocator end a process that they have no memory for: by a trap, as each failed check of theirs
 * does, hence SIGTRAP, SIGILL, SIGABRT; and the system, by SIGKILL. Touching wrong memory (SIGSEGV, SIGBUS) is something else.
 */
const endsOfHunger: ReadonlySet<number> = new Set([4, 5, 6, 9]);

/** V8 gives a page up to a quarter of the memory, and no more than 4 GB; a page usually takes a tenth of a gigabyte. */
const much = Math.min(1e9, totalmem() / 8);

/** Electron's reason, or `oom` for a renderer that had so many bytes, shortly before, that it was lost for that. */
export function lossReason({ reason, exitCode }: Gone, bytes: number): string {
  const hungry = (reason === 'crashed' || reason === 'killed') && endsOfHunger.has(exitCode);
  return reason === 'memory-eviction' || (hungry && bytes >= much) ? 'oom' : reason;
}
