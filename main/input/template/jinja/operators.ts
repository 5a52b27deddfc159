/** Jinja's operators. Arithmetic is exact in decimals, as in the functions. */
import { numeric } from '../functions/call.ts';
import { divide, withoutFloatError, modulo } from '../functions/numbers.ts';
import { compare, isEqual } from '../functions/logic.ts';
import { checkList, checkText } from '../output.ts';
import { TemplateProblem } from '../problem.ts';
import { isPlainObject, kindOf, SafeMarkup, textOf, isTruthy } from '../values.ts';

export const operators: ReadonlyMap<string, (one: unknown, other: unknown) => unknown> = new Map([
  ['Add', add],
  ['Concat', concatenate],
  ['Sub', arithmetic('-', (one, other) => withoutFloatError(one - other))],
  ['Mul', arithmetic('*', (one, other) => withoutFloatError(one * other))],
  ['Div', arithmetic('/', divide)],
  ['FloorDiv', arithmetic('//', (one, other) => Math.floor(divide(one, other)))],
  ['Mod', arithmetic('%', modulo)],
  ['Pow', arithmetic('**', (one, other) => withoutFloatError(one ** other))],
]);

export function applyComparison(type: string, one: unknown, other: unknown): boolean {
  const comparison = comparisons.get(type);
  if (comparison === undefined) throw new TemplateProblem(`the comparison ${type} is not supported`);
  return comparison(one, other);
}

export function contains(container: unknown, value: unknown): boolean {
  if (container === undefined || container === null) return false;
  if (Array.isArray(container)) return container.some((member) => isEqual(member, value));
  if (typeof container === 'string') return container.includes(textOf(value));
  if (isPlainObject(container)) return Object.hasOwn(container, textOf(value));
  throw new TemplateProblem(
    `in needs a list, a text or an object on its right side, not ${kindOf(container)}`,
  );
}

const comparisons = new Map<string, (one: unknown, other: unknown) => boolean>([
  ['==', isEqual],
  ['===', isEqual],
  ['!=', (one, other) => !isEqual(one, other)],
  ['!==', (one, other) => !isEqual(one, other)],
  ['<', (one, other) => compare(one, other) < 0],
  ['<=', (one, other) => compare(one, other) <= 0],
  ['>', (one, other) => compare(one, other) > 0],
  ['>=', (one, other) => compare(one, other) >= 0],
]);

function arithmetic(sign: string, operation: (one: number, other: number) => number) {
  return (one: unknown, other: unknown): number => {
    const left = numeric(one ?? 0);
    const right = numeric(other ?? 0);
    if (left === undefined || right === undefined)
      throw new TemplateProblem(`${kindOf(one)} ${sign} ${kindOf(other)} cannot be computed`);
    return operation(left, right);
  };
}

/** Adds numbers and concatenates lists and texts. A number beside a text is a text. */
function add(one: unknown, other: unknown): unknown {
  if (typeof one === 'number' && typeof other === 'number') return withoutFloatError(one + other);
  if (Array.isArray(one) && Array.isArray(other)) {
    checkList(one.length + other.length);
    return [...(one as unknown[]), ...(other as unknown[])];
  }
  if (one === undefined || one === null) return other;
  if (other === undefined || other === null) return one;
  return concatenate(one, other);
}

function concatenate(one: unknown, other: unknown): string | SafeMarkup {
  const text = textOf(one) + textOf(other);
  checkText(text.length);
  return one instanceof SafeMarkup && other instanceof SafeMarkup ? new SafeMarkup(text) : text;
}

/** Truth as in Python: the empty object is false. */
export function isPythonTruthy(value: unknown): boolean {
  return isPlainObject(value) ? Object.keys(value).length > 0 : isTruthy(value);
}
