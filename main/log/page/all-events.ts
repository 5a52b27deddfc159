/** Every event as it was written, folded away: nothing of a log is in its JSON alone, as long as it is not huge. */
import type { LogEvent } from '../events.ts';
import { milliseconds } from './figures.ts';
import { foreign, html } from './markup.ts';
import type { Section } from './section.ts';
import { cutList, table, type Row } from './table.ts';

const most = 500;
const longestDetail = 600;

export function allEvents(events: readonly LogEvent[]): Section | undefined {
  if (events.length === 0) return undefined;
  const { first, more } = cutList(events, most);
  const columns = [
    { name: 'At ms', look: 'number' },
    { name: 'Kind', look: 'level' },
    { name: 'What', look: 'name' },
  ];
  const content = html`<details>
    <summary>Show them as they were written</summary>
    ${table({ label: 'All events', columns, rows: first.map(row) })}${more}
  </details>`;
  return { id: 'events', title: 'All events', count: events.length, content };
}

function row(event: LogEvent): Row {
  const { at, kind, text } = event;
  const detail = rawDetail(event);
  const more =
    detail === '{}' ? undefined : html`<br /><small><code>${foreign(detail, longestDetail)}</code></small>`;
  return { look: 'flat', cells: [milliseconds(at), kind, html`${foreign(text, 400)}${more}`] };
}

function rawDetail({ kind, detail }: LogEvent): string {
  // A picture is shown at the top, and its bytes say nothing.
  if (kind === 'picture') return JSON.stringify({ ...detail, data: `(${detail.data.length} characters)` });
  return JSON.stringify(detail);
}
