/** The layout section: viewport, paper, scale, encoding, and elements that overflow or are split by page breaks. */
import {
  type BreaksEvent,
  type EncodingEvent,
  type LayoutEvent,
  type LogEvent,
  eventsOf,
  lastOf,
  type EventOf,
} from '../events.ts';
import { declarations } from '../findings.ts';
import { inches, number, pixels } from './figures.ts';
import { untrusted, html, factList, type Markup, type Fact, type Section } from './markup.ts';
import { cutList, table, type Row } from './table.ts';

const maxRows = 200;

export function layout(events: readonly LogEvent[]): Section | undefined {
  const layouts = eventsOf(events, 'layout');
  const breaks = eventsOf(events, 'breaks');
  const headersFooters = eventsOf(events, 'header-footer');
  const encoding = lastOf(events, 'encoding');
  if (layouts.length + breaks.length + headersFooters.length === 0 && encoding === undefined)
    return undefined;
  const { first, more } = cutList(
    breaks.flatMap(({ detail }) => breakRows(detail)),
    maxRows,
  );
  const content = html`${factLists(layouts, encoding)}
  ${headersFooters.map(({ text }) => html`<p>${untrusted(text)}</p>`)}
  ${first.length === 0 ? undefined : breaksTable(first)}${more}`;
  return { id: 'layout', title: 'Layout', content };
}

/** Renders one list for each layout, because a log may have several. */
function factLists(
  layouts: readonly EventOf<'layout'>[],
  encoding: EventOf<'encoding'> | undefined,
): Markup[] {
  const known = layouts.map(({ detail }) => layoutFacts(detail));
  const about = encoding === undefined ? [] : [encodingFact(encoding.detail)];
  return known.length === 0
    ? [factList(about)]
    : known.map((one, index) => factList(index === 0 ? [...one, ...about] : one));
}

function layoutFacts({ viewport, media, scale, paper, margins, picture }: LayoutEvent['detail']): Fact[] {
  return [
    ['Viewport', viewport.height > 0 ? pixels(viewport) : `${number(viewport.width)} px wide`],
    ['Media', media],
    ['Scale', `${number(scale * 100)} %`],
    ['Paper', paper && inches(paper.width, paper.height)],
    ['Image', picture && pixels(picture)],
    ['Margins', margins && marginsText(margins)],
  ];
}

/** Shows one number if all four margins are equal. */
function marginsText({ top, right, bottom, left }: NonNullable<LayoutEvent['detail']['margins']>): string {
  if (new Set([top, right, bottom, left]).size === 1) return inches(top);
  return `top ${number(top)}, right ${number(right)}, bottom ${number(bottom)}, left ${number(left)} in`;
}

function encodingFact({ encoding, declared }: EncodingEvent['detail']): Fact {
  return ['Encoding', html`${untrusted(encoding, 100)}, ${declarations[declared]}`];
}

function breaksTable(rows: readonly Row[]): Markup {
  const columns = [
    { name: 'Element', className: 'name' },
    { name: 'Problem', className: 'why' },
  ];
  return table({ label: 'Page breaks and overflows', columns, rows });
}

function breakRows({ overflows, splits, tall }: BreaksEvent['detail']): Row[] {
  return [
    ...overflows.map(({ element, by }) => elementRow(element, `overflows ${number(by)} px to the right`)),
    ...tall.map(({ element, height, page }) =>
      elementRow(element, `is taller than a page: ${number(height)} px, starting on page ${number(page)}`),
    ),
    ...splits.map(({ element, first, last }) =>
      elementRow(element, `is split by a page break: pages ${number(first)} to ${number(last)}`),
    ),
  ];
}

function elementRow(element: string, problem: string): Row {
  return { cells: [html`<code>${untrusted(element, 300)}</code>`, problem] };
}
