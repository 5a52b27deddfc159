/** Calls in Jinja expressions: macros, a few functions, and the methods of Python's texts and dictionaries people use. */
import { functions } from '../functions/table.ts';
import { placed, TemplateProblem } from '../problem.ts';
import { dictionary, isPlainObject, Missing, ownProperty, textOf } from '../values.ts';
import type { Expressions } from './expressions.ts';
import { Loop } from './loop.ts';
import { callMacro, Macro } from './macros.ts';
import { placeOfNode, writtenPath, type Node } from './nodes.ts';
import { Namespace, type Scope } from './scope.ts';

export function callOf(expressions: Expressions, node: Node, scope: Scope): unknown {
  const place = placeOfNode(node.name);
  const { writer } = expressions;
  const given = expressions.args(node.args, scope);
  const method = node.name.typename === 'LookupVal' ? methodOf(expressions, node.name, scope) : undefined;
  if (method !== undefined)
    return placed(place, () => method(given.args.map((arg) => writer.evaluation.needed(arg))));
  const callee = expressions.value(node.name, scope);
  if (callee instanceof Macro) return callMacro(writer, callee, { ...given, scope });
  const name = writtenPath(node.name);
  if (callee instanceof Missing && name === 'namespace') return namespace(given.named);
  if (callee instanceof Missing && name === 'dict') return dictionary(given.named);
  if (callee instanceof Missing && functions.has(name))
    return writer.evaluation.call(name, { ...given, place });
  throw new TemplateProblem(`'${name}' cannot be called`, place);
}

type Method = (args: readonly unknown[]) => unknown;

/** The method, unless the data has an own value of that name: data is never called. */
function methodOf(expressions: Expressions, path: Node, scope: Scope): Method | undefined {
  const target = expressions.needed(path.target, scope);
  const name = String(path.val.value);
  if (target instanceof Loop && name === 'cycle') return (args) => target.cycle(args);
  if (typeof target === 'string') return textMethod(target, name);
  if (isPlainObject(target) && ownProperty(target, name) === undefined) return objectMethod(target, name);
  return undefined;
}

function objectMethod(target: Readonly<Record<string, unknown>>, name: string): Method | undefined {
  switch (name) {
    case 'items':
      return () => Object.entries(target);
    case 'keys':
      return () => Object.keys(target);
    case 'values':
      return () => Object.values(target);
    case 'get':
      return ([key, other = null]) => ownProperty(target, key) ?? other;
    default:
      return undefined;
  }
}

function textMethod(text: string, name: string): Method | undefined {
  switch (name) {
    case 'upper':
      return () => text.toUpperCase();
    case 'lower':
      return () => text.toLowerCase();
    case 'strip':
      return () => text.trim();
    case 'startswith':
      return ([start]) => text.startsWith(textOf(start));
    case 'endswith':
      return ([end]) => text.endsWith(textOf(end));
    case 'split':
      return ([separator]) =>
        separator === undefined ? text.trim().split(/\s+/) : text.split(textOf(separator));
    default:
      return undefined;
  }
}

function namespace(named: ReadonlyMap<string, unknown>): Namespace {
  const made = new Namespace();
  for (const [key, value] of named) made.values.set(key, value);
  return made;
}
