/** What converts: windows, the threads in which documents are finished, and the watch over whether both work. */
import { convertCanary } from './canary.ts';
import { openEngine, type Engine, type EngineOptions } from './engine/engine.ts';
import { openHealth, type Health, type HealthOptions } from './engine/health.ts';
import { Pool } from './engine/pool.ts';
import type { ArchiveLimits } from './input/archive/limits.ts';
import type { ServiceLog } from './log/service-log.ts';
import type { Metrics, MetricSources } from './metrics/metrics.ts';
import { openFinisher, type Finisher } from './output/finisher.ts';
import { networkRules } from './settings/network-rules.ts';
import type { Settings } from './settings/table.ts';
import { loadThreads } from './threads.ts';

export interface Machinery extends AsyncDisposable {
  readonly engine: Engine;
  readonly finisher: Finisher;
  /** Places in which inputs are unpacked and filled. */
  readonly preparations: Pool;
  /** Bytes of the largest output. */
  readonly maxOutput: number;
  readonly archiveLimits: ArchiveLimits;
  /** Why it can take no job just now, or undefined. */
  readonly unreadiness: () => string | undefined;
  /** What it does at this moment. */
  readonly work: MetricSources['work'];
}

export interface MachineryParts {
  readonly settings: Settings;
  readonly log: ServiceLog;
  readonly metrics: Pick<Metrics, 'waited' | 'replaced' | 'canary'>;
  /** Prefixes of the markup conventions. */
  readonly prefixes: readonly string[];
  /** The port the service listens on, which no page may reach. */
  readonly servicePort: () => number | undefined;
  /** Called once, when conversions have failed for so long that new processes are the only hope. */
  readonly onHopeless: HealthOptions['onHopeless'];
}

/** @throws Error when no window opens, or threads could not be started later */
export async function openMachinery(parts: MachineryParts): Promise<Machinery> {
  const { settings, metrics, onHopeless, log } = parts;
  let doubt: Health['doubt'] = () => {};
  const options = engineOptions(parts);
  const opening = openEngine({
    ...options,
    onWaited: metrics.waited,
    onReplaced: metrics.replaced,
    onDoubt: (why) => {
      doubt(why);
    },
  });
  const [engine, finisher] = [await withThreads(opening), openFinisher(settings.workers + 1)];
  const means = { engine, finisher, maxOutput: settings['max-output'] };
  const health = openHealth({
    convert: (signal) => convertCanary(means, signal),
    ...{ distrust: engine.distrust, onRun: metrics.canary, onHopeless, log },
  });
  doubt = health.doubt;
  const preparations = new Pool(options);
  return {
    ...{ ...means, preparations, archiveLimits: archiveLimitsOf(settings) },
    unreadiness: () => health.problem() ?? lackOf(engine),
    work: () => workOf(engine, preparations),
    async [Symbol.asyncDispose]() {
      health[Symbol.dispose]();
      await finisher[Symbol.asyncDispose]();
      await engine[Symbol.asyncDispose]();
    },
  };
}

/** The library is loaded while windows open; without it they are closed again. */
async function withThreads(opening: Promise<Engine>): Promise<Engine> {
  const [opened, loaded] = await Promise.allSettled([opening, loadThreads()]);
  if (opened.status === 'rejected') throw opened.reason;
  if (loaded.status === 'fulfilled') return opened.value;
  await opened.value[Symbol.asyncDispose]();
  throw loaded.reason;
}

function lackOf({ state }: Engine): string | undefined {
  if (state.short) return 'the machine is short of memory';
  return state.full ? 'all windows are busy and the queue is full' : undefined;
}

function workOf({ state }: Engine, preparations: Pool): ReturnType<Machinery['work']> {
  const { still, live } = state.windows;
  return {
    waiting: state.waiting,
    windows: { still: { ...still }, live: { ...live } },
    preparing: { ...preparations.state },
  };
}

/** Up to 50 MB an archive may unpack whatever its ratio is: small files compress well. */
function archiveLimitsOf(settings: Settings): ArchiveLimits {
  return {
    entries: settings['archive-entries'],
    bytes: settings['archive-size'],
    ratio: settings['archive-ratio'],
    ratioFrom: 50_000_000,
    depth: settings['archive-depth'],
    nameBytes: settings['archive-name'],
    time: settings['archive-time'],
  };
}

function engineOptions({ settings, log, prefixes, servicePort }: MachineryParts): EngineOptions {
  return {
    ...{ log, prefixes },
    workers: settings.workers,
    queue: settings.queue,
    queueTimeout: settings['queue-timeout'],
    jobTimeout: settings['job-timeout'],
    windowJobs: settings['window-jobs'],
    pageMemory: settings['page-memory'],
    memoryReserve: settings['memory-reserve'],
    network: {
      rules: networkRules(settings),
      limits: { requests: settings['page-requests'], bytes: settings['page-size'] },
      upstreamProxy:
        settings['upstream-proxy'] === undefined ? undefined : new URL(settings['upstream-proxy']),
      servicePort,
    },
  };
}
