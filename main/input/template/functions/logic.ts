/** Comparisons and choices. */
import { isTrue, kindOf } from '../values.ts';
import { TemplateProblem } from '../problem.ts';
import { isNothing, numeric, rows, type Call, type FunctionTable } from './call.ts';

export const logic: FunctionTable = {
  ...rows({
    eq: ({ args: [one, other] }) => isEqual(one, other),
    ne: ({ args: [one, other] }) => !isEqual(one, other),
    lt: ({ args: [one, other] }) => compare(one, other) < 0,
    le: ({ args: [one, other] }) => compare(one, other) <= 0,
    lte: ({ args: [one, other] }) => compare(one, other) <= 0,
    gt: ({ args: [one, other] }) => compare(one, other) > 0,
    ge: ({ args: [one, other] }) => compare(one, other) >= 0,
    gte: ({ args: [one, other] }) => compare(one, other) >= 0,
  }),
  and: { run: ({ args }) => args.find((value) => !isTrue(value)) ?? args.at(-1), takesMissing: true },
  or: { run: ({ args }) => args.find(isTrue) ?? args.at(-1), takesMissing: true },
  not: { run: ({ args: [value] }) => !isTrue(value), takesMissing: true },
  default: { run: byDefault, takesMissing: true },
  d: { run: byDefault, takesMissing: true },
};

/** A number and the text of that number are equal: CSV and XML hold texts only. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (one === other || (isNothing(one) && isNothing(other))) return true;
  if (typeof one !== 'number' && typeof other !== 'number') return false;
  const number = numeric(one);
  return number !== undefined && number === numeric(other);
}

/** Negative, zero or positive. Two texts compare as texts, letter by letter, unless one side is a number. */
export function compare(one: unknown, other: unknown): number {
  if (typeof one === 'string' && typeof other === 'string') return one < other ? -1 : one > other ? 1 : 0;
  const [left, right] = [numeric(one), numeric(other)];
  if (left !== undefined && right !== undefined) return left - right;
  if (isNothing(one) || isNothing(other)) return Number.NaN;
  throw new TemplateProblem(`${kindOf(one)} and ${kindOf(other)} cannot be compared`);
}

/** The first that is there. An empty text is there, unless the last argument of Jinja's form is true. */
function byDefault({ args }: Call): unknown {
  const [value, other = '', alsoFalse] = args;
  return isNothing(value) || (alsoFalse === true && !isTrue(value)) ? other : value;
}
