/** The template functions for comparisons and defaults. */
import { isTruthy, kindOf } from '../values.ts';
import { TemplateProblem } from '../problem.ts';
import { isMissingOrNull, numeric, functionTable, type FunctionCall, type FunctionTable } from './call.ts';

export const logic: FunctionTable = {
  ...functionTable({
    eq: ({ args: [left, right] }) => isEqual(left, right),
    ne: ({ args: [left, right] }) => !isEqual(left, right),
    lt: ({ args: [left, right] }) => compare(left, right) < 0,
    le: ({ args: [left, right] }) => compare(left, right) <= 0,
    lte: ({ args: [left, right] }) => compare(left, right) <= 0,
    gt: ({ args: [left, right] }) => compare(left, right) > 0,
    ge: ({ args: [left, right] }) => compare(left, right) >= 0,
    gte: ({ args: [left, right] }) => compare(left, right) >= 0,
  }),
  and: { run: ({ args }) => args.find((value) => !isTruthy(value)) ?? args.at(-1), acceptsMissing: true },
  or: { run: ({ args }) => args.find(isTruthy) ?? args.at(-1), acceptsMissing: true },
  not: { run: ({ args: [value] }) => !isTruthy(value), acceptsMissing: true },
  default: { run: defaultValue, acceptsMissing: true },
  d: { run: defaultValue, acceptsMissing: true },
};

/** Returns whether two values are equal. A number equals the same number as text, because CSV and XML contain only text. */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right || (isMissingOrNull(left) && isMissingOrNull(right))) return true;
  if (typeof left !== 'number' && typeof right !== 'number') return false;
  const number = numeric(left);
  return number !== undefined && number === numeric(right);
}

/**
 * Returns a negative number, zero or a positive number; NaN if a value is missing. Compares two strings by character codes, and
 * other values as numbers. @throws TemplateProblem for values that are not numbers.
 */
export function compare(first: unknown, second: unknown): number {
  if (typeof first === 'string' && typeof second === 'string')
    return first < second ? -1 : first > second ? 1 : 0;
  const left = numeric(first);
  const right = numeric(second);
  if (left !== undefined && right !== undefined) return left - right;
  if (isMissingOrNull(first) || isMissingOrNull(second)) return Number.NaN;
  throw new TemplateProblem(`${kindOf(first)} and ${kindOf(second)} cannot be compared`);
}

/** Returns the value, or the default if the value is missing or null; with a third argument of true (Jinja) also if it is falsy. */
function defaultValue({ args }: FunctionCall): unknown {
  const [value, fallback = '', alsoFalse] = args;
  return isMissingOrNull(value) || (alsoFalse === true && !isTruthy(value)) ? fallback : value;
}
