/** Bars on a time axis, as SVG in percent, which needs neither style attributes nor scripts. */
import { percent, barPosition, ticks } from '../waterfall.ts';
import { milliseconds } from './figures.ts';
import { html, type Markup } from './markup.ts';

export interface TimeBar {
  /** Milliseconds since the job began. */
  readonly from: number;
  readonly to: number;
  /** Class with the colour. */
  readonly className: string;
}

/** Renders the bars of one row on an axis of `totalMs` milliseconds. The label has their begin and end as text. */
export function bars(parts: readonly TimeBar[], totalMs: number): Markup {
  const from = Math.min(...parts.map((part) => part.from));
  const to = Math.max(...parts.map((part) => part.to));
  const label = `from ${milliseconds(from)} to ${milliseconds(to)} ms`;
  return html`<svg class="bars" role="img" aria-label="${label}">
    ${grid(totalMs)}${parts.map((part) => bar(part, totalMs))}
  </svg>`;
}

/** Renders the axis, for the head of a column. */
export function axis(totalMs: number): Markup {
  const labels = ticks(totalMs).map(
    (tick) =>
      html`<text class="${isLast(tick, totalMs) ? 'last' : ''}" x="${percent(tick, totalMs)}%" y="11"
        >${milliseconds(tick)}</text
      >`,
  );
  return html`<svg class="axis" aria-hidden="true">${labels}</svg>`;
}

/** Whether the label would extend into the next column, because the tick is close to the end. */
function isLast(tick: number, totalMs: number): boolean {
  return percent(tick, totalMs) > 85;
}

/** Renders the colour of a legend entry. */
export function legendKey(className: string): Markup {
  return html`<svg class="key" aria-hidden="true">
    <rect class="${className}" width="100%" height="100%" rx="2" />
  </svg>`;
}

function grid(totalMs: number): Markup[] {
  return ticks(totalMs).map((tick) => {
    const x = percent(tick, totalMs);
    return html`<line x1="${x}%" x2="${x}%" y1="0" y2="100%" />`;
  });
}

function bar({ from, to, className }: TimeBar, totalMs: number): Markup {
  const { start, width } = barPosition(from, to, totalMs);
  return html`<rect class="${className}" x="${start}%" y="20%" width="${width}%" height="60%" rx="1.5" />`;
}
