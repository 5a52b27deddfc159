/**
 * The service's metrics, in a registry that is handed in: never the library's own, which the whole process would share. It
 * counts what it is told and reads what it is handed when somebody asks; it does not know where any of it comes from.
 */
import type { Registry } from 'prom-client';
import { gaugeBalances, type Balance } from './balances.ts';
import { exposition, visibleTo, type Viewer } from './exposition.ts';
import { countJobs, type EndedJob } from './jobs.ts';
import { describeProcess, type ProcessSources } from './process.ts';
import { countWindows, type WindowMetrics, type WindowSources } from './windows.ts';

export { contentType } from './exposition.ts';
export type { Balance } from './balances.ts';
export type { EndedJob } from './jobs.ts';

export interface MetricSources extends ProcessSources, WindowSources {
  /** What each account with a limit has left. */
  readonly balances: () => Promise<readonly Balance[]>;
}

export interface Metrics extends WindowMetrics {
  readonly jobEnded: (job: EndedJob) => void;
  /** All that the viewer may see, as Prometheus reads it. */
  readonly text: (viewer: Viewer) => Promise<string>;
}

/** Registers all metrics. Nothing is read from the sources before somebody asks. */
export function openMetrics(registry: Registry, sources: MetricSources): Metrics {
  describeProcess(registry, sources);
  const jobEnded = countJobs(registry);
  const windows = countWindows(registry, sources);
  gaugeBalances(registry, sources.balances);
  return {
    ...windows,
    jobEnded,
    text: async (viewer) => exposition(visibleTo(viewer, await registry.getMetricsAsJSON())),
  };
}
