/** The template functions for arithmetic and number formats. */
import { TemplateProblem } from '../problem.ts';
import { fitsDouble } from '../data/decimal.ts';
import {
  argument,
  isMissingOrNull,
  numberOf,
  numeric,
  functionTable,
  textArgument,
  integerArgument,
  writtenText,
  type FunctionCall,
} from './call.ts';

export const numbers = functionTable({
  add: (call) => reduceNumbers(call, (left, right) => left + right),
  subtract: (call) => reduceNumbers(call, (left, right) => left - right),
  multiply: (call) => reduceNumbers(call, (left, right) => left * right),
  times: (call) => reduceNumbers(call, (left, right) => left * right),
  divide: (call) => reduceNumbers(call, divide),
  modulo: (call) => reduceNumbers(call, modulo),
  math,
  round: (call) => rounded(call, roundings.get(textArgument(call, 'method', 2) ?? 'common') ?? Math.round),
  floor: (call) => rounded(call, Math.floor),
  ceil: (call) => rounded(call, Math.ceil),
  abs: (call) => Math.abs(numberOf(call.args[0], call)),
  int: (call) => Math.trunc(numberOf(call.args[0], call)),
  float: (call) => numberOf(call.args[0], call),
  number: (call) => formatted(call, {}),
  percent: (call) => formatted(call, { style: 'percent' }),
  currency,
});

const roundings = new Map([
  ['common', Math.round],
  ['ceil', Math.ceil],
  ['floor', Math.floor],
]);

/** Applies the operation to all arguments from left to right. */
function reduceNumbers(call: FunctionCall, operation: (left: number, right: number) => number): number {
  const [first, ...others] = call.args.map((value) => numberOf(value, call));
  if (first === undefined || others.length === 0)
    throw new TemplateProblem(`${call.name} needs two numbers or more`);
  return others.reduce((sum, value) => withoutFloatError(operation(sum, value)), first);
}

function rounded(call: FunctionCall, round: (value: number) => number): number {
  return roundTo(numberOf(call.args[0], call), integerArgument(call, 'digits', 1) ?? 0, round);
}

const operators = new Map<string, (left: number, right: number) => number>([
  ['+', (left, right) => left + right],
  ['-', (left, right) => left - right],
  ['*', (left, right) => left * right],
  ['/', divide],
  ['%', modulo],
]);

/** Computes `math a "+" b`, as in other libraries of Handlebars helpers. */
function math(call: FunctionCall): number {
  const [left, operator, right] = call.args;
  const operation = typeof operator === 'string' ? operators.get(operator) : undefined;
  if (operation === undefined || call.args.length !== 3)
    throw new TemplateProblem('math is written: math a "+" b, with one of + - * / %');
  return withoutFloatError(operation(numberOf(left, call), numberOf(right, call)));
}

const intlOptions = [
  'style',
  'currency',
  'currencyDisplay',
  'currencySign',
  'unit',
  'unitDisplay',
  'notation',
  'compactDisplay',
  'signDisplay',
  'useGrouping',
  'minimumIntegerDigits',
  'minimumFractionDigits',
  'maximumFractionDigits',
  'minimumSignificantDigits',
  'maximumSignificantDigits',
];

/**
 * Formats a number. The second argument, or `digits`, is the number of decimal places. The options of Intl.NumberFormat are named
 * arguments.
 */
function formatted(call: FunctionCall, base: Intl.NumberFormatOptions): string {
  if (isMissingOrNull(call.args[0]) || call.args[0] === '') return '';
  const digits = integerArgument(call, 'digits', 1);
  const places = digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const givenEntries = intlOptions.flatMap((name) =>
    call.named.has(name) ? [[name, call.named.get(name)] as const] : [],
  );
  const options: Intl.NumberFormatOptions = {
    ...base,
    ...places,
    ...(Object.fromEntries(givenEntries) as Intl.NumberFormatOptions),
  };
  const format = call.formats.number(options, textArgument(call, 'locale', 99));
  const text = writtenText(call.args[0]);
  // Intl formats all digits of a number that is written as text.
  const isLong = text !== undefined && numeric(text) !== undefined && !fitsDouble(text);
  return format.format(isLong ? (text.trim() as `${number}`) : numberOf(call.args[0], call));
}

function currency(call: FunctionCall): string {
  const code = argument(call, 'currency', 1);
  if (typeof code !== 'string')
    throw new TemplateProblem('currency needs the code of a currency, such as "EUR"');
  const [value] = call.args;
  return formatted({ ...call, args: [value] }, { style: 'currency', currency: code });
}

/**
 * Rounds a result to 15 significant decimal digits, as many as a double always preserves, so that 0.1 + 0.2 is 0.3 without
 * a decimal library.
 */
export function withoutFloatError(value: number): number {
  if (!Number.isFinite(value)) throw new TemplateProblem('the result is not a finite number');
  if (!Number.isInteger(value)) return Number(value.toPrecision(15));
  if (Number.isSafeInteger(value)) return value;
  throw new TemplateProblem(`the result, about ${value}, has more digits than can be computed exactly`);
}

export function divide(left: number, right: number): number {
  if (right === 0) throw new TemplateProblem('division by zero');
  return withoutFloatError(left / right);
}

/** Returns the remainder with the sign of the divisor, as in Python. */
export function modulo(left: number, right: number): number {
  if (right === 0) throw new TemplateProblem('division by zero');
  return withoutFloatError(left - right * Math.floor(withoutFloatError(left / right)));
}

/**
 * Rounds to a number of decimal places, halves away from zero: 1.005 rounded to two places is 1.01, although the double nearest
 * to 1.005 is smaller. With Math.floor or Math.ceil as `round`, rounds in that direction.
 */
function roundTo(value: number, digits: number, round: (value: number) => number = Math.round): number {
  if (!Number.isFinite(value)) return value;
  const places = Math.max(-20, Math.min(20, digits));
  if (round === Math.round && value < 0) return -roundTo(-value, places);
  return shifted(round(withoutFloatError(shifted(value, places))), -places);
}

/** Moves the decimal point to the right by `places`, in the decimal notation: a multiplication would lose precision. */
function shifted(value: number, places: number): number {
  const [digits = '0', exponent = '0'] = value.toExponential().split('e');
  return Number(`${digits}e${Number(exponent) + places}`);
}
