/** A debug log as one HTML page: no script, no outside asset, every text escaped. */
import { escapeHtml } from './escape-html.ts';
import type { LogEvent } from './events.ts';

export function debugLogPage(events: readonly LogEvent[]): string {
  const job = events.find((event) => event.kind === 'job')?.text ?? '';
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Debug log ${escapeHtml(job)}</title>
<style>${style}</style>
<h1>Debug log</h1><p>Job <code>${escapeHtml(job)}</code></p>
<table><thead><tr><th>at ms</th><th>took ms</th><th>what</th><th></th></tr></thead>
<tbody>${events.map(row).join('')}</tbody></table></html>
`;
}

const style = `body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem; color: #1d2530; background: #fff }
table { border-collapse: collapse; width: 100% } th { text-align: left; color: #5b6675; font-weight: 500 }
td, th { padding: .3rem .75rem .3rem 0; border-bottom: 1px solid #e4e8ee; vertical-align: top; overflow-wrap: anywhere }
td:nth-child(-n+2), th:nth-child(-n+2) { text-align: right; width: 5rem; font-variant-numeric: tabular-nums }
td:nth-child(3) { width: 6rem; color: #5b6675 } .failure td { background: #fdecec } small { color: #5b6675 }
@media (prefers-color-scheme: dark) { body { color: #dde3ea; background: #14181d } td, th { border-color: #2a3138 } .failure td { background: #3d1f22 } }`;

function row(event: LogEvent): string {
  const { at, kind, text, detail } = event;
  const took = 'took' in event ? event.took : undefined;
  const details = Object.entries(detail).map(([name, value]) => `${name}: ${String(value)}`);
  const more = details.length === 0 ? '' : `<br><small>${escapeHtml(details.join(' · '))}</small>`;
  return `<tr class="${escapeHtml(kind)}"><td>${at}</td><td>${took ?? ''}</td><td>${escapeHtml(kind)}</td><td>${escapeHtml(text)}${more}</td></tr>`;
}
