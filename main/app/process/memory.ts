/** Measures the memory of Electron's processes, and collects garbage once after the start. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { app } from 'electron';

/** Electron's process types; all others (network, audio, zygotes) count as `utility`. */
const kinds: Readonly<Record<string, string>> = { Browser: 'browser', Tab: 'renderer', GPU: 'gpu' };

/** Returns the resident bytes by kind of process: `browser`, `renderer`, `gpu`, `utility`. */
export function memoryByProcess(): Readonly<Record<string, number>> {
  const sums: Record<string, number> = { browser: 0, renderer: 0, gpu: 0, utility: 0 };
  for (const { type, memory } of app.getAppMetrics()) {
    const kind = kinds[type] ?? 'utility';
    // Electron reports units of 1024 bytes.
    sums[kind] = (sums[kind] ?? 0) + memory.workingSetSize * 1024;
  }
  return sums;
}

/** Long enough that the code cache for the next start has been written (launch/code-cache.ts). */
const collectDelayMs = 3000;

/**
 * Runs V8's garbage collector once after the start, which frees about 15 MB in about 40 ms; V8 itself would wait for jobs. The `gc`
 * function needs a V8 flag that only new contexts see. The flag is reset, because the code cache is valid only for the same flags.
 */
export function collectAfterStart(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    setFlagsFromString('--no-expose-gc');
  }, collectDelayMs).unref();
}
