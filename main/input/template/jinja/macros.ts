/** Implements `{% macro %}`, and the function caller() that `{% call %}` passes to a macro. */
import type { NamedArguments } from '../functions/call.ts';
import type { SafeMarkup } from '../values.ts';
import { MissingValue } from '../values.ts';
import type { NodeWriter } from './evaluator.ts';
import { nodePosition, type JinjaNode } from './nodes.ts';
import { JinjaScope } from './scope.ts';

export class Macro {
  readonly node: JinjaNode;
  readonly scope: JinjaScope;

  constructor(node: JinjaNode, scope: JinjaScope) {
    this.node = node;
    this.scope = scope;
  }
}

interface MacroCall {
  readonly args: readonly unknown[];
  readonly named: NamedArguments;
  /** The scope that contains the call. Its depth limits recursion. */
  readonly scope: JinjaScope;
}

/** Returns the output of the macro. */
export function callMacro(writer: NodeWriter, { node, scope }: Macro, call: MacroCall): SafeMarkup {
  const inner = new JinjaScope({ parent: scope, closed: true, calledFrom: call.scope });
  parametersOf(node).forEach(({ name, fallback }, index) => {
    const value = call.named.has(name) ? call.named.get(name) : call.args[index];
    const defaultValue = () =>
      fallback === undefined
        ? new MissingValue(name, nodePosition(node))
        : writer.expressions.value(fallback, inner);
    inner.declare(name, value === undefined ? defaultValue() : value);
  });
  if (call.named.has('caller')) inner.declare('caller', call.named.get('caller'));
  return writer.capture(node.body, inner);
}

interface Parameter {
  readonly name: string;
  readonly fallback: JinjaNode | undefined;
}

/** Returns the parameters of a macro. In nunjucks' tree, parameters with defaults are keyword arguments at the end. */
function parametersOf({ args }: JinjaNode): Parameter[] {
  return args.children.flatMap((arg): Parameter[] =>
    arg.typename === 'KeywordArgs'
      ? arg.children.map(({ key, value }) => ({ name: String(key.value), fallback: value as JinjaNode }))
      : [{ name: String(arg.value), fallback: undefined }],
  );
}
