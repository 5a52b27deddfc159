/** The template functions for comparisons and defaults. */
import { compareDecimals } from '../data/decimal.ts';
import { WrittenNumber, isTruthy, kindOf } from '../values.ts';
import { TemplateProblem } from '../problem.ts';
import {
  isMissingOrNull,
  numeric,
  functionTable,
  writtenText,
  type FunctionCall,
  type FunctionTable,
} from './call.ts';

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
  if (!isNumber(left) && !isNumber(right)) return false;
  if (left instanceof WrittenNumber || right instanceof WrittenNumber)
    return compareExactly(left, right) === 0;
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
  if (left !== undefined && right !== undefined) {
    // Rounding to doubles keeps the order of numbers, but may make different ones equal.
    return left === right ? (compareExactly(first, second) ?? 0) : left - right;
  }
  if (isMissingOrNull(first) || isMissingOrNull(second)) return Number.NaN;
  throw new TemplateProblem(`${kindOf(first)} and ${kindOf(second)} cannot be compared`);
}

export function isNumber(value: unknown): boolean {
  return typeof value === 'number' || value instanceof WrittenNumber;
}

/** Compares numbers by their digits, also those that a double does not keep; undefined if a value is not a number. */
function compareExactly(first: unknown, second: unknown): number | undefined {
  const [left, right] = [first, second].map((value) =>
    typeof value === 'number' ? String(value) : writtenText(value),
  );
  return left === undefined || right === undefined ? undefined : compareDecimals(left, right);
}

/** Returns the value, or the default if the value is missing or null; with a third argument of true (Jinja) also if it is falsy. */
function defaultValue({ args }: FunctionCall): unknown {
  const [value, fallback = '', alsoFalse] = args;
  return isMissingOrNull(value) || (alsoFalse === true && !isTruthy(value)) ? fallback : value;
}
