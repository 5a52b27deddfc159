/** Notes: what was decided on the way, in sentences. */
import type { LogEvent } from '../events.ts';
import { eventsOf } from '../select-events.ts';
import { milliseconds } from './figures.ts';
import { foreign, html } from './markup.ts';
import type { Section } from './section.ts';
import { cutList, table } from './table.ts';

const most = 200;

export function notes(events: readonly LogEvent[]): Section | undefined {
  const all = eventsOf(events, 'note');
  if (all.length === 0) return undefined;
  const { first, more } = cutList(all, most);
  const columns = [
    { name: 'At ms', look: 'number' },
    { name: 'Note', look: 'name' },
  ];
  const rows = first.map(({ at, text }) => ({ look: 'flat', cells: [milliseconds(at), foreign(text)] }));
  const content = html`${table({ label: 'Notes', columns, rows })}${more}`;
  return { id: 'notes', title: 'Notes', count: all.length, content };
}
