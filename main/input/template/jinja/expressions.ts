/** Values of Jinja expressions. */
import type { Named } from '../functions/call.ts';
import { placed, TemplateProblem } from '../problem.ts';
import { dictionary, Missing, ownProperty } from '../values.ts';
import { callOf } from './calls.ts';
import type { Writer } from './jinja.ts';
import { Loop } from './loop.ts';
import { Macro } from './macros.ts';
import { placeOfNode, startOf, writtenPath, type Node } from './nodes.ts';
import { compared, contains, operators } from './operators.ts';
import { Namespace, Scope } from './scope.ts';
import { testOf } from './tests.ts';
import { truth } from './truth.ts';

export class Expressions {
  readonly writer: Writer;

  constructor(writer: Writer) {
    this.writer = writer;
  }

  /** Missing where the data has no such value. */
  value(node: Node | null | undefined, scope: Scope): unknown {
    // nunjucks takes brackets that do not match, and leaves a hole in its tree.
    if (!node) throw new TemplateProblem('a value is missing, or brackets do not match');
    const operator = operators.get(node.typename);
    if (operator !== undefined) {
      const [one, other] = [this.needed(node.left, scope), this.needed(node.right, scope)];
      return placed(placeOfNode(node), () => operator(one, other));
    }
    const evaluate = Object.hasOwn(kinds, node.typename) ? kinds[node.typename] : undefined;
    if (evaluate === undefined)
      throw new TemplateProblem(`this expression (${node.typename}) is not supported`, placeOfNode(node));
    return evaluate(this, node, scope);
  }

  needed(node: Node | null | undefined, scope: Scope): unknown {
    return this.writer.evaluation.needed(this.value(node, scope));
  }

  /** The arguments of a call: those in order, and those by name. */
  args({ children }: Node, scope: Scope): { args: unknown[]; named: Named } {
    const inOrder = children.filter(({ typename }) => typename !== 'KeywordArgs');
    const pairs = children
      .filter(({ typename }) => typename === 'KeywordArgs')
      .flatMap((node) => node.children);
    return {
      args: inOrder.map((node) => this.value(node, scope)),
      named: new Map(pairs.map(({ key, value }) => [String(key.value), this.value(value as Node, scope)])),
    };
  }
}

type Evaluate = (expressions: Expressions, node: Node, scope: Scope) => unknown;

const kinds: Readonly<Record<string, Evaluate>> = {
  Literal: (_, node) => literal(node),
  Symbol: (_, node, scope) => {
    const value = named(String(node.value), scope);
    return value === undefined ? new Missing(String(node.value), placeOfNode(node)) : value;
  },
  Group: (expressions, { children }, scope) =>
    children.length === 1 && children[0] !== undefined
      ? expressions.value(children[0], scope)
      : children.map((child) => expressions.needed(child, scope)),
  Array: (expressions, { children }, scope) => children.map((child) => expressions.needed(child, scope)),
  Dict: (expressions, { children }, scope) =>
    dictionary(
      children.map(({ key, value }) => {
        const name = key.typename === 'Symbol' ? key.value : expressions.needed(key, scope);
        return [String(name), expressions.needed(value as Node, scope)] as const;
      }),
    ),
  LookupVal: lookUp,
  InlineIf: (expressions, node, scope) => {
    if (truth(expressions.value(node.cond, scope))) return expressions.value(node.body, scope);
    return node.else_ === null ? '' : expressions.value(node.else_, scope);
  },
  And: (expressions, node, scope) => {
    const left = expressions.value(node.left, scope);
    return truth(left) ? expressions.value(node.right, scope) : left;
  },
  Or: (expressions, node, scope) => {
    const left = expressions.value(node.left, scope);
    return truth(left) ? left : expressions.value(node.right, scope);
  },
  Not: (expressions, node, scope) => !truth(expressions.value(node.target, scope)),
  Neg: (expressions, node, scope) => operators.get('Sub')?.(0, expressions.needed(node.target, scope)),
  Pos: (expressions, node, scope) => expressions.needed(node.target, scope),
  In: (expressions, node, scope) => {
    const [container, value] = [expressions.needed(node.right, scope), expressions.needed(node.left, scope)];
    return placed(placeOfNode(node), () => contains(container, value));
  },
  Is: testOf,
  Compare: (expressions, node, scope) => {
    let left = expressions.needed(node.expr, scope);
    return node.ops.every(({ type, expr }) => {
      const right = expressions.needed(expr, scope);
      const holds = placed(placeOfNode(node), () => compared(type, left, right));
      left = right;
      return holds;
    });
  },
  Filter: (expressions, node, scope) =>
    expressions.writer.evaluation.call(filterName(node.name), {
      ...expressions.args(node.args, scope),
      place: placeOfNode(node),
    }),
  Capture: (expressions, node, scope) => expressions.writer.captured(node.body, new Scope({ parent: scope })),
  Caller: (_, node, scope) => new Macro(node, scope),
  FunCall: callOf,
};

function literal(node: Node): unknown {
  if (node.value instanceof RegExp)
    throw new TemplateProblem('regular expressions are not supported', placeOfNode(node));
  return node.value;
}

/** Python's constants have capitals. */
const constants: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['True', true],
  ['False', false],
  ['None', null],
]);

function named(name: string, scope: Scope): unknown {
  const value = scope.get(name);
  return value === undefined ? constants.get(name) : value;
}

/** `a.b`, `a["b"]`, `a[-1]`; the whole path is missing when a part of it is. */
function lookUp(expressions: Expressions, node: Node, scope: Scope): unknown {
  const target = expressions.value(node.target, scope);
  const key = placed(startOf(node), () => expressions.needed(node.val, scope));
  const value = target instanceof Missing ? undefined : memberOf(target, key);
  return value === undefined ? new Missing(writtenPath(node), startOf(node)) : value;
}

function memberOf(target: unknown, key: unknown): unknown {
  if (target instanceof Namespace) return typeof key === 'string' ? target.values.get(key) : undefined;
  if (target instanceof Loop) return ownProperty(target.values, key);
  if (Array.isArray(target) && typeof key === 'number' && key < 0) return target.at(key) as unknown;
  return ownProperty(target, key);
}

function filterName(node: Node): string {
  return String(node.value);
}
