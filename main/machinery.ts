/** What converts: windows, the threads in which documents are finished, and the watch over whether both work. */
import { convertCanary } from './canary.ts';
import { openEngine, type Engine, type EngineOptions } from './engine/engine.ts';
import { openHealth, type Health, type HealthOptions } from './engine/health.ts';
import { Pool } from './engine/pool.ts';
import type { ServiceLog } from './log/service-log.ts';
import type { Metrics } from './metrics/metrics.ts';
import { openFinisher, type Finisher } from './output/finisher.ts';
import type { Settings } from './settings/table.ts';

export interface Machinery extends AsyncDisposable {
  readonly engine: Engine;
  readonly finisher: Finisher;
  /** Places in which inputs are unpacked and filled. */
  readonly preparations: Pool;
  /** Bytes of the largest output. */
  readonly maxOutput: number;
  /** Why conversions fail, as far as is known. */
  readonly problem: Health['problem'];
}

interface Parts {
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

export async function openMachinery(parts: Parts): Promise<Machinery> {
  const { settings, metrics, onHopeless, log } = parts;
  let doubt: Health['doubt'] = () => {};
  const options = engineOptions(parts);
  const engine = await openEngine({
    ...options,
    onWaited: metrics.waited,
    onReplaced: metrics.replaced,
    onDoubt: (why) => {
      doubt(why);
    },
  });
  const finisher = await openFinisher(settings.workers);
  const means = { engine, finisher, maxOutput: settings['max-output'] };
  const health = openHealth({
    convert: (signal) => convertCanary(means, signal),
    ...{ distrust: engine.distrust, onRun: metrics.canary, onHopeless, log },
  });
  doubt = health.doubt;
  return {
    ...{ ...means, preparations: new Pool(options), problem: health.problem },
    async [Symbol.asyncDispose]() {
      health[Symbol.dispose]();
      await finisher[Symbol.asyncDispose]();
      await engine[Symbol.asyncDispose]();
    },
  };
}

function engineOptions({ settings, log, prefixes, servicePort }: Parts): EngineOptions {
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
      rules: {
        policy: settings.network,
        allow: settings['network-allow'] ?? [],
        deny: settings['network-deny'] ?? [],
      },
      limits: { requests: settings['page-requests'], bytes: settings['page-size'] },
      upstreamProxy:
        settings['upstream-proxy'] === undefined ? undefined : new URL(settings['upstream-proxy']),
      servicePort,
    },
  };
}
