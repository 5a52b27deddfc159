/** Numbers: arithmetic and their formats. */
import { TemplateProblem } from '../problem.ts';
import { argument, isNothing, numberOf, rows, textArgument, wholeArgument, type Call } from './call.ts';
import { divide, exact, modulo, roundTo } from './decimal.ts';

export const numbers = rows({
  add: (call) => folded(call, (one, other) => one + other),
  subtract: (call) => folded(call, (one, other) => one - other),
  multiply: (call) => folded(call, (one, other) => one * other),
  times: (call) => folded(call, (one, other) => one * other),
  divide: (call) => folded(call, divide),
  modulo: (call) => folded(call, modulo),
  math,
  round: (call) => rounded(call, ways.get(textArgument(call, 'method', 2) ?? 'common') ?? Math.round),
  floor: (call) => rounded(call, Math.floor),
  ceil: (call) => rounded(call, Math.ceil),
  abs: (call) => Math.abs(numberOf(call.args[0], call)),
  int: (call) => Math.trunc(numberOf(call.args[0], call)),
  float: (call) => numberOf(call.args[0], call),
  number: (call) => formatted(call, {}),
  percent: (call) => formatted(call, { style: 'percent' }),
  currency,
});

const ways = new Map([
  ['common', Math.round],
  ['ceil', Math.ceil],
  ['floor', Math.floor],
]);

function folded(call: Call, operation: (one: number, other: number) => number): number {
  const [first, ...others] = call.args.map((value) => numberOf(value, call));
  if (first === undefined || others.length === 0)
    throw new TemplateProblem(`${call.name} needs two numbers or more`);
  return others.reduce((sum, value) => exact(operation(sum, value)), first);
}

function rounded(call: Call, way: (value: number) => number): number {
  return roundTo(numberOf(call.args[0], call), wholeArgument(call, 'digits', 1) ?? 0, way);
}

const operators = new Map<string, (one: number, other: number) => number>([
  ['+', (one, other) => one + other],
  ['-', (one, other) => one - other],
  ['*', (one, other) => one * other],
  ['/', divide],
  ['%', modulo],
]);

/** `math a "+" b`, as other collections of helpers spell it. */
function math(call: Call): number {
  const [one, operator, other] = call.args;
  const operation = typeof operator === 'string' ? operators.get(operator) : undefined;
  if (operation === undefined || call.args.length !== 3)
    throw new TemplateProblem('math is written: math a "+" b, with one of + - * / %');
  return exact(operation(numberOf(one, call), numberOf(other, call)));
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

/** The second argument, or `digits`, is the number of decimal places; any option of Intl.NumberFormat has its own name. */
function formatted(call: Call, base: Intl.NumberFormatOptions): string {
  if (isNothing(call.args[0]) || call.args[0] === '') return '';
  const digits = wholeArgument(call, 'digits', 1);
  const places = digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const given = intlOptions.flatMap((name) =>
    call.named.has(name) ? [[name, call.named.get(name)] as const] : [],
  );
  const options: Intl.NumberFormatOptions = {
    ...base,
    ...places,
    ...(Object.fromEntries(given) as Intl.NumberFormatOptions),
  };
  return call.formats.number(options, textArgument(call, 'locale', 99)).format(numberOf(call.args[0], call));
}

function currency(call: Call): string {
  const code = argument(call, 'currency', 1);
  if (typeof code !== 'string')
    throw new TemplateProblem('currency needs the code of a currency, such as "EUR"');
  const [value] = call.args;
  return formatted({ ...call, args: [value] }, { style: 'currency', currency: code });
}
