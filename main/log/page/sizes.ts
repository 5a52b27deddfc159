/** The sizes section: the shares of fonts, images and the rest, as a bar with a legend. */
import type { LogEvent, SizesEvent } from '../events.ts';
import { lastOf } from '../select-events.ts';
import { bytes, number } from './figures.ts';
import { foreign, html, type Markup, type Section } from './markup.ts';
import { table } from './table.ts';
import { key } from './time-axis.ts';

type Sizes = SizesEvent['detail'];

interface Share {
  readonly what: string;
  readonly bytes: number;
  /** Percent of the whole, and the sum of the parts before this one. */
  readonly share: number;
  readonly before: number;
  readonly look: string;
}

export function sizes(events: readonly LogEvent[]): Section | undefined {
  const detail = lastOf(events, 'sizes')?.detail;
  if (detail === undefined) return undefined;
  const parts = sharesOf(detail);
  const content = html`${parts.length < 2 ? undefined : html`${bar(parts)}${legend(parts)}`}${largest(detail)}`;
  return { id: 'sizes', title: `Size of the output: ${bytes(detail.total)}`, content };
}

function sharesOf({ fonts, images, rest, total }: Sizes): Share[] {
  let before = 0;
  return (
    [
      ['Fonts', fonts],
      ['Images', images],
      ['Text, drawings and structure', rest],
    ] as const
  ).flatMap(([what, size], index) => {
    if (size <= 0 || total <= 0) return [];
    const part = { what, bytes: size, share: (size / total) * 100, before, look: `share-${index}` };
    before += part.share;
    return [part];
  });
}

function bar(parts: readonly Share[]): Markup {
  const said = parts.map(({ what, share }) => `${what} ${Math.round(share)} %`).join(', ');
  const rects = parts.map(
    ({ share, before, look }) =>
      html`<rect class="${look}" x="${rounded(before)}%" y="0" width="${rounded(share)}%" height="100%" />`,
  );
  return html`<svg class="shares" role="img" aria-label="${said}">${rects}</svg>`;
}

function legend(parts: readonly Share[]): Markup {
  const items = parts.map(
    ({ what, bytes: size, share, look }) =>
      html`<li>${key(look)}${what} <small>${bytes(size)}, ${number(Math.round(share))} %</small></li>`,
  );
  return html`<ul class="legend">
    ${items}
  </ul>`;
}

function largest({ largest }: Sizes): Markup | undefined {
  if (largest.length === 0) return undefined;
  const columns = [
    { name: 'Largest parts', look: 'name' },
    { name: 'Size', look: 'number' },
  ];
  const rows = largest
    .slice(0, 20)
    .map(({ what, bytes: size }) => ({ cells: [foreign(what, 200), bytes(size)] }));
  return table({ label: 'Largest parts', columns, rows });
}

function rounded(percent: number): number {
  return Math.round(percent * 100) / 100;
}
