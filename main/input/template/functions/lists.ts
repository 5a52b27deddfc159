/** The template functions for lists and objects. */
import { checkList, checkText } from '../output.ts';
import { TemplateProblem } from '../problem.ts';
import {
  isPlainObject,
  kindOf,
  listOfElement,
  SafeMarkup,
  ownProperty,
  textOf,
  dictionary,
  isTruthy,
  type PlainObject,
} from '../values.ts';
import { listOf, numberOf, functionTable, textArgument, integerArgument, type FunctionCall } from './call.ts';
import { withoutFloatError } from './numbers.ts';
import { compare, isEqual } from './logic.ts';

export const lists = functionTable({
  length,
  count: length,
  join,
  sum,
  first: (call) => sequence(call)[0],
  last: (call) => sequence(call).at(-1),
  reverse: (call) =>
    typeof call.args[0] === 'string' ? sequence(call).reverse().join('') : sequence(call).reverse(),
  sort,
  unique: (call) => [...new Set(sequence(call))],
  min: (call) => extreme(sequence(call), -1),
  max: (call) => extreme(sequence(call), 1),
  list: sequence,
  lookup: ({ args: [target, key] }) => ownProperty(target, key),
  range,
});

/** Returns the value at a dotted path in each member. @throws TemplateProblem if a member has no such value. */
function pluck(list: readonly unknown[], path: string): unknown[] {
  const keys = path.split('.');
  return list.map((member, index) => {
    const value = keys.reduce(ownProperty, member);
    if (value === undefined) throw new TemplateProblem(`member ${index + 1} of the list has no '${path}'`);
    return value;
  });
}

/** Returns the characters of a string, the members of a list, or the keys of an object. A single element of XML is a list of one. */
function sequence(call: FunctionCall): unknown[] {
  const [value] = call.args;
  const text = value instanceof SafeMarkup ? value.text : value;
  if (typeof text === 'string' && !call.isXml) {
    checkList(text.length);
    return Array.from(text);
  }
  const isObject = isPlainObject(value) && listOfElement(value) === undefined;
  return isObject ? Object.keys(value) : [...listOf(value, call)];
}

function length({ name, args: [value] }: FunctionCall): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  if (value instanceof SafeMarkup) return value.text.length;
  const list = listOfElement(value);
  if (list !== undefined) return list.length;
  if (isPlainObject(value)) return Object.keys(value).length;
  throw new TemplateProblem(`${name} needs a list, a string or an object, not ${kindOf(value)}`);
}

function join(call: FunctionCall): string {
  const separator = textArgument(call, 'separator', 1) ?? (call.named.has('attribute') ? '' : ', ');
  const path = textArgument(call, 'attribute', 2);
  const members = listOf(call.args[0], call);
  const parts = (path === undefined ? members : pluck(members, path)).map(textOf);
  checkText(parts.reduce((sum, part) => sum + part.length + separator.length, 0));
  return parts.join(separator);
}

/** Returns the smallest (`sign` -1) or largest (1) member, the first of equal members, or undefined for an empty list. */
function extreme([first, ...others]: readonly unknown[], sign: 1 | -1): unknown {
  return others.reduce((best, member) => (sign * compare(member, best) > 0 ? member : best), first);
}

/** Returns the sum of numbers (`sum list`), or of a property of the members (`sum list "price"`). */
function sum(call: FunctionCall): number {
  const path = textArgument(call, 'attribute', 1);
  const list = listOf(call.args[0], call);
  const members = path === undefined ? list : pluck(list, path);
  return members.reduce((total: number, member) => withoutFloatError(total + numberOf(member, call)), 0);
}

/** Returns the members sorted (`sort list`), or sorted by a property (`sort list "price"`). `reverse=true`: in descending order. */
function sort(call: FunctionCall): unknown[] {
  const named = call.named.get('attribute');
  const path = named ?? call.args.slice(1).find((value) => typeof value === 'string');
  const members = sequence(call);
  const keys = typeof path === 'string' ? pluck(members, path) : members;
  const sign = call.named.get('reverse') === true || call.args[1] === true ? -1 : 1;
  return members
    .map((member, index) => ({ member, key: keys[index] }))
    .sort((left, right) => sign * compare(left.key, right.key))
    .map(({ member }) => member);
}

