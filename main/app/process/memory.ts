/** Measures the memory of Electron's processes. */
import { app } from 'electron';

/** Names for Electron's process types. All other types (network, audio, zygotes) count as `utility`. */
const kinds: Readonly<Record<string, string>> = { Browser: 'browser', Tab: 'renderer', GPU: 'gpu' };

/** Returns the resident memory in bytes by kind of process: `browser`, `renderer`, `gpu`, `utility`. */
export function memoryByProcess(): Readonly<Record<string, number>> {
  const sums: Record<string, number> = { browser: 0, renderer: 0, gpu: 0, utility: 0 };
  for (const { type, memory } of app.getAppMetrics()) {
    const kind = kinds[type] ?? 'utility';
    // Electron reports units of 1024 bytes.
    sums[kind] = (sums[kind] ?? 0) + memory.workingSetSize * 1024;
  }
  return sums;
}
