/** `{% set a = 1 %}`, `{% set a %}...{% endset %}`, `{% set ns.a = 1 %}`. */
import { TemplateProblem } from '../problem.ts';
import type { Writer } from './jinja.ts';
import { placeOfNode, type Node } from './nodes.ts';
import { Namespace, Scope } from './scope.ts';

export function writeSet(writer: Writer, node: Node, scope: Scope): void {
  const value =
    node.value === null
      ? writer.captured(node.body.body, new Scope({ parent: scope }))
      : writer.expressions.value(node.value as Node, scope);
  for (const target of node.targets) assign(writer, { target, value }, scope);
}

function assign(writer: Writer, { target, value }: { target: Node; value: unknown }, scope: Scope): void {
  if (target.typename === 'Symbol') {
    scope.assign(String(target.value), value);
    return;
  }
  const owner = target.typename === 'LookupVal' ? writer.expressions.value(target.target, scope) : undefined;
  if (!(owner instanceof Namespace))
    throw new TemplateProblem('only a name, or a name of a namespace(), can be set', placeOfNode(target));
  owner.values.set(String(target.val.value), value);
}
