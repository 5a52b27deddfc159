/** How much memory Electron's processes use, by kind. */
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
