/** `{% macro %}`, and the caller() that `{% call %}` passes to it. */
import type { Named } from '../functions/call.ts';
import type { Markup } from '../values.ts';
import { Missing } from '../values.ts';
import type { TemplateWriter } from './evaluator.ts';
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

interface MacroCall {
  readonly args: readonly unknown[];
  readonly named: Named;
  /** The scope of the caller, to count recursion. */
  readonly scope: Scope;
}

/** Returns the output of the macro. */
export function callMacro(writer: TemplateWriter, { node, scope }: Macro, call: MacroCall): Markup {
  const inner = new Scope({ parent: scope, closed: true, calledFrom: call.scope });
  parametersOf(node).forEach(({ name, fallback }, index) => {
    const value = call.named.has(name) ? call.named.get(name) : call.args[index];
    const defaultValue = () =>
      fallback === undefined
        ? new Missing(name, placeOfNode(node))
        : writer.expressions.value(fallback, inner);
    inner.declare(name, value === undefined ? defaultValue() : value);
  });
  if (call.named.has('caller')) inner.declare('caller', call.named.get('caller'));
  return writer.captured(node.body, inner);
}

interface Parameter {
  readonly name: string;
  readonly fallback: Node | undefined;
}

/** Parameters with defaults are keyword arguments at the end. */
function parametersOf({ args }: Node): Parameter[] {
  return args.children.flatMap((arg): Parameter[] =>
    arg.typename === 'KeywordArgs'
      ? arg.children.map(({ key, value }) => ({ name: String(key.value), fallback: value as Node }))
      : [{ name: String(arg.value), fallback: undefined }],
  );
}
