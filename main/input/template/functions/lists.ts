/** Lists: their length, sum, ends, order. */
import { checkList, checkText } from '../output.ts';
import { TemplateProblem } from '../problem.ts';
import { isPlainObject, kindOf, Markup, ownProperty, textOf } from '../values.ts';
import { listOf, numberOf, rows, textArgument, wholeArgument, type Call } from './call.ts';
import { exact } from './decimal.ts';
import { compare } from './logic.ts';

export const lists = rows({
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
  min: (call) => outermost(sequence(call), -1),
  max: (call) => outermost(sequence(call), 1),
  list: sequence,
  lookup: ({ args: [target, key] }) => ownProperty(target, key),
  range,
});

/** The property of each member a dotted path names; a member without it is a mistake in the data. */
export function picked(list: readonly unknown[], path: string): unknown[] {
  const keys = path.split('.');
  return list.map((member, index) => {
    const value = keys.reduce(ownProperty, member);
    if (value === undefined) throw new TemplateProblem(`member ${index + 1} of the list has no '${path}'`);
    return value;
  });
}

/** A text's characters, a list's members, an object's keys. */
function sequence(call: Call): unknown[] {
  const [value] = call.args;
  const text = value instanceof Markup ? value.text : value;
  if (typeof text === 'string') {
    checkList(text.length);
    return Array.from(text);
  }
  return isPlainObject(value) ? Object.keys(value) : [...listOf(value, call)];
}

function length({ name, args: [value] }: Call): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  if (value instanceof Markup) return value.text.length;
  if (isPlainObject(value)) return Object.keys(value).length;
  throw new TemplateProblem(`${name} needs a list, a text or an object, not ${kindOf(value)}`);
}

function join(call: Call): string {
  const separator = textArgument(call, 'separator', 1) ?? (call.named.has('attribute') ? '' : ', ');
  const path = textArgument(call, 'attribute', 2);
  const members = listOf(call.args[0], call);
  const parts = (path === undefined ? members : picked(members, path)).map(textOf);
  checkText(parts.reduce((sum, part) => sum + part.length + separator.length, 0));
  return parts.join(separator);
}

/** The first of the smallest (-1) or largest (1) members; undefined when there are none. */
function outermost([first, ...others]: readonly unknown[], way: 1 | -1): unknown {
  return others.reduce((best, other) => (way * compare(other, best) > 0 ? other : best), first);
}

/** `sum list`, `sum list "price"`. */
function sum(call: Call): number {
  const path = textArgument(call, 'attribute', 1);
  const list = listOf(call.args[0], call);
  const members = path === undefined ? list : picked(list, path);
  return members.reduce((total: number, member) => exact(total + numberOf(member, call)), 0);
}

/** `sort list`, `sort list "price"`; `reverse=true` for the other way. */
function sort(call: Call): unknown[] {
  const named = call.named.get('attribute');
  const path = named ?? call.args.slice(1).find((value) => typeof value === 'string');
  const members = sequence(call);
  const keys = typeof path === 'string' ? picked(members, path) : members;
  const way = call.named.get('reverse') === true || call.args[1] === true ? -1 : 1;
  return members
    .map((member, index) => ({ member, key: keys[index] }))
    .sort((one, other) => way * compare(one.key, other.key))
    .map(({ member }) => member);
}

/** `range stop`, `range start stop step`, as in Python: stop is left out. */
function range(call: Call): number[] {
  const [one = 0, other] = call.args.map((value) => numberOf(value, call));
  const step = wholeArgument(call, 'step', 2) ?? 1;
  const [start, stop] = other === undefined ? [0, one] : [one, other];
  if (step === 0) throw new TemplateProblem('range needs a step other than 0');
  const size = Math.max(0, Math.ceil((stop - start) / step));
  checkList(size);
  return Array.from({ length: size }, (_, index) => start + index * step);
}
