/** Generates docs/metrics.md from the metrics registry. */
import { Registry } from 'prom-client';
import { openMetrics, eventLoopMonitoringPrecision as between } from '../../main/metrics/metrics.ts';
import { cells, notice, table } from './markdown.ts';

/** Properties of a metric that prom-client's types omit. */
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

\`GET /metrics\` responds in Prometheus' text format 0.0.4 and needs the same authentication as other requests. Operators see all
metrics; other accounts see those of the whole service, and those of their own account. Times are in seconds, sizes in bytes.
[operations.md](operations.md) describes the Prometheus configuration and the alerting rules.

${table(['metric', 'type', 'labels', 'meaning'], rows)}

The response also contains prom-client's default metrics of a Node process (\`process_*\`, \`nodejs_*\`), for the process of the service.
Except for \`nodejs_eventloop_lag_seconds\`, the metrics \`nodejs_eventloop_lag_*_seconds\` measure the time between two samples that are
${between} ms apart, so their minimum is ${between / 1000}. Only the excess is a stall, and a stall shorter than the interval may not be measured.
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
    databaseProblem: () => undefined,
  });
  return registry.getMetricsAsArray() as unknown as readonly Described[];
}
