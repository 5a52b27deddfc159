/** Opens metrics whose sources return fixed values. */
import { Registry } from 'prom-client';
import { openMetrics, type EndedJob, type MetricSources } from '../../../main/metrics/metrics.ts';

export function openTestMetrics(sources: Partial<MetricSources> = {}, registry = new Registry()) {
  return openMetrics(registry, {
    versions: { platen: '1.2.3', electron: '33.2.1', chromium: '130.0' },
    ready: () => Promise.resolve(true),
    restarts: 0,
    memory: () => ({ browser: 1, renderer: 2 }),
    replacements: ['crashed', 'window-jobs reached'],
    canaries: ['passed', 'failed'],
    work: () => ({
      waiting: 3,
      windows: { static: { idle: 1, working: 2 }, dynamic: { idle: 0, working: 1 } },
      preparing: { working: 4, waiting: 5 },
    }),
    balances: () => Promise.resolve([{ account: 'anna', remaining: 7 }]),
    databaseProblem: () => undefined,
    ...sources,
  });
}

export const operator = { name: 'boss', operator: true };

export const letterJob: EndedJob = {
  account: 'anna',
  outcome: 'converted',
  reason: 0,
  durationMs: 80,
  stages: { 'prepare input': 0.4, 'load the page': 36, print: 5 },
  credits: 1,
};
