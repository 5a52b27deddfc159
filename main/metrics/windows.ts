/** What is counted of windows and of the queue for them: how many there are now, how long jobs waited, why windows go. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** How many of each kind (`still`, `live`) are in each state (`idle`, `working`). */
export type WindowCounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface WindowSources {
  /** As it is when somebody asks. */
  readonly work: () => {
    readonly waiting: number;
    readonly windows: WindowCounts;
    readonly preparing: Readonly<Record<string, number>>;
  };
  /** Every reason there is, so that each series begins at 0 and its first increase is seen. */
  readonly replacements: readonly string[];
  /** The same of the ends a canary may come to. */
  readonly canaries: readonly string[];
}

export interface WindowMetrics {
  /** A job got its window after so many milliseconds. */
  readonly waited: (milliseconds: number) => void;
  readonly replaced: (why: string) => void;
  readonly canary: (outcome: string) => void;
}

const waitBuckets = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60];

/** Registers the metrics. */
export function countWindows(registry: Registry, sources: WindowSources): WindowMetrics {
  const registers = [registry];
  gaugeWork(registers, sources);
  const waits = new Histogram({
    name: 'platen_queue_wait_seconds',
    help: 'Time that jobs which got a window had waited for it.',
    buckets: waitBuckets,
    registers,
  });
  const replacements = new Counter({
    name: 'platen_window_replacements_total',
    help: 'Windows that were replaced by new ones, by reason.',
    labelNames: ['why'],
    registers,
  });
  for (const why of sources.replacements) replacements.inc({ why }, 0);
  const canaries = new Counter({
    name: 'platen_canary_runs_total',
    help: 'Conversions of the canary, which is converted when something looked wrong, by outcome (passed, failed, inconclusive: there was no window for it).',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of sources.canaries) canaries.inc({ outcome }, 0);
  return {
    waited(milliseconds) {
      waits.observe(milliseconds / 1000);
    },
    replaced(why) {
      replacements.inc({ why });
    },
    canary(outcome) {
      canaries.inc({ outcome });
    },
  };
}

/** What is so now, read when it is asked for. */
function gaugeWork(registers: Registry[], { work }: WindowSources): void {
  new Gauge({
    name: 'platen_queue_length',
    help: 'Jobs that wait for a window now.',
    registers,
    collect() {
      this.set(work().waiting);
    },
  });
  new Gauge({
    name: 'platen_windows',
    help: 'Windows now, by kind (still: documents without scripts, live: scripts and pictures) and state (idle, working).',
    labelNames: ['kind', 'state'],
    registers,
    collect() {
      for (const [kind, states] of Object.entries(work().windows))
        for (const [state, count] of Object.entries(states)) this.set({ kind, state }, count);
    },
  });
  new Gauge({
    name: 'platen_preparations',
    help: 'Jobs whose input is being read, unpacked or filled in now (working), and those that wait for it (waiting).',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(work().preparing)) this.set({ state }, count);
    },
  });
}
