/** Parts of lists and objects: by property, by size, by key. */
import { checkList } from '../output.ts';
import { TemplateProblem } from '../problem.ts';
import { dictionary, isPlainObject, isTrue, kindOf, ownProperty, type PlainObject } from '../values.ts';
import { listOf, rows, textArgument, wholeArgument, type Call } from './call.ts';
import { compare, isEqual } from './logic.ts';
import { picked } from './lists.ts';

export const groups = rows({
  map: (call) => picked(listOf(call.args[0], call), needed(call, 'attribute')),
  groupby,
  selectattr: (call) => filtered(call, true),
  rejectattr: (call) => filtered(call, false),
  where: (call) => filtered(call, true),
  select: (call) => listOf(call.args[0], call).filter(isTrue),
  reject: (call) => listOf(call.args[0], call).filter((member) => !isTrue(member)),
  batch,
  slice: (call) =>
    listOf(call.args[0], call).slice(wholeArgument(call, 'start', 1), wholeArgument(call, 'end', 2)),
  items: (call) => Object.entries(objectOf(call)),
  keys: (call) => Object.keys(objectOf(call)),
  values: (call) => Object.values(objectOf(call)),
  dictsort: (call) => Object.entries(objectOf(call)).sort(([one], [other]) => compare(one, other)),
});

export function objectOf(call: Call): PlainObject {
  const [value] = call.args;
  if (value === undefined || value === null) return dictionary();
  if (isPlainObject(value)) return value;
  throw new TemplateProblem(`${call.name} needs an object, not ${kindOf(value)}`);
}

function needed(call: Call, name: string): string {
  const text = textArgument(call, name, 1);
  if (text === undefined) throw new TemplateProblem(`${call.name} needs the name of a property`);
  return text;
}

/** Objects of `grouper` (also as `key`) and `list`, in the order of the groups' values. */
function groupby(call: Call): unknown[] {
  const members = listOf(call.args[0], call);
  checkList(members.length);
  const found = new Map<unknown, unknown[]>();
  picked(members, needed(call, 'attribute')).forEach((key, index) => {
    const group = found.get(key);
    if (group === undefined) found.set(key, [members[index]]);
    else group.push(members[index]);
  });
  return [...found]
    .sort(([one], [other]) => compare(one, other))
    .map(([grouper, list]) =>
      dictionary([
        ['grouper', grouper],
        ['key', grouper],
        ['list', list],
      ]),
    );
}

const tests = new Map<string, (one: unknown, other: unknown) => boolean>([
  ['eq', isEqual],
  ['equalto', isEqual],
  ['==', isEqual],
  ['ne', (one, other) => !isEqual(one, other)],
  ['lt', (one, other) => compare(one, other) < 0],
  ['le', (one, other) => compare(one, other) <= 0],
  ['gt', (one, other) => compare(one, other) > 0],
  ['ge', (one, other) => compare(one, other) >= 0],
]);

/** `where list "paid"`, `where list "country" "DE"`, `where list "price" "gt" 10`. */
function filtered(call: Call, wanted: boolean): unknown[] {
  const [list, , second, third] = call.args;
  const keys = needed(call, 'attribute').split('.');
  const name = call.args.length > 3 ? String(second) : 'eq';
  const test = tests.get(name);
  if (test === undefined) throw new TemplateProblem(`${call.name} knows no test '${name}'`);
  const other = call.args.length > 3 ? third : second;
  return listOf(list, call).filter((member) => {
    const value = keys.reduce(ownProperty, member);
    return (call.args.length > 2 ? test(value, other) : isTrue(value)) === wanted;
  });
}

function batch(call: Call): unknown[][] {
  const list = listOf(call.args[0], call);
  const size = Math.max(1, wholeArgument(call, 'size', 1) ?? 1);
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}
