/** Jinja's operators. As in the template functions, results are rounded to 15 digits, so that 0.1 + 0.2 is 0.3. */
import { exactNumeric } from '../functions/call.ts';
import { divide, withoutFloatError, modulo } from '../functions/numbers.ts';
import { compare, isEqual, isNumber } from '../functions/logic.ts';
import { checkList, checkText } from '../output.ts';
import { TemplateProblem } from '../problem.ts';
import { isPlainObject, kindOf, SafeMarkup, textOf, isTruthy } from '../values.ts';

export const operators: ReadonlyMap<string, (left: unknown, right: unknown) => unknown> = new Map([
  ['Add', add],
  ['Concat', concatenate],
  ['Sub', arithmetic('-', (left, right) => withoutFloatError(left - right))],
  ['Mul', arithmetic('*', (left, right) => withoutFloatError(left * right))],
  ['Div', arithmetic('/', divide)],
  ['FloorDiv', arithmetic('//', (left, right) => Math.floor(divide(left, right)))],
  ['Mod', arithmetic('%', modulo)],
  ['Pow', arithmetic('**', (left, right) => withoutFloatError(left ** right))],
]);

export function applyComparison(type: string, left: unknown, right: unknown): boolean {
  const comparison = comparisons.get(type);
  if (comparison === undefined) throw new TemplateProblem(`the comparison ${type} is not supported`);
  return comparison(left, right);
}

export function contains(container: unknown, value: unknown): boolean {
  if (container === undefined || container === null) return false;
  if (Array.isArray(container)) return container.some((member) => isEqual(member, value));
  if (typeof container === 'string') return container.includes(textOf(value));
  if (isPlainObject(container)) return Object.hasOwn(container, textOf(value));
  throw new TemplateProblem(
    `in needs a list, a string or an object on its right side, not ${kindOf(container)}`,
  );
}

const comparisons = new Map<string, (left: unknown, right: unknown) => boolean>([
  ['==', isEqual],
  ['===', isEqual],
  ['!=', (left, right) => !isEqual(left, right)],
  ['!==', (left, right) => !isEqual(left, right)],
  ['<', (left, right) => compare(left, right) < 0],
  ['<=', (left, right) => compare(left, right) <= 0],
  ['>', (left, right) => compare(left, right) > 0],
  ['>=', (left, right) => compare(left, right) >= 0],
]);

function arithmetic(sign: string, operation: (left: number, right: number) => number) {
  return (first: unknown, second: unknown): number => {
    const left = exactNumeric(first ?? 0);
    const right = exactNumeric(second ?? 0);
    if (left === undefined || right === undefined)
      throw new TemplateProblem(`${kindOf(first)} ${sign} ${kindOf(second)} cannot be computed`);
    return operation(left, right);
  };
}

const addNumbers = arithmetic('+', (left, right) => withoutFloatError(left + right));

/** Adds two numbers, and concatenates lists and strings. A number and a string are concatenated too. */
function add(left: unknown, right: unknown): unknown {
  if (isNumber(left) && isNumber(right)) return addNumbers(left, right);
  if (Array.isArray(left) && Array.isArray(right)) {
    checkList(left.length + right.length);
    return [...(left as unknown[]), ...(right as unknown[])];
  }
  if (left === undefined || left === null) return right;
  if (right === undefined || right === null) return left;
  return concatenate(left, right);
}

function concatenate(left: unknown, right: unknown): string | SafeMarkup {
  const text = textOf(left) + textOf(right);
  checkText(text.length);
  return left instanceof SafeMarkup && right instanceof SafeMarkup ? new SafeMarkup(text) : text;
}

/** Returns whether a value is truthy in Python, where, unlike in Handlebars, the empty object is false. */
export function isPythonTruthy(value: unknown): boolean {
  return isPlainObject(value) ? Object.keys(value).length > 0 : isTruthy(value);
}
