/** Who sees which series, and the text they are told in (Prometheus text format 0.0.4). Pure. */
import type { Registry } from 'prom-client';

export type MetricFamily = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number];

/** Who asks. */
export interface Viewer {
  readonly name: string;
  /** Sees the series of every account. */
  readonly operator: boolean;
}

export const contentType = 'text/plain; version=0.0.4; charset=utf-8';

/** What the viewer may see: of series with an account only its own, unless it is an operator. */
export function visibleTo(viewer: Viewer, families: readonly MetricFamily[]): readonly MetricFamily[] {
  if (viewer.operator) return families;
  return families.map((family) => ({
    ...family,
    values: family.values.filter(
      ({ labels }: Sample) => labels.account === undefined || labels.account === viewer.name,
    ),
  }));
}

/** The families as text. */
export function exposition(families: readonly MetricFamily[]): string {
  return `${families.map(familyText).join('\n\n')}\n`;
}

/** A histogram's samples have names of their own. */
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

/** JavaScript's Infinity is not the format's. */
function numberText(value: number): string {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
}
