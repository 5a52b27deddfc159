/** Bars on one axis of time: SVG in percent, so that it needs neither style attributes nor a script. */
import { milliseconds } from './figures.ts';
import { html, type Markup } from './markup.ts';

export interface Bar {
  /** Milliseconds since the job began. */
  readonly from: number;
  readonly to: number;
  /** Class of its colour. */
  readonly look: string;
}

/** A bar that is over at once is seen nevertheless. */
const thinnest = 0.4;

/** The bars of one row, on an axis `whole` milliseconds long; they say as text from when to when they go. */
export function bars(parts: readonly Bar[], whole: number): Markup {
  const from = Math.min(...parts.map((part) => part.from));
  const to = Math.max(...parts.map((part) => part.to));
  const said = `from ${milliseconds(from)} to ${milliseconds(to)} ms`;
  return html`<svg class="bars" role="img" aria-label="${said}">
    ${grid(whole)}${parts.map((part) => bar(part, whole))}
  </svg>`;
}

/** The axis itself, for the head of a column. */
export function axis(whole: number): Markup {
  const labels = ticks(whole).map(
    (tick) =>
      html`<text class="${isLast(tick, whole) ? 'last' : ''}" x="${percent(tick, whole)}%" y="11"
        >${milliseconds(tick)}</text
      >`,
  );
  return html`<svg class="axis" aria-hidden="true">${labels}</svg>`;
}

/** So near the end that its number, written from there on, would stand in the next column. */
function isLast(tick: number, whole: number): boolean {
  return percent(tick, whole) > 85;
}

/** A colour beside its meaning. */
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
  const width = Math.max(thinnest, percent(to - from, whole));
  const x = Math.min(percent(from, whole), 100 - width);
  return html`<rect class="${look}" x="${x}%" y="20%" width="${width}%" height="60%" rx="1.5" />`;
}

/** Three to six round numbers (1, 2 or 5 times a power of ten), from 0. */
export function ticks(whole: number): number[] {
  if (whole <= 0) return [0];
  const power = 10 ** Math.floor(Math.log10(whole / 3));
  const step = [5, 2, 1].map((factor) => factor * power).find((size) => whole / size >= 3) ?? power;
  return Array.from({ length: Math.floor((whole / step) * 0.97) + 1 }, (_, index) => index * step);
}

function percent(value: number, whole: number): number {
  if (whole <= 0) return 0;
  return Math.round(Math.min(100, Math.max(0, (value / whole) * 100)) * 100) / 100;
}
