/** Finds the areas that a content stream paints with patterns, because Chromium's gradients span the whole page. */
import { operations, type Operation } from '../../pdf-reader/pdf-syntax.ts';
import { matrixOf, multiply, transformBox, union, type Box, type Matrix } from '../../geometry.ts';

/** `everywhere`: the area is unknown, as with text. */
export type PaintedArea = Box | 'everywhere';

interface PaintState {
  readonly matrix: Matrix;
  /** The names of the patterns. */
  readonly fill: string | undefined;
  readonly stroke: string | undefined;
}

const fills = new Set(['f', 'F', 'f*']);
const paths = new Set([...fills, 'B', 'B*', 'b', 'b*', 'S', 's', 'n']);
/** These paint more than a path. */
const others = new Set(['Tj', 'TJ', "'", '"', 'Do', 'BI']);
const fillColours = new Set(['g', 'rg', 'k', 'cs', 'sc', 'scn']);
const strokeColours = new Set(['G', 'RG', 'K', 'CS', 'SC', 'SCN']);

/** Returns the areas by the names of the patterns, in the space of the content stream, which is also the space of its patterns. */
export function paintedAreas(content: Uint8Array): Map<string, PaintedArea> {
  const areas = new Map<string, PaintedArea>();
  const saved: PaintState[] = [];
  let state: PaintState = { matrix: [1, 0, 0, 1, 0, 0], fill: undefined, stroke: undefined };
  let path: Box | undefined;
  for (const operation of operations(content)) {
    const { operator } = operation;
    if (operator === 'q') saved.push(state);
    else if (operator === 'Q') state = saved.pop() ?? state;
    else if (operator === 'cm')
      state = { ...state, matrix: multiply(matrixOf(operation.operands.map(Number)), state.matrix) };
    else if (fillColours.has(operator)) state = { ...state, fill: nameIn(operation) };
    else if (strokeColours.has(operator)) state = { ...state, stroke: nameIn(operation) };
    else if (paths.has(operator)) {
      if (fills.has(operator)) paint(areas, state.fill, path);
      else if (operator !== 'n') paintEverywhere(areas, state);
      path = undefined;
    } else if (others.has(operator)) paintEverywhere(areas, state);
    else path = extended(path, operation, state.matrix);
  }
  return areas;
}

function nameIn({ operands }: Operation): string | undefined {
  const name = operands.at(-1);
  return typeof name === 'string' && name !== 'Pattern' ? name : undefined;
}

function extended(path: Box | undefined, { operator, operands }: Operation, matrix: Matrix): Box | undefined {
  const numbers = operands.map(Number);
  const [x = 0, y = 0, width = 0, height = 0] = numbers;
  if (operator === 're')
    return union(
      path,
      transformBox(matrix, {
        left: Math.min(x, x + width),
        bottom: Math.min(y, y + height),
        width: Math.abs(width),
        height: Math.abs(height),
      }),
    );
  if (!'mlcvy'.includes(operator)) return path;
  let box = path;
  for (let index = 0; index + 1 < numbers.length; index += 2) {
    const point = { left: numbers[index] ?? 0, bottom: numbers[index + 1] ?? 0, width: 0, height: 0 };
    box = union(box, transformBox(matrix, point));
  }
  return box;
}

function paint(areas: Map<string, PaintedArea>, name: string | undefined, path: Box | undefined): void {
  if (name === undefined || path === undefined) return;
  const painted = areas.get(name);
  areas.set(name, painted === 'everywhere' ? painted : union(painted, path));
}

function paintEverywhere(areas: Map<string, PaintedArea>, { fill, stroke }: PaintState): void {
  for (const name of [fill, stroke]) if (name !== undefined) areas.set(name, 'everywhere');
}
