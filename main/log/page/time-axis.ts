/** Bars on a time axis, as SVG in percent, which needs neither style attributes nor scripts. */
import { percent, placeOf, ticks } from '../waterfall.ts';
import { milliseconds } from './figures.ts';
import { html, type Markup } from './markup.ts';

export interface Bar {
  /** Milliseconds since the job began. */
  readonly from: number;
  readonly to: number;
  /** Class with the colour. */
  readonly look: string;
}

/** Renders the bars of one row on an axis of `whole` milliseconds. The label has their begin and end as text. */
export function bars(parts: readonly Bar[], whole: number): Markup {
  const from = Math.min(...parts.map((part) => part.from));
  const to = Math.max(...parts.map((part) => part.to));
  const label = `from ${milliseconds(from)} to ${milliseconds(to)} ms`;
  return html`<svg class="bars" role="img" aria-label="${label}">
    ${grid(whole)}${parts.map((part) => bar(part, whole))}
  </svg>`;
}

/** Renders the axis, for the head of a column. */
export function axis(whole: number): Markup {
  const labels = ticks(whole).map(
    (tick) =>
      html`<text class="${isLast(tick, whole) ? 'last' : ''}" x="${percent(tick, whole)}%" y="11"
        >${milliseconds(tick)}</text
      >`,
  );
  return html`<svg class="axis" aria-hidden="true">${labels}</svg>`;
}

/** Whether the label would extend into the next column, because the tick is close to the end. */
function isLast(tick: number, whole: number): boolean {
  return percent(tick, whole) > 85;
}

/** Renders the colour of a legend entry. */
export function key(look: string): Markup {
  return html`<svg class="key" aria-hidden="true">
    <rect class="${look}" width="100%" height="100%" rx="2" />
  </svg>`;
}

function grid(whole: number): Markup[] {
  return ticks(whole).map((tick) => {
    const x = percent(tick, whole);
    return html`<line x1="${x}%" x2="${x}%" y1="0" y2="100%" />`;
  });
}

function bar({ from, to, look }: Bar, whole: number): Markup {
  const { start, width } = placeOf(from, to, whole);
  return html`<rect class="${look}" x="${start}%" y="20%" width="${width}%" height="60%" rx="1.5" />`;
}
