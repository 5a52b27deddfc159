/** Determines whether the content of a page leaves a mark on the paper, other than the background colour. */
import { operations, type Operation, type Value } from './pdf-syntax.ts';

/** Edges in points, in the user space of the page. */
export interface Box {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

export interface Paper {
  /** The print area or more. A fill that covers it counts as background. */
  readonly area: Box;
  /** Whether a text in the named font consists of white space only. */
  readonly isWhiteSpace: (font: string, text: Uint8Array) => boolean;
}

type Matrix = readonly [number, number, number, number, number, number];

interface State {
  readonly matrix: Matrix;
  /** Whether the clip contains the whole area, so that a fill can cover it. */
  readonly clipsNothing: boolean;
  readonly fill: 'white' | 'colour' | 'other';
  readonly font: string;
  /** Text rendering mode 3 or 7, which paints nothing. */
  readonly textHidden: boolean;
}

interface Canvas {
  readonly saved: State[];
  state: State;
  path: { readonly boxes: Box[]; other: boolean };
  clip: boolean;
  white: boolean;
}

/** Chromium's background may be one CSS pixel smaller than the print area, at a scale of up to 2; margins are whole pixels. */
const tolerance = 3;

/**
 * A page is blank despite a colour that covers the area, white on white, and text of white space only. A gradient or picture
 * as background and any line, form, shading or other text are marks.
 */
export function isBlankContent(content: Uint8Array, paper: Paper): boolean {
  const state: State = {
    ...{ matrix: [1, 0, 0, 1, 0, 0], clipsNothing: true, fill: 'colour', font: '', textHidden: false },
  };
  const canvas: Canvas = { saved: [], state, path: { boxes: [], other: false }, clip: false, white: true };
  for (const operation of operations(content)) if (marks(canvas, operation, paper)) return false;
  return true;
}

/** Processes one operation. Returns true if it leaves a mark. */
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

/** The operand of TJ contains texts and the distances between them. */
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

/** Puts the new matrix first (ISO 32000-1, 8.3.4). */
function product([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l];
}

/** Returns the box of a rectangle. If it is not rotated by a multiple of 90 degrees, the box is empty and covers nothing. */
function boxOf([x = 0, y = 0, width = 0, height = 0]: readonly number[], [a, b, c, d, e, f]: Matrix): Box {
  const upright = (b === 0 && c === 0) || (a === 0 && d === 0);
  if (!upright) return { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity };
  const x1 = a * x + c * y + e;
  const x2 = a * (x + width) + c * (y + height) + e;
  const y1 = b * x + d * y + f;
  const y2 = b * (x + width) + d * (y + height) + f;
  return {
    left: Math.min(x1, x2),
    right: Math.max(x1, x2),
    bottom: Math.min(y1, y2),
    top: Math.max(y1, y2),
  };
}
