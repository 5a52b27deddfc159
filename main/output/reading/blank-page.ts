/** Tells whether the content of a page leaves a mark on its paper, or no more than the colour of the canvas. */
import { operations, type Operation } from './content-stream.ts';
import type { Value } from './pdf-syntax.ts';

/** Edges in points, in the page's own space. */
export interface Box {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

export interface Paper {
  /** What a background covers when it covers the page: the print area, or more. */
  readonly area: Box;
  /** Whether a text shown in a font of that name is nothing but white space. */
  readonly isWhiteSpace: (font: string, text: Uint8Array) => boolean;
}

type Matrix = readonly [number, number, number, number, number, number];

interface State {
  readonly matrix: Matrix;
  /** Whether what is painted reaches all of the area. */
  readonly clipsNothing: boolean;
  readonly fill: 'white' | 'colour' | 'other';
  readonly font: string;
  /** Text rendering mode 3 or 7: not painted. */
  readonly textHidden: boolean;
}

interface Canvas {
  readonly saved: State[];
  state: State;
  path: { readonly boxes: Box[]; other: boolean };
  clip: boolean;
  white: boolean;
}

/** Chromium's background ends up to a CSS pixel before the print area does, at a scale of up to 2; and margins are whole pixels. */
const tolerance = 3;

/**
 * Paper stays blank under a colour that covers the area, under white on white, and under text of white space. A gradient or a
 * picture as background, any line, form, shading or text is a mark.
 */
export function isBlankContent(content: Uint8Array, paper: Paper): boolean {
  const state: State = {
    ...{ matrix: [1, 0, 0, 1, 0, 0], clipsNothing: true, fill: 'colour', font: '', textHidden: false },
  };
  const canvas: Canvas = { saved: [], state, path: { boxes: [], other: false }, clip: false, white: true };
  for (const operation of operations(content)) if (marks(canvas, operation, paper)) return false;
  return true;
}

/** Follows one operation; true when it leaves a mark. */
function marks(canvas: Canvas, { operator, operands }: Operation, paper: Paper): boolean {
  switch (operator) {
    case 'f':
    case 'F':
    case 'f*':
      return fillMarks(canvas, paper.area);
    case 'Tj':
    case "'":
    case '"':
    case 'TJ':
      return !canvas.state.textHidden && !isWhiteText(operands.at(-1), canvas.state.font, paper);
    case 'S':
    case 's':
    case 'B':
    case 'B*':
    case 'b':
    case 'b*':
    case 'sh':
    case 'Do':
    case 'BI':
      return true;
    default:
      follow(canvas, operator, operands);
      if (operator === 'n') endPath(canvas, paper.area);
      return false;
  }
}

function follow(canvas: Canvas, operator: string, operands: readonly Value[]): void {
  const numbers = operands.filter((operand) => typeof operand === 'number');
  const { state, path } = canvas;
  if (operator === 'q') canvas.saved.push(state);
  else if (operator === 'Q') canvas.state = canvas.saved.pop() ?? state;
  else if (operator === 'cm') canvas.state = { ...state, matrix: product(matrixOf(numbers), state.matrix) };
  else if (operator === 're') path.boxes.push(boxOf(numbers, state.matrix));
  else if (['m', 'l', 'c', 'v', 'y'].includes(operator)) path.other = true;
  else if (operator === 'W' || operator === 'W*') canvas.clip = true;
  else if (operator === 'Tr') canvas.state = { ...state, textHidden: numbers[0] === 3 || numbers[0] === 7 };
  else if (operator === 'Tf') canvas.state = { ...state, font: nameOf(operands[0]) };
  else canvas.state = { ...state, fill: fillAfter(operator, numbers, state.fill) };
}

function fillAfter(operator: string, numbers: readonly number[], fill: State['fill']): State['fill'] {
  if (operator === 'g' || operator === 'rg') return numbers.every((part) => part >= 1) ? 'white' : 'colour';
  if (operator === 'k') return numbers.every((part) => part <= 0) ? 'white' : 'colour';
  return ['cs', 'sc', 'scn'].includes(operator) ? 'other' : fill;
}

function fillMarks(canvas: Canvas, area: Box): boolean {
  const { state, path } = canvas;
  const painted = path.other || path.boxes.length > 0;
  const covers = coversArea(canvas, area) && state.clipsNothing;
  endPath(canvas, area);
  if (!painted || (canvas.white && state.fill === 'white')) return false;
  if (state.fill === 'other' || !covers) return true;
  canvas.white &&= state.fill === 'white';
  return false;
}

function coversArea({ path }: Canvas, area: Box): boolean {
  const [box] = path.boxes;
  if (box === undefined || path.other || path.boxes.length > 1) return false;
  const { left, bottom, right, top } = box;
  const covered = left <= area.left + tolerance && right >= area.right - tolerance;
  return covered && bottom <= area.bottom + tolerance && top >= area.top - tolerance;
}

function endPath(canvas: Canvas, area: Box): void {
  if (canvas.clip && !coversArea(canvas, area)) canvas.state = { ...canvas.state, clipsNothing: false };
  canvas.path = { boxes: [], other: false };
  canvas.clip = false;
}

/** The operand of TJ holds texts and the gaps between them. */
function isWhiteText(operand: Value | undefined, font: string, { isWhiteSpace }: Paper): boolean {
  const texts = Array.isArray(operand) ? operand : [operand];
  return texts.every((text) => !(text instanceof Uint8Array) || isWhiteSpace(font, text));
}

function nameOf(operand: Value | undefined): string {
  return typeof operand === 'string' ? operand : '';
}

function matrixOf([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: readonly number[]): Matrix {
  return [a, b, c, d, e, f];
}

/** ISO 32000-1, 8.3.4: the new matrix comes first. */
function product([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l];
}

/** The box around a rectangle; one that is turned by other than a right angle has none, and covers nothing. */
function boxOf([x = 0, y = 0, width = 0, height = 0]: readonly number[], [a, b, c, d, e, f]: Matrix): Box {
  const upright = (b === 0 && c === 0) || (a === 0 && d === 0);
  if (!upright) return { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity };
  const [left, right] = [a * x + c * y + e, a * (x + width) + c * (y + height) + e];
  const [bottom, top] = [b * x + d * y + f, b * (x + width) + d * (y + height) + f];
  return {
    ...{ left: Math.min(left, right), right: Math.max(left, right) },
    ...{ bottom: Math.min(bottom, top), top: Math.max(bottom, top) },
  };
}
