/** Creates and owns the parts of a conversion: the engine, the threads that finish documents, and the canary that checks both. */
import { convertCanary } from './canary.ts';
import { Engine, type EngineOptions } from '../engine/engine.ts';
import { HealthMonitor, type HealthMonitorOptions } from '../engine/health/health-monitor.ts';
import { JobQueue, type JobQueueLimits } from '../engine/queue/job-queue.ts';
import type { ArchiveLimits } from '../input/archive/limits.ts';
import type { ServiceLog } from '../log/service-log.ts';
import type { Metrics, MetricSources } from '../metrics/metrics.ts';
import { openFinisher, type Finisher } from '../output/finish/finisher.ts';
import type { Signer } from '../output/output.ts';
import { openSigner } from '../output/sign/signer.ts';
import { signingFiles } from '../preflight/signing-certificate.ts';
import { networkRules } from '../settings/network-rules.ts';
import type { Settings } from '../settings/table.ts';
import { loadThreadPool } from '../async/threads.ts';

export interface ConverterOptions {
  readonly settings: Settings;
  readonly log: ServiceLog;
  readonly metrics: Pick<Metrics, 'waited' | 'replaced' | 'canary'>;
  /** Prefixes of the class names and of the script library that pages may use: `service`, and the operator's alias. */
  readonly prefixes: readonly string[];
  /** Returns the port of the service, which no page may reach; undefined while the service is not listening. */
  readonly servicePort: () => number | undefined;
  /** Called once, if conversions have failed for so long that the process must be restarted. */
  readonly onUnrecoverable: HealthMonitorOptions['onUnrecoverable'];
}

/** The engine, the threads that finish documents, and the canary that checks both. */
export class Converter implements AsyncDisposable {
  readonly engine: Engine;
  readonly finisher: Finisher;
  /** Limits how many archives are unpacked and templates filled at the same time. */
  readonly inputQueue: JobQueue;
  /** Size limit of an output, in bytes. */
  readonly maxOutputBytes: number;
  readonly archiveLimits: ArchiveLimits;
  readonly signer: Signer;
  readonly health: HealthMonitor;

  private constructor(engine: Engine, signer: Signer, options: ConverterOptions) {
    const { settings, metrics, log, onUnrecoverable } = options;
    this.engine = engine;
    this.signer = signer;
    this.finisher = openFinisher(settings.workers + 1);
    this.inputQueue = new JobQueue(queueLimits(settings), 'input process');
    this.maxOutputBytes = settings['max-output'];
    this.archiveLimits = archiveLimitsOf(settings);
    this.health = new HealthMonitor({
      convertCanary: (signal) => convertCanary(this, signal),
      replaceAllWindows: () => {
        engine.replaceAllWindows();
      },
      onRun: metrics.canary,
      onUnrecoverable,
      log,
    });
  }

  /**
   * Opens the engine and loads the thread library.
   * @throws Error if no window opens, the library cannot be loaded, or a signing certificate cannot be used
   */
  static async open(options: ConverterOptions): Promise<Converter> {
    const { settings } = options;
    const signer = await openSigner({
      certificates: signingFiles(settings),
      password: settings['signing-password'],
      timestampUrl: settings['timestamp-url'],
      onExpiring: (message) => {
        options.log.warn(message);
      },
    });
    // The engine opens windows before the health monitor exists.
    let reportFault: (why: string) => void = () => {};
    const engine = await withThreads(
      Engine.open({
        ...engineOptions(options),
        onWaited: options.metrics.waited,
        onReplaced: options.metrics.replaced,
        onFault: (why) => {
          reportFault(why);
        },
      }),
    );
    const converter = new Converter(engine, signer, options);
    reportFault = (why) => {
      converter.health.reportFault(why);
    };
    return converter;
  }

  /** Returns the dependencies of the conversion of one document. */
  get conversionDependencies() {
    const { engine, finisher, inputQueue, maxOutputBytes, archiveLimits, signer } = this;
    return { engine, finisher, inputQueue, maxOutputBytes, archiveLimits, signer };
  }

  /** Returns why the converter cannot take a job at the moment, or undefined if it can. */
  unreadiness(): string | undefined {
    const { isMemoryShort, isQueueFull } = this.engine.state;
    const problem = this.health.problem();
    if (problem !== undefined) return problem;
    if (isMemoryShort) return 'the machine is short of memory';
    return isQueueFull ? 'all windows are busy and the queue is full' : undefined;
  }

  /** Returns the current counts of queues and windows, for metrics. */
  work(): ReturnType<MetricSources['work']> {
    const { waiting, windows } = this.engine.state;
    return {
      waiting,
      windows: { static: { ...windows.static }, dynamic: { ...windows.dynamic } },
      preparing: { ...this.inputQueue.state },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.health[Symbol.dispose]();
    await this.finisher[Symbol.asyncDispose]();
    await this.engine[Symbol.asyncDispose]();
  }
}

/** Loads the thread library while windows open. Closes the windows if the library cannot be loaded. */
async function withThreads(opening: Promise<Engine>): Promise<Engine> {
  const [opened, loaded] = await Promise.allSettled([opening, loadThreadPool()]);
  if (opened.status === 'rejected') throw opened.reason;
  if (loaded.status === 'fulfilled') return opened.value;
  await opened.value[Symbol.asyncDispose]();
  throw loaded.reason;
}

/** Returns the archive limits. The compression ratio is checked only above 50 MB unpacked, because small files compress well. */
function archiveLimitsOf(settings: Settings): ArchiveLimits {
  return {
    entries: settings['archive-entries'],
    unpackedBytes: settings['archive-size'],
    ratio: settings['archive-ratio'],
    ratioFrom: 50_000_000,
    depth: settings['archive-depth'],
    nameBytes: settings['archive-name'],
    // An operator who allows more files allows longer steps of the main thread too.
    pathBytes: Math.max(2_000_000, 200 * settings['archive-entries']),
    timeoutMs: settings['archive-time'],
  };
}

function queueLimits(settings: Settings): JobQueueLimits {
  return {
    workers: settings.workers,
    queue: settings.queue,
    queueTimeoutMs: settings['queue-timeout'],
  };
}

function engineOptions({ settings, log, prefixes, servicePort }: ConverterOptions): EngineOptions {
  return {
    log,
    prefixes,
    ...queueLimits(settings),
    jobTimeoutMs: settings['job-timeout'],
    settleLimitMs: settings['settle-limit'],
    windowJobs: settings['window-jobs'],
    pageMemoryBytes: settings['page-memory'],
    memoryReserveBytes: settings['memory-reserve'],
    network: {
      rules: networkRules(settings),
      limits: { requests: settings['page-requests'], bytes: settings['page-size'] },
      upstreamProxy:
        settings['upstream-proxy'] === undefined ? undefined : new URL(settings['upstream-proxy']),
      servicePort,
    },
  };
}
