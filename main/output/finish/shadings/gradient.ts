/** Recognises the gradients in the calculator functions that Chromium writes (SkPDFGradientShader.cpp). */
import { readCalculatorFunction } from './calculator-function.ts';

/** Circles inside one another. The circle at position 0 is around the origin; all values change linearly with the position. */
export interface Circles {
  readonly kind: 'circles';
  readonly radius: number;
  readonly grows: number;
  readonly movesX: number;
  readonly movesY: number;
}

/** Where a gradient has a position: along x, on circles, or by the angle at the origin. */
export type GradientShape = { readonly kind: 'linear' } | { readonly kind: 'sweep' } | Circles;

/** The colours between two positions. They change linearly between two colours of the gradient, which are given as indices. */
export interface ColourBand {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
}

export interface Gradient {
  readonly shape: GradientShape;
  readonly colours: readonly (readonly number[])[];
  /** From position 0 to 1. The other positions repeat these. */
  readonly bands: readonly ColourBand[];
  /** Every second repetition is reversed. */
  readonly isMirrored: boolean;
}

const maxBands = 1000;

const linear = /^\{\s*pop\s/;
const circle = /^\{\s*dup mul exch dup mul add sqrt\s/;
const sweep = /^\{\s*exch atan 360 div\s/;
// Two parts of the computation of the position from two circles.
const moving = /^\{\s*2 copy (-?[\d.]+) mul exch (-?[\d.]+) mul add -?[\d.]+ add -2 mul\s/;
const growing = /\sdup (-?[\d.]+) mul (-?[\d.]+) add\s+0 gt\s/;
const mirrored = 'abs dup truncate dup cvi 2 mod 0 gt 3 1 roll sub exch {1 exch sub} if';
const repeated = 'dup truncate sub';

/** Returns the gradient; undefined if the function is another one. @throws Error if it cannot be evaluated */
export function readGradient(code: Uint8Array): Gradient | undefined {
  const text = Buffer.from(code.subarray(0, maxHead)).toString('latin1');
  const shape = shapeOf(text);
  const isMirrored = text.includes(mirrored);
  if (shape === undefined || (shape.kind !== 'sweep' && !isMirrored && !text.includes(repeated)))
    return undefined;
  const calculator = readCalculatorFunction(code);
  const limits = calculator.limits.filter((limit) => limit > 0 && limit < 1);
  const positions = [...new Set([0, ...limits, 1])].sort((left, right) => left - right);
  if (positions.length > maxBands) return undefined;
  const colourAt = (position: number) => calculator.call(...pointAt(shape, position));
  const colours: (readonly number[])[] = [];
  const indexOf = (colour: readonly number[]) =>
    isEqual(colours.at(-1), colour) ? colours.length - 1 : colours.push(colour) - 1;
  const bands = positions.slice(1).map((to, index) => {
    const from = positions[index] ?? 0;
    const { start, end } = coloursBetween(from, to, colourAt);
    return { from, to, start: indexOf(start), end: indexOf(end) };
  });
  return { shape, colours, bands, isMirrored };
}

/** The longest head of a function. */
const maxHead = 1000;

function shapeOf(text: string): GradientShape | undefined {
  if (linear.test(text)) return { kind: 'linear' };
  if (sweep.test(text)) return { kind: 'sweep' };
  if (circle.test(text)) return { kind: 'circles', radius: 0, grows: 1, movesX: 0, movesY: 0 };
  const moves = moving.exec(text);
  const growth = growing.exec(text);
  if (moves === null || growth === null) return undefined;
  const [movesY = 0, movesX = 0] = moves.slice(1).map(Number);
  const [grows = 0, radius = 0] = growth.slice(1).map(Number);
  // Only of circles inside one another does each point have one position.
  const isNested = Math.hypot(movesX, movesY) < Math.abs(grows);
  return isNested ? { kind: 'circles', radius, grows, movesX, movesY } : undefined;
}

/** Returns a point with this position, from 0 to 1. */
function pointAt(shape: GradientShape, position: number): [x: number, y: number] {
  if (shape.kind === 'linear') return [position, 0];
  if (shape.kind === 'sweep') return [Math.cos(2 * Math.PI * position), Math.sin(2 * Math.PI * position)];
  const { radius, grows, movesX, movesY } = shape;
  return [radius + position * (grows + movesX), position * movesY];
}

/** The colours at the limits themselves belong to one of two bands, so they follow from those inside the band. */
function coloursBetween(
  from: number,
  to: number,
  colourAt: (position: number) => readonly number[],
): { start: number[]; end: number[] } {
  const middle = colourAt((from + to) / 2);
  const later = colourAt(from + (to - from) * 0.75);
  const extrapolate = (factor: number) =>
    middle.map((value, index) => Math.min(Math.max(value + factor * ((later[index] ?? 0) - value), 0), 1));
  return { start: extrapolate(-2), end: extrapolate(2) };
}

/** The largest difference between equal colours, which are stored in bytes. */
const tolerance = 1e-4;

function isEqual(left: readonly number[] | undefined, right: readonly number[]): boolean {
  return left?.every((value, index) => Math.abs(value - (right[index] ?? 0)) < tolerance) === true;
}
