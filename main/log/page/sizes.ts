/** The sizes section: the shares of fonts, images and the rest, as a bar with a legend. */
import { type LogEvent, type SizesEvent, lastOf } from '../events.ts';
import { bytes, number } from './figures.ts';
import { untrusted, html, type Markup, type Section } from './markup.ts';
import { table } from './table.ts';
import { legendKey } from './time-axis.ts';

type Sizes = SizesEvent['detail'];

interface SizeShare {
  readonly name: string;
  readonly bytes: number;
  /** Percent of the whole, and the sum of the parts before this one. */
  readonly share: number;
  readonly before: number;
  readonly className: string;
}

export function sizes(events: readonly LogEvent[]): Section | undefined {
  const detail = lastOf(events, 'sizes')?.detail;
  if (detail === undefined) return undefined;
  const parts = sharesOf(detail);
  const content = html`${parts.length < 2 ? undefined : html`${bar(parts)}${legend(parts)}`}${largest(detail)}`;
  return { id: 'sizes', title: `Size of the output: ${bytes(detail.total)}`, content };
}

function sharesOf({ fonts, images, rest, total }: Sizes): SizeShare[] {
  let before = 0;
  return (
    [
      ['Fonts', fonts],
      ['Images', images],
      ['Text, drawings and structure', rest],
    ] as const
  ).flatMap(([name, size], index) => {
    if (size <= 0 || total <= 0) return [];
    const part = { name, bytes: size, share: (size / total) * 100, before, className: `share-${index}` };
    before += part.share;
    return [part];
  });
}

function bar(parts: readonly SizeShare[]): Markup {
  const label = parts.map(({ name, share }) => `${name} ${Math.round(share)} %`).join(', ');
  const rects = parts.map(
    ({ share, before, className }) =>
      html`<rect
        class="${className}"
        x="${rounded(before)}%"
        y="0"
        width="${rounded(share)}%"
        height="100%"
      />`,
  );
  return html`<svg class="shares" role="img" aria-label="${label}">${rects}</svg>`;
}

function legend(parts: readonly SizeShare[]): Markup {
  const items = parts.map(
    ({ name, bytes: size, share, className }) =>
      html`<li>
        ${legendKey(className)}${name} <small>${bytes(size)}, ${number(Math.round(share))} %</small>
      </li>`,
  );
  return html`<ul class="legend">
    ${items}
  </ul>`;
}

function largest({ largest }: Sizes): Markup | undefined {
  if (largest.length === 0) return undefined;
  const columns = [
    { name: 'Largest parts', className: 'name' },
    { name: 'Size', className: 'number' },
  ];
  const rows = largest
    .slice(0, 20)
    .map(({ what, bytes: size }) => ({ cells: [untrusted(what, 200), bytes(size)] }));
  return table({ label: 'Largest parts', columns, rows });
}

function rounded(percent: number): number {
  return Math.round(percent * 100) / 100;
}
