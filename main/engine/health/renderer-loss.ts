/**
 * The loss of a window's renderer: it crashed, ran out of memory or was killed. This file determines the reason;
 * `engine/retries.ts` repeats the job in another window, and the window pool replaces the window.
 */
import { totalmem } from 'node:os';

/** The abort reason of a job whose renderer was lost. `message` is the reason (crashed, oom, killed...). */
export class RendererLost extends Error {}

/** The details that Electron reports. */
export interface RendererLoss {
  readonly reason: string;
  /** On POSIX, the number of the signal that ended the process. */
  readonly exitCode: number;
}

/**
 * Signals that end a process that has run out of memory. V8, Blink and the allocator end it as after any failed check: SIGTRAP (5),
 * SIGILL (4), SIGABRT (6). The operating system sends SIGKILL (9). SIGSEGV and SIGBUS mean invalid memory access, not lack of
 * memory.
 */
const outOfMemorySignals: ReadonlySet<number> = new Set([4, 5, 6, 9]);

/**
 * A lost renderer with more memory than this may have run out of memory. V8 limits a page's heap to a quarter of the machine's
 * memory, at most 4 GB; a page usually takes about 100 MB.
 */
const largeRendererBytes = Math.min(1e9, totalmem() / 8);

/**
 * Returns Electron's reason, or `oom` if the reason is memory-eviction, or if the renderer's last measured size (`bytes`) and exit
 * code suggest that it ran out of memory. Chromium reports lack of memory only on Windows; elsewhere it is inferred.
 */
export function lossReason({ reason, exitCode }: RendererLoss, bytes: number): string {
  const mayLackMemory = (reason === 'crashed' || reason === 'killed') && outOfMemorySignals.has(exitCode);
  return reason === 'memory-eviction' || (mayLackMemory && bytes >= largeRendererBytes) ? 'oom' : reason;
}
