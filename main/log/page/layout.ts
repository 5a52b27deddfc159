/** The layout section: viewport, paper, scale, encoding, and elements that overflow or are split by page breaks. */
import type { BreaksEvent, EncodingEvent, LayoutEvent, LogEvent } from '../events.ts';
import { declarations } from '../findings.ts';
import { eventsOf, lastOf, type EventOf } from '../select-events.ts';
import { inches, number, pixels } from './figures.ts';
import { foreign, html, factList, type Markup, type Fact, type Section } from './markup.ts';
import { cutList, table, type Row } from './table.ts';

const most = 200;

export function layout(events: readonly LogEvent[]): Section | undefined {
  const layouts = eventsOf(events, 'layout');
  const breaks = eventsOf(events, 'breaks');
  const strips = eventsOf(events, 'strip');
  const encoding = lastOf(events, 'encoding');
  if (layouts.length + breaks.length + strips.length === 0 && encoding === undefined) return undefined;
  const { first, more } = cutList(
    breaks.flatMap(({ detail }) => broken(detail)),
    most,
  );
  const content = html`${facts(layouts, encoding)} ${strips.map(({ text }) => html`<p>${foreign(text)}</p>`)}
  ${first.length === 0 ? undefined : breaksTable(first)}${more}`;
  return { id: 'layout', title: 'Layout', content };
}

/** Renders one list for each layout, because a log may have several. */
function facts(layouts: readonly EventOf<'layout'>[], encoding: EventOf<'encoding'> | undefined): Markup[] {
  const known = layouts.map(({ detail }) => used(detail));
  const about = encoding === undefined ? [] : [read(encoding.detail)];
  return known.length === 0
    ? [factList(about)]
    : known.map((one, index) => factList(index === 0 ? [...one, ...about] : one));
}

function used({ viewport, media, scale, paper, margins, picture }: LayoutEvent['detail']): Fact[] {
  return [
    ['Viewport', viewport.height > 0 ? pixels(viewport) : `${number(viewport.width)} px wide`],
    ['Media', media],
    ['Scale', `${number(scale * 100)} %`],
    ['Paper', paper && inches(paper.width, paper.height)],
    ['Picture', picture && pixels(picture)],
    ['Margins', margins && around(margins)],
  ];
}

/** Shows one number if all four margins are equal. */
function around({ top, right, bottom, left }: NonNullable<LayoutEvent['detail']['margins']>): string {
  if (new Set([top, right, bottom, left]).size === 1) return inches(top);
  return `top ${number(top)}, right ${number(right)}, bottom ${number(bottom)}, left ${number(left)} in`;
}

function read({ encoding, declared }: EncodingEvent['detail']): Fact {
  return ['Encoding', html`${foreign(encoding, 100)}, ${declarations[declared]}`];
}

function breaksTable(rows: readonly Row[]): Markup {
  const columns = [
    { name: 'Element', look: 'name' },
    { name: 'What about it', look: 'why' },
  ];
  return table({ label: 'Page breaks and overflows', columns, rows });
}

function broken({ overflows, splits, tall }: BreaksEvent['detail']): Row[] {
  return [
    ...overflows.map(({ element, by }) => about(element, `sticks out ${number(by)} px to the right`)),
    ...tall.map(({ element, height, page }) =>
      about(element, `is taller than a page: ${number(height)} px from page ${number(page)} on`),
    ),
    ...splits.map(({ element, first, last }) =>
      about(element, `goes over the end of a page: pages ${number(first)} to ${number(last)}`),
    ),
  ];
}

function about(element: string, what: string): Row {
  return { cells: [html`<code>${foreign(element, 300)}</code>`, what] };
}
