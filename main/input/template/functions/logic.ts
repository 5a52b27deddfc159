/** The functions for comparisons and defaults. */
import { isTruthy, kindOf } from '../values.ts';
import { TemplateProblem } from '../problem.ts';
import { isMissingOrNull, numeric, functionTable, type FunctionCall, type FunctionTable } from './call.ts';

export const logic: FunctionTable = {
  ...functionTable({
    eq: ({ args: [one, other] }) => isEqual(one, other),
    ne: ({ args: [one, other] }) => !isEqual(one, other),
    lt: ({ args: [one, other] }) => compare(one, other) < 0,
    le: ({ args: [one, other] }) => compare(one, other) <= 0,
    lte: ({ args: [one, other] }) => compare(one, other) <= 0,
    gt: ({ args: [one, other] }) => compare(one, other) > 0,
    ge: ({ args: [one, other] }) => compare(one, other) >= 0,
    gte: ({ args: [one, other] }) => compare(one, other) >= 0,
  }),
  and: { run: ({ args }) => args.find((value) => !isTruthy(value)) ?? args.at(-1), acceptsMissing: true },
  or: { run: ({ args }) => args.find(isTruthy) ?? args.at(-1), acceptsMissing: true },
  not: { run: ({ args: [value] }) => !isTruthy(value), acceptsMissing: true },
  default: { run: defaultValue, acceptsMissing: true },
  d: { run: defaultValue, acceptsMissing: true },
};

/** A number equals its text, because CSV and XML contain only text. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (one === other || (isMissingOrNull(one) && isMissingOrNull(other))) return true;
  if (typeof one !== 'number' && typeof other !== 'number') return false;
  const number = numeric(one);
  return number !== undefined && number === numeric(other);
}

/** Returns a negative number, zero or a positive number. Two texts compare by character codes; otherwise texts are read as numbers. */
export function compare(one: unknown, other: unknown): number {
  if (typeof one === 'string' && typeof other === 'string') return one < other ? -1 : one > other ? 1 : 0;
  const left = numeric(one);
  const right = numeric(other);
  if (left !== undefined && right !== undefined) return left - right;
  if (isMissingOrNull(one) || isMissingOrNull(other)) return Number.NaN;
  throw new TemplateProblem(`${kindOf(one)} and ${kindOf(other)} cannot be compared`);
}

/** Returns the value if it is present, else the default. An empty text is present, unless the third argument is true (Jinja). */
function defaultValue({ args }: FunctionCall): unknown {
  const [value, other = '', alsoFalse] = args;
  return isMissingOrNull(value) || (alsoFalse === true && !isTruthy(value)) ? other : value;
}
