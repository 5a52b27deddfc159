/** docs/metrics.md: every metric of ours, from the registry itself. */
import { Registry } from 'prom-client';
import { openMetrics, eventLoopMonitoringPrecision as between } from '../../main/metrics/metrics.ts';
import { cells, notice, table } from './markdown.ts';

/** What the library's own types leave out. */
interface Described {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly constructor: { readonly name: string };
}

export function metricsPage(): string {
  const rows = described()
    .filter(({ name }) => name.startsWith('platen_'))
    .map(({ name, help, labelNames, constructor }) => {
      const labels = labelNames.filter((label) => label !== 'le').map((label) => `\`${label}\``);
      return cells(`\`${name}\``, constructor.name.toLowerCase(), labels.join(', '), help);
    });
  return `${notice}# Metrics

\`GET /metrics\` answers in Prometheus' text format 0.0.4, behind the same authentication as everything else. An operator's account
sees all; any other sees what is of the whole service and, of what is of an account, its own. Times are seconds, sizes bytes.
[operations.md](operations.md) says how to have them read, and what to be woken by.

${table(['metric', 'type', 'labels', 'meaning'], rows)}

Besides there is what prom-client tells of any Node process (\`process_*\`, \`nodejs_*\`), here of the service's own one.
\`nodejs_eventloop_lag_*_seconds\` other than the plain one are times between two looks ${between} ms apart, so they begin at ${between / 1000}:
a stall is what is above that, and one that is shorter than the time between two looks may go unseen.
`;
}

function described(): readonly Described[] {
  const registry = new Registry();
  openMetrics(registry, {
    versions: { platen: '', electron: '', chromium: '' },
    ready: () => Promise.resolve(true),
    restarts: 0,
    memory: () => ({}),
    work: () => ({ waiting: 0, windows: {}, preparing: {} }),
    replacements: [],
    canaries: [],
    balances: () => Promise.resolve([]),
  });
  return registry.getMetricsAsArray() as unknown as readonly Described[];
}
