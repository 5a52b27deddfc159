/** `{% macro %}`, and what `{% call %}` hands to one as caller(). */
import type { Named } from '../functions/call.ts';
import type { Markup } from '../values.ts';
import { Missing } from '../values.ts';
import type { Writer } from './jinja.ts';
import { placeOfNode, type Node } from './nodes.ts';
import { Scope } from './scope.ts';

export class Macro {
  readonly node: Node;
  readonly scope: Scope;

  constructor(node: Node, scope: Scope) {
    this.node = node;
    this.scope = scope;
  }
}

export interface Given {
  readonly args: readonly unknown[];
  readonly named: Named;
  /** Of the caller: recursion counts. */
  readonly scope: Scope;
}

/** What the macro prints. */
export function callMacro(writer: Writer, { node, scope }: Macro, given: Given): Markup {
  const inner = new Scope({ parent: scope, closed: true, calledFrom: given.scope });
  parametersOf(node).forEach(({ name, fallback }, index) => {
    const value = given.named.has(name) ? given.named.get(name) : given.args[index];
    const byDefault = () =>
      fallback === undefined
        ? new Missing(name, placeOfNode(node))
        : writer.expressions.value(fallback, inner);
    inner.declare(name, value === undefined ? byDefault() : value);
  });
  if (given.named.has('caller')) inner.declare('caller', given.named.get('caller'));
  return writer.captured(node.body, inner);
}

interface Parameter {
  readonly name: string;
  readonly fallback: Node | undefined;
}

/** Defaults are keyword arguments at the end. */
function parametersOf({ args }: Node): Parameter[] {
  return args.children.flatMap((arg): Parameter[] =>
    arg.typename === 'KeywordArgs'
      ? arg.children.map(({ key, value }) => ({ name: String(key.value), fallback: value as Node }))
      : [{ name: String(arg.value), fallback: undefined }],
  );
}
