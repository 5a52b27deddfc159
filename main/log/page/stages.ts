/** The stages of the job as bars on one axis, and why each wait ended. */
import type { LogEvent } from '../events.ts';
import { eventsOf, spanOf, type EventOf } from '../select-events.ts';
import { milliseconds } from './figures.ts';
import { foreign } from './markup.ts';
import type { Section } from './section.ts';
import { table, type Row } from './table.ts';
import { axis, bars } from './time-axis.ts';

export function stages(events: readonly LogEvent[]): Section | undefined {
  const all = eventsOf(events, 'stage');
  if (all.length === 0) return undefined;
  const whole = spanOf(events);
  const columns = [
    { name: 'Stage', look: 'name' },
    { name: 'Took ms', look: 'number' },
    { name: axis(whole), look: 'time' },
    { name: 'Ended because', look: 'why' },
  ];
  const label = 'Stages of the job';
  const rows = all.map((stage) => row(stage, whole));
  return { id: 'stages', title: 'Stages', content: table({ label, columns, rows }) };
}

function row({ at, text, took, detail }: EventOf<'stage'>, whole: number): Row {
  const bar = { from: Math.max(0, at - took), to: at, look: 'stage' };
  return {
    cells: [foreign(text, 200), milliseconds(took), bars([bar], whole), foreign(detail.ended ?? '', 500)],
  };
}
