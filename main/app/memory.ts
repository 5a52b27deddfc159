/** How much memory Electron's processes use, by kind; and that the service gives back what its start has left. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { app } from 'electron';

/** Electron's names of what are processes of their own; the rest does chores (network, sound, zygotes). */
const kinds: Readonly<Record<string, string>> = { Browser: 'browser', Tab: 'renderer', GPU: 'gpu' };

/** Bytes in memory by kind of process: `browser`, `renderer`, `gpu`, `utility`. */
export function memoryByProcess(): Readonly<Record<string, number>> {
  const sums: Record<string, number> = { browser: 0, renderer: 0, gpu: 0, utility: 0 };
  for (const { type, memory } of app.getAppMetrics()) {
    const kind = kinds[type] ?? 'utility';
    // Electron counts kilobytes of 1024.
    sums[kind] = (sums[kind] ?? 0) + memory.workingSetSize * 1024;
  }
  return sums;
}

/** Milliseconds after the start: later than what the next one begins with was kept (launch/kept-code.ts). */
const afterStart = 3000;

/**
 * Lets V8 collect once what a start has left, some 15 MB: by itself it would not before there are jobs. Takes about 40 ms. The
 * function comes with a switch of V8 that only contexts made later see, and code is kept for V8 as it was without it.
 */
export function collectAfterStart(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    setFlagsFromString('--no-expose-gc');
  }, afterStart).unref();
}
