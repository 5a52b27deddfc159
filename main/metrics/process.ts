/** What is told of the processes: versions, readiness, memory, and what prom-client knows of any Node process. */
import { collectDefaultMetrics, Counter, Gauge, type Registry } from 'prom-client';

export interface ProcessSources {
  readonly versions: { readonly platen: string; readonly electron: string; readonly chromium: string };
  readonly ready: () => Promise<boolean>;
  /** Times the service was started anew after a crash or hang, before this start and with it. */
  readonly restarts: number;
  /** Bytes of resident memory by kind of process (browser, renderer, gpu, utility). */
  readonly memory: () => Readonly<Record<string, number>>;
}

/**
 * Milliseconds between two looks at the event loop. Each look of an idle service costs 0.2 ms of processor time, most of it for
 * Electron's thread that waits on Node's behalf: with the library's own 10 that was 20 ms in each second.
 */
export const eventLoopMonitoringPrecision = 250;

/** Registers the metrics. */
export function describeProcess(registry: Registry, sources: ProcessSources): void {
  const { versions, ready, restarts, memory } = sources;
  const registers = [registry];
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision });
  new Gauge({
    name: 'platen_info',
    help: 'Versions, as labels; the value is always 1.',
    labelNames: ['version', 'electron', 'chromium'],
    registers,
  }).set({ version: versions.platen, electron: versions.electron, chromium: versions.chromium }, 1);
  new Gauge({
    name: 'platen_ready',
    help: '1 when a job can be taken, as /ready says; else 0.',
    registers,
    async collect() {
      this.set((await ready()) ? 1 : 0);
    },
  });
  new Counter({
    name: 'platen_restarts_total',
    help: 'Times the launcher has started the service anew after a crash or hang; 0 again when the launcher itself starts.',
    registers,
  }).inc(restarts);
  new Gauge({
    name: 'platen_memory_bytes',
    help: "Resident memory of the service's processes, by kind (browser: the service itself, renderer: the windows, gpu, utility); pages that processes share are counted in each.",
    labelNames: ['process'],
    registers,
    collect() {
      this.reset();
      for (const [process, bytes] of Object.entries(memory())) this.set({ process }, bytes);
    },
  });
}
