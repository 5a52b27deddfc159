/** `{% if %}`, `{% for %}`, `{% switch %}`. */
import { checkList } from '../output.ts';
import { placed, TemplateProblem } from '../problem.ts';
import { isPlainObject, kindOf } from '../values.ts';
import { isEqual } from '../functions/logic.ts';
import type { Writer } from './jinja.ts';
import { Loop } from './loop.ts';
import { placeOfNode, type Node } from './nodes.ts';
import { Scope } from './scope.ts';
import { truth } from './truth.ts';

export function writeIf(writer: Writer, node: Node, scope: Scope): void {
  const branch = truth(writer.expressions.value(node.cond, scope)) ? node.body : node.else_;
  // An {% elif %} is an If in the place of a list.
  if (branch !== null) writer.nodes(branch.typename === 'If' ? [branch] : branch.children, scope);
}

export function writeFor(writer: Writer, node: Node, scope: Scope): void {
  const value = writer.evaluation.needed(writer.expressions.value(node.arr, scope));
  const members = membersOf(value, node);
  if (members.length === 0 && node.else_ !== null) writer.nodes(node.else_.children, scope);
  const names = namesOf(node);
  members.forEach((member, index) => {
    const inner = new Scope({ parent: scope });
    inner.declare('loop', new Loop(index, members.length));
    unpack(names, member, { node, scope: inner });
    writer.nodes(node.body.children, inner);
  });
}

export function writeSwitch(writer: Writer, node: Node, scope: Scope): void {
  const value = writer.evaluation.needed(writer.expressions.value(node.expr, scope));
  const found = node.cases.findIndex(({ cond }) => isEqual(value, writer.expressions.value(cond, scope)));
  // A case without a body is one more condition of the next.
  const body =
    found < 0 ? undefined : node.cases.slice(found).find((each) => each.body.children.length > 0)?.body;
  writer.nodes((body ?? node.default)?.children ?? [], scope);
}

/** An object gives its keys, as in Python, or with two names its pairs, as in nunjucks. */
function membersOf(value: unknown, node: Node): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  if (isPlainObject(value)) return namesOf(node).length > 1 ? Object.entries(value) : Object.keys(value);
  if (typeof value === 'string') {
    placed(placeOfNode(node.arr), () => {
      checkList(value.length);
    });
    return Array.from(value);
  }
  throw new TemplateProblem(
    `{% for %} needs a list or an object, not ${kindOf(value)}`,
    placeOfNode(node.arr),
  );
}

function namesOf({ name }: Node): string[] {
  return (name.typename === 'Symbol' ? [name] : name.children).map((each) => String(each.value));
}

function unpack(
  names: readonly string[],
  member: unknown,
  { node, scope }: { node: Node; scope: Scope },
): void {
  const [only] = names;
  if (names.length === 1 && only !== undefined) {
    scope.declare(only, member);
    return;
  }
  if (!Array.isArray(member) || member.length < names.length)
    throw new TemplateProblem(
      `${kindOf(member)} cannot be taken apart into ${names.join(', ')}`,
      placeOfNode(node),
    );
  names.forEach((name, index) => {
    scope.declare(name, member[index]);
  });
}
