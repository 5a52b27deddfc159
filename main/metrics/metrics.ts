/**
 * Defines the service's metrics and formats them for Prometheus. Counters are incremented by other modules; gauges read their
 * sources at each request. The registry is a parameter, because prom-client's default registry is shared by the whole process.
 */
import { Gauge, Counter, Histogram, collectDefaultMetrics, type Registry } from 'prom-client';

export interface MetricSources extends ProcessSources, WindowSources {
  /** Returns the balance of each account with a limit. */
  readonly balances: () => Promise<readonly Balance[]>;
  /** Returns why the database cannot be reached, or undefined. */
  readonly databaseProblem: () => string | undefined;
}

export interface Metrics extends WindowMetrics {
  /** Counts a job that has ended. */
  readonly jobEnded: (job: EndedJob) => void;
  /** Returns the metrics that the viewer may see, in Prometheus text format. */
  readonly text: (viewer: Viewer) => Promise<string>;
}

/** Registers all metrics. Reads the sources only when the metrics are requested. */
export function openMetrics(registry: Registry, sources: MetricSources): Metrics {
  describeProcess(registry, sources);
  const jobEnded = countJobs(registry);
  const windows = countWindows(registry, sources);
  gaugeBalances(registry, sources.balances);
  gaugeDatabase(registry, sources.databaseProblem);
  return {
    ...windows,
    jobEnded,
    text: async (viewer) => exposition(visibleTo(viewer, await registry.getMetricsAsJSON())),
  };
}

export interface Balance {
  readonly account: string;
  readonly remaining: number;
}

/** Registers the gauge of balances. Unlimited accounts have no balance. */
function gaugeBalances(registry: Registry, balances: () => Promise<readonly Balance[]>): void {
  new Gauge({
    name: 'platen_credits_remaining',
    help: 'Remaining credits of an account; accounts without a limit have no series.',
    labelNames: ['account'],
    registers: [registry],
    async collect() {
      // If the balances cannot be read, the other metrics are still returned.
      const currentBalances = await balances().catch(() => []);
      this.reset();
      for (const { account, remaining } of currentBalances) this.set({ account }, remaining);
    },
  });
}

function gaugeDatabase(registry: Registry, problem: MetricSources['databaseProblem']): void {
  new Gauge({
    name: 'platen_database_up',
    help: '1 while the accounts database can be reached, otherwise 0.',
    registers: [registry],
    collect() {
      this.set(problem() === undefined ? 1 : 0);
    },
  });
}

// Visibility of series, and the Prometheus text format 0.0.4.

type MetricFamily = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number];

/** The account that requests the metrics. */
export interface Viewer {
  readonly name: string;
  /** Operators see the series of all accounts. */
  readonly operator: boolean;
}

export const contentType = 'text/plain; version=0.0.4; charset=utf-8';

/** Returns the families without the series of other accounts; all series if the viewer is an operator. */
function visibleTo(viewer: Viewer, families: readonly MetricFamily[]): readonly MetricFamily[] {
  if (viewer.operator) return families;
  return families.map((family) => ({
    ...family,
    values: family.values.filter(
      ({ labels }: Sample) => labels.account === undefined || labels.account === viewer.name,
    ),
  }));
}

/** Returns the families in Prometheus text format. */
export function exposition(families: readonly MetricFamily[]): string {
  return `${families.map(familyText).join('\n\n')}\n`;
}

/** The samples of a histogram have a `metricName` that differs from the family's name. */
interface Sample {
  readonly value: number;
  readonly labels: Partial<Record<string, string | number>>;
  readonly metricName?: string;
}

function familyText({ name, help, type, values }: MetricFamily): string {
  const samples = values.map(({ metricName = name, labels, value }: Sample) => {
    const shown = Object.entries(labels).map(([label, text]) => `${label}="${escaped(String(text))}"`);
    return `${metricName}${shown.length === 0 ? '' : `{${shown.join(',')}}`} ${numberText(value)}`;
  });
  const kind = String(type);
  return [`# HELP ${name} ${escapedHelp(help)}`, `# TYPE ${name} ${kind}`, ...samples].join('\n');
}

function escapedHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function escaped(text: string): string {
  return escapedHelp(text).replaceAll('"', '\\"');
}

/** Returns a number in Prometheus notation, which writes infinity differently from JavaScript. */
function numberText(value: number): string {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
}

// Jobs: outcomes, durations and credits.

/** A job whose response has ended, with or without success. */
export interface EndedJob {
  readonly account: string;
  readonly outcome: 'converted' | 'failed' | 'caller_gone';
  /** The code in `x-service-reason-code`; by default 0, for a converted job or if the caller disconnected. */
  readonly reason?: number;
  /** Milliseconds from the arrival of the request to the end of the response. */
  readonly durationMs: number;
  /** Duration of each finished stage in milliseconds. */
  readonly stages: Readonly<Record<string, number>>;
  /** Credits charged for the job; 0 by default. */
  readonly credits?: number;
}

/**
 * Bucket limits in seconds: from the time to convert a line of text to more than the job timeout, because the duration of a job
 * includes slow uploads.
 */
const jobBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

const stageBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Registers the metrics of jobs. Returns a function that counts one job and takes only microseconds. */
function countJobs(registry: Registry): (job: EndedJob) => void {
  const { jobs, durations, stages, credits } = jobMetrics([registry]);
  return ({ account, outcome, reason = 0, durationMs, stages: finished, credits: cost = 0 }) => {
    jobs.inc({ account, outcome, reason });
    durations.observe({ outcome }, durationMs / 1000);
    for (const [stage, milliseconds] of Object.entries(finished))
      stages.observe({ stage }, milliseconds / 1000);
    if (cost > 0) credits.inc({ account }, cost);
  };
}

function jobMetrics(registers: Registry[]) {
  const jobs = new Counter({
    name: 'platen_jobs_total',
    help: 'Finished jobs, by outcome (converted, failed, caller_gone) and reason code (0 if there is none).',
    labelNames: ['account', 'outcome', 'reason'],
    registers,
  });
  const durations = new Histogram({
    name: 'platen_job_duration_seconds',
    help: 'Time from the arrival of a request to the last byte of the response.',
    labelNames: ['outcome'],
    buckets: jobBuckets,
    registers,
  });
  const stages = new Histogram({
    name: 'platen_stage_duration_seconds',
    help: 'Duration of the stages of jobs; the stages have the same names as in the debug log.',
    labelNames: ['stage'],
    buckets: stageBuckets,
    registers,
  });
  const credits = new Counter({
    name: 'platen_credits_spent_total',
    help: 'Credits charged for delivered outputs.',
    labelNames: ['account'],
    registers,
  });
  return { jobs, durations, stages, credits };
}

// Processes: versions, readiness, memory, and prom-client's default metrics of a Node process.

interface ProcessSources {
  readonly versions: { readonly platen: string; readonly electron: string; readonly chromium: string };
  readonly ready: () => Promise<boolean>;
  /** Number of restarts after a crash or hang, including this start. */
  readonly restarts: number;
  /** Returns the resident memory in bytes, by kind of process (browser, renderer, gpu, utility). */
  readonly memory: () => Readonly<Record<string, number>>;
}

/**
 * Milliseconds between two measurements of the event loop. In an idle service, a measurement takes 0.2 ms of processor time, mostly
 * in the Electron thread that polls Node's event loop. With prom-client's default of 10 ms, that was 20 ms in each second.
 */
export const eventLoopMonitoringPrecision = 250;

/** Registers the metrics of the processes. */
function describeProcess(registry: Registry, sources: ProcessSources): void {
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
    help: '1 if the service can take a job, as reported by /ready; otherwise 0.',
    registers,
    async collect() {
      this.set((await ready()) ? 1 : 0);
    },
  });
  new Counter({
    name: 'platen_restarts_total',
    help: 'Restarts of the service by the launcher after a crash or hang. Reset when the launcher itself starts.',
    registers,
  }).inc(restarts);
  new Gauge({
    name: 'platen_memory_bytes',
    help: "Resident memory of the service's processes, by kind (browser: the service itself, renderer: the windows, gpu, utility); memory pages that processes share are counted in each.",
    labelNames: ['process'],
    registers,
    collect() {
      this.reset();
      for (const [process, bytes] of Object.entries(memory())) this.set({ process }, bytes);
    },
  });
}

// Windows and their queue: current counts, waiting times, and reasons for replacements.

/** Number of windows of each kind (`static`, `dynamic`) in each state (`idle`, `working`). */
type WindowCounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

interface WindowSources {
  /** Returns the current counts. */
  readonly work: () => {
    /** Jobs that are waiting for a window. */
    readonly waiting: number;
    readonly windows: WindowCounts;
    /** Jobs in input preparation, by state (`working`, `waiting`). */
    readonly preparing: Readonly<Record<string, number>>;
  };
  /** All reasons for replacements. Each series starts at 0, so that Prometheus detects the first increase. */
  readonly replacements: readonly string[];
  /** All outcomes of a canary. Each series starts at 0, so that Prometheus detects the first increase. */
  readonly canaries: readonly string[];
}

export interface WindowMetrics {
  /** Records how long a job waited for its window. */
  readonly waited: (milliseconds: number) => void;
  /** Counts a window that was replaced. */
  readonly replaced: (why: string) => void;
  /** Counts a canary conversion. */
  readonly canary: (outcome: string) => void;
}

const waitBuckets = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60];

/** Registers the metrics of windows and their queue. */
function countWindows(registry: Registry, sources: WindowSources): WindowMetrics {
  const registers = [registry];
  gaugeWork(registers, sources);
  const waits = new Histogram({
    name: 'platen_queue_wait_seconds',
    help: 'Time that jobs waited for a window; only jobs that got one are counted.',
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
    help: 'Canary conversions, which run after a suspected fault, by outcome (passed, failed; inconclusive: no window was free).',
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

/** Registers the gauges of the current work. */
function gaugeWork(registers: Registry[], { work }: WindowSources): void {
  new Gauge({
    name: 'platen_queue_length',
    help: 'Jobs that are waiting for a window.',
    registers,
    collect() {
      this.set(work().waiting);
    },
  });
  new Gauge({
    name: 'platen_windows',
    help: 'Windows, by kind (static: for documents without scripts; dynamic: for scripts and images) and state (idle, working).',
    labelNames: ['kind', 'state'],
    registers,
    collect() {
      for (const [kind, states] of Object.entries(work().windows))
        for (const [state, count] of Object.entries(states)) this.set({ kind, state }, count);
    },
  });
  new Gauge({
    name: 'platen_preparations',
    help: 'Jobs in input preparation (reading, unpacking, filling templates), by state (working, waiting).',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(work().preparing)) this.set({ state }, count);
    },
  });
}