/** Returns the numbers of `range stop` or `range start stop step`. As in Python, `stop` is excluded. */
function range(call: FunctionCall): number[] {
  const [first = 0, second] = call.args.map((value) => numberOf(value, call));
  const step = integerArgument(call, 'step', 2) ?? 1;
  const [start, stop] = second === undefined ? [0, first] : [first, second];
  if (step === 0) throw new TemplateProblem('range needs a step other than 0');
  const size = Math.max(0, Math.ceil((stop - start) / step));
  checkList(size);
  return Array.from({ length: size }, (_, index) => start + index * step);
}

export const groups = functionTable({
  map: (call) => pluck(listOf(call.args[0], call), requiredText(call, 'attribute')),
  groupby,
  selectattr: (call) => filtered(call, true),
  rejectattr: (call) => filtered(call, false),
  where: (call) => filtered(call, true),
  select: (call) => listOf(call.args[0], call).filter(isTruthy),
  reject: (call) => listOf(call.args[0], call).filter((member) => !isTruthy(member)),
  batch,
  slice: (call) =>
    listOf(call.args[0], call).slice(integerArgument(call, 'start', 1), integerArgument(call, 'end', 2)),
  items: (call) => Object.entries(objectOf(call)),
  keys: (call) => Object.keys(objectOf(call)),
  values: (call) => Object.values(objectOf(call)),
  dictsort: (call) => Object.entries(objectOf(call)).sort(([left], [right]) => compare(left, right)),
});

export function objectOf(call: FunctionCall): PlainObject {
  const [value] = call.args;
  if (value === undefined || value === null) return dictionary();
  if (isPlainObject(value)) return value;
  throw new TemplateProblem(`${call.name} needs an object, not ${kindOf(value)}`);
}

function requiredText(call: FunctionCall, name: string): string {
  const text = textArgument(call, name, 1);
  if (text === undefined) throw new TemplateProblem(`${call.name} needs the name of a property`);
  return text;
}

/**
 * Groups the members by a property. Returns one object for each group, sorted by `grouper`: the common value of the property
 * (`grouper`, also as `key`) and the members (`list`).
 */
function groupby(call: FunctionCall): unknown[] {
  const members = listOf(call.args[0], call);
  checkList(members.length);
  const membersByKey = new Map<unknown, unknown[]>();
  pluck(members, requiredText(call, 'attribute')).forEach((key, index) => {
    const group = membersByKey.get(key);
    if (group === undefined) membersByKey.set(key, [members[index]]);
    else group.push(members[index]);
  });
  return [...membersByKey]
    .sort(([left], [right]) => compare(left, right))
    .map(([grouper, list]) =>
      dictionary([
        ['grouper', grouper],
        ['key', grouper],
        ['list', list],
      ]),
    );
}

const tests = new Map<string, (left: unknown, right: unknown) => boolean>([
  ['eq', isEqual],
  ['equalto', isEqual],
  ['==', isEqual],
  ['ne', (left, right) => !isEqual(left, right)],
  ['lt', (left, right) => compare(left, right) < 0],
  ['le', (left, right) => compare(left, right) <= 0],
  ['gt', (left, right) => compare(left, right) > 0],
  ['ge', (left, right) => compare(left, right) >= 0],
]);

/**
 * Returns the members for which the test has the expected result: `where list "paid"`, `where list "country" "DE"`,
 * `where list "price" "gt" 10`.
 */
function filtered(call: FunctionCall, expected: boolean): unknown[] {
  const [list, , second, third] = call.args;
  const keys = requiredText(call, 'attribute').split('.');
  const name = call.args.length > 3 ? String(second) : 'eq';
  const test = tests.get(name);
  if (test === undefined) throw new TemplateProblem(`${call.name} has no test '${name}'`);
  const operand = call.args.length > 3 ? third : second;
  return listOf(list, call).filter((member) => {
    const value = keys.reduce(ownProperty, member);
    return (call.args.length > 2 ? test(value, operand) : isTruthy(value)) === expected;
  });
}

function batch(call: FunctionCall): unknown[][] {
  const list = listOf(call.args[0], call);
  const size = Math.max(1, integerArgument(call, 'size', 1) ?? 1);
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}
