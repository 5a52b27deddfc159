/** Determines whether the content of a page leaves marks on the paper other than a background colour. */
import { operations, type Operation, type PdfValue } from './pdf-syntax.ts';
import { matrixOf, multiply, type Matrix } from '../geometry.ts';

/** Edges in points, in the user space of the page. */
export interface PdfRectangle {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

interface BlankPageOptions {
  /** The print area or more. A fill that covers it counts as background. */
  readonly area: PdfRectangle;
  /** Returns whether text in the named font consists of whitespace only. */
  readonly isWhiteSpace: (font: string, text: Uint8Array) => boolean;
}

interface GraphicsState {
  readonly matrix: Matrix;
  /** Whether the clip contains the whole area, so that a fill can cover it. */
  readonly clipsNothing: boolean;
  readonly fill: 'white' | 'colour' | 'other';
  readonly font: string;
  /** Text rendering mode 3 or 7, which paints nothing. */
  readonly textHidden: boolean;
}

interface DrawingBounds {
  readonly saved: GraphicsState[];
  state: GraphicsState;
  path: { readonly boxes: PdfRectangle[]; hasOtherSegments: boolean };
  isClipPending: boolean;
  isAllWhite: boolean;
}

/**
 * Tolerance in points. Chromium's background may be one CSS pixel smaller than the print area, at a scale of up to 2, and Chromium
 * rounds margins to whole pixels.
 */
const tolerance = 3;

/**
 * Returns whether the content leaves no marks. A colour that covers the area, white on white, and text that consists of whitespace
 * are no marks. Everything else is a mark: a gradient or an image as background, and any line, form, shading or other text.
 */
export function isBlankContent(content: Uint8Array, options: BlankPageOptions): boolean {
  const state: GraphicsState = {
    matrix: [1, 0, 0, 1, 0, 0],
    clipsNothing: true,
    fill: 'colour',
    font: '',
    textHidden: false,
  };
  const canvas: DrawingBounds = {
    saved: [],
    state,
    path: { boxes: [], hasOtherSegments: false },
    isClipPending: false,
    isAllWhite: true,
  };
  for (const operation of operations(content)) if (leavesMark(canvas, operation, options)) return false;
  return true;
}

/** Processes one operation. Returns true if it leaves a mark. */
function leavesMark(
  canvas: DrawingBounds,
  { operator, operands }: Operation,
  options: BlankPageOptions,
): boolean {
  switch (operator) {
    case 'f':
    case 'F':
    case 'f*':
      return fillLeavesMark(canvas, options.area);
    case 'Tj':
    case "'":
    case '"':
    case 'TJ':
      return !canvas.state.textHidden && !isWhiteText(operands.at(-1), canvas.state.font, options);
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
      updateState(canvas, operator, operands);
      if (operator === 'n') endPath(canvas, options.area);
      return false;
  }
}

function updateState(canvas: DrawingBounds, operator: string, operands: readonly PdfValue[]): void {
  const numbers = operands.filter((operand) => typeof operand === 'number');
  const { state, path } = canvas;
  if (operator === 'q') canvas.saved.push(state);
  else if (operator === 'Q') canvas.state = canvas.saved.pop() ?? state;
  else if (operator === 'cm') canvas.state = { ...state, matrix: multiply(matrixOf(numbers), state.matrix) };
  else if (operator === 're') path.boxes.push(boxOf(numbers, state.matrix));
  else if (['m', 'l', 'c', 'v', 'y'].includes(operator)) path.hasOtherSegments = true;
  else if (operator === 'W' || operator === 'W*') canvas.isClipPending = true;
  else if (operator === 'Tr') canvas.state = { ...state, textHidden: numbers[0] === 3 || numbers[0] === 7 };
  else if (operator === 'Tf') canvas.state = { ...state, font: nameOf(operands[0]) };
  else canvas.state = { ...state, fill: fillAfter(operator, numbers, state.fill) };
}

function fillAfter(
  operator: string,
  numbers: readonly number[],
  fill: GraphicsState['fill'],
): GraphicsState['fill'] {
  if (operator === 'g' || operator === 'rg') return numbers.every((part) => part >= 1) ? 'white' : 'colour';
  if (operator === 'k') return numbers.every((part) => part <= 0) ? 'white' : 'colour';
  return ['cs', 'sc', 'scn'].includes(operator) ? 'other' : fill;
}

function fillLeavesMark(canvas: DrawingBounds, area: PdfRectangle): boolean {
  const { state, path } = canvas;
  const painted = path.hasOtherSegments || path.boxes.length > 0;
  const covers = coversArea(canvas, area) && state.clipsNothing;
  endPath(canvas, area);
  if (!painted || (canvas.isAllWhite && state.fill === 'white')) return false;
  if (state.fill === 'other' || !covers) return true;
  canvas.isAllWhite &&= state.fill === 'white';
  return false;
}

function coversArea({ path }: DrawingBounds, area: PdfRectangle): boolean {
  const [box] = path.boxes;
  if (box === undefined || path.hasOtherSegments || path.boxes.length > 1) return false;
  const { left, bottom, right, top } = box;
  const covered = left <= area.left + tolerance && right >= area.right - tolerance;
  return covered && bottom <= area.bottom + tolerance && top >= area.top - tolerance;
}

function endPath(canvas: DrawingBounds, area: PdfRectangle): void {
  if (canvas.isClipPending && !coversArea(canvas, area))
    canvas.state = { ...canvas.state, clipsNothing: false };
  canvas.path = { boxes: [], hasOtherSegments: false };
  canvas.isClipPending = false;
}

/** Returns whether all strings in the operand consist of whitespace. The operand of TJ is an array of strings and distances. */
function isWhiteText(
  operand: PdfValue | undefined,
  font: string,
  { isWhiteSpace }: BlankPageOptions,
): boolean {
  const texts = Array.isArray(operand) ? operand : [operand];
  return texts.every((text) => !(text instanceof Uint8Array) || isWhiteSpace(font, text));
}

function nameOf(operand: PdfValue | undefined): string {
  return typeof operand === 'string' ? operand : '';
}

/**
 * Returns the box of a transformed rectangle. If the rotation is not a multiple of 90 degrees, returns an empty box, which covers
 * nothing.
 */
function boxOf(
  [x = 0, y = 0, width = 0, height = 0]: readonly number[],
  [a, b, c, d, e, f]: Matrix,
): PdfRectangle {
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
