/** Evaluates PostScript calculator functions (ISO 32000-1, 7.10.5), which have no loops, so a call takes linear time. */
import { readItem, type Cursor } from '../../pdf-reader/pdf-syntax.ts';

export interface CalculatorFunction {
  /** Returns the results that the function leaves on the stack. @throws Error if the function is invalid */
  readonly call: (...inputs: readonly number[]) => readonly number[];
  /** The constants that the function compares with `le`. */
  readonly limits: readonly number[];
}

type Instruction = number | string | readonly Instruction[];

/** Chromium nests blocks in proportion to the logarithm of the number of colours. */
const maxDepth = 64;
/** More values than Chromium's functions need. */
const maxStack = 100;

/** @throws Error if the code is no calculator function, or uses an operator that Chromium does not write */
export function readCalculatorFunction(code: Uint8Array): CalculatorFunction {
  const cursor: Cursor = { bytes: code, at: 0 };
  if (nextToken(cursor) !== '{') throw new Error('A calculator function begins with a brace.');
  const limits: number[] = [];
  const program = readBlock(cursor, limits, 1);
  const call = (...inputs: readonly number[]) => {
    const stack = [...inputs];
    run(program, stack);
    return stack;
  };
  return { call, limits };
}

function nextToken(cursor: Cursor): number | string | undefined {
  const item = readItem(cursor);
  if (item === undefined) return undefined;
  if ('word' in item) return item.word;
  if (typeof item.value === 'boolean') return Number(item.value);
  return typeof item.value === 'number' ? item.value : undefined;
}

function readBlock(cursor: Cursor, limits: number[], depth: number): readonly Instruction[] {
  if (depth > maxDepth) throw new Error('The calculator function is nested too deep.');
  const block: Instruction[] = [];
  for (let token = nextToken(cursor); token !== '}'; token = nextToken(cursor)) {
    if (token === undefined) throw new Error('The calculator function has no end.');
    const last = block.at(-1);
    if (token === 'le' && typeof last === 'number') limits.push(last);
    block.push(token === '{' ? readBlock(cursor, limits, depth + 1) : token);
  }
  return block;
}

function run(block: readonly Instruction[], stack: number[]): void {
  for (const [index, instruction] of block.entries()) {
    if (typeof instruction === 'number') stack.push(instruction);
    else if (instruction === 'if') {
      if (pop(stack) !== 0) run(blockAt(block, index - 1), stack);
    } else if (instruction === 'ifelse') run(blockAt(block, pop(stack) === 0 ? index - 1 : index - 2), stack);
    else if (typeof instruction === 'string') operate(instruction, stack);
  }
  if (stack.length > maxStack) throw new Error('The stack of the calculator function is full.');
}

function blockAt(block: readonly Instruction[], index: number): readonly Instruction[] {
  const found = block[index];
  return Array.isArray(found) ? (found as readonly Instruction[]) : [];
}

function pop(stack: number[]): number {
  const value = stack.pop();
  if (value === undefined) throw new Error('The stack of the calculator function is empty.');
  return value;
}

const unary: Readonly<Record<string, (value: number) => number>> = {
  abs: Math.abs,
  sqrt: Math.sqrt,
  truncate: Math.trunc,
  cvi: Math.trunc,
};

const binary: Readonly<Record<string, (left: number, right: number) => number>> = {
  add: (left, right) => left + right,
  sub: (left, right) => left - right,
  mul: (left, right) => left * right,
  div: (left, right) => left / right,
  mod: (left, right) => left % right,
  atan: (left, right) => ((Math.atan2(left, right) * 180) / Math.PI + 360) % 360,
  and: (left, right) => left & right,
  gt: (left, right) => Number(left > right),
  ge: (left, right) => Number(left >= right),
  lt: (left, right) => Number(left < right),
  le: (left, right) => Number(left <= right),
};

/** Booleans are 0 and 1. */
function operate(operator: string, stack: number[]): void {
  if (Object.hasOwn(unary, operator)) stack.push(unary[operator]?.(pop(stack)) ?? 0);
  else if (Object.hasOwn(binary, operator)) {
    const right = pop(stack);
    stack.push(binary[operator]?.(pop(stack), right) ?? 0);
  } else moveValues(operator, stack);
}

function moveValues(operator: string, stack: number[]): void {
  const top = pop(stack);
  switch (operator) {
    case 'pop':
      return;
    case 'dup':
      stack.push(top, top);
      return;
    case 'exch':
      stack.splice(-1, 0, top);
      return;
    case 'copy':
      stack.push(...stack.slice(stack.length - top));
      return;
    case 'roll': {
      const count = pop(stack);
      const rolled = stack.splice(stack.length - count);
      const shift = rolled.length === 0 ? 0 : top % rolled.length;
      stack.push(...rolled.slice(-shift), ...rolled.slice(0, -shift));
      return;
    }
    default:
      throw new Error(`The calculator function has the operator ${operator}.`);
  }
}
