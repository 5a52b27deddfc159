/** Evaluates Jinja expressions. */
import { numeric, type Named } from '../functions/call.ts';
import { placed, TemplateProblem } from '../problem.ts';
import { dictionary, Missing, ownProperty, isPlainObject, textOf, Markup } from '../values.ts';
import type { ExpressionEvaluator, TemplateWriter } from './evaluator.ts';
import { Loop } from './loop.ts';
import { Macro, callMacro } from './macros.ts';
import { placeOfNode, startOf, writtenPath, type Node } from './nodes.ts';
import { compared, contains, operators, truth } from './operators.ts';
import { Namespace, Scope } from './scope.ts';
import { functions } from '../functions/table.ts';
import { compare, isEqual } from '../functions/logic.ts';

export class Expressions implements ExpressionEvaluator {
  readonly writer: TemplateWriter;

  constructor(writer: TemplateWriter) {
    this.writer = writer;
  }

  /** Returns Missing if the data has no such value. */
  value(node: Node | null | undefined, scope: Scope): unknown {
    // nunjucks accepts brackets that do not match, and leaves a node undefined.
    if (!node) throw new TemplateProblem('a value is missing, or brackets do not match');
    const operator = operators.get(node.typename);
    if (operator !== undefined) {
      const left = this.needed(node.left, scope);
      const right = this.needed(node.right, scope);
      return placed(placeOfNode(node), () => operator(left, right));
    }
    const evaluate = Object.hasOwn(kinds, node.typename) ? kinds[node.typename] : undefined;
    if (evaluate === undefined)
      throw new TemplateProblem(`this expression (${node.typename}) is not supported`, placeOfNode(node));
    return evaluate(this, node, scope);
  }

  needed(node: Node | null | undefined, scope: Scope): unknown {
    return this.writer.evaluation.needed(this.value(node, scope));
  }

  /** Returns the positional and the named arguments of a call. */
  args({ children }: Node, scope: Scope): { args: unknown[]; named: Named } {
    const positional = children.filter(({ typename }) => typename !== 'KeywordArgs');
    const pairs = children
      .filter(({ typename }) => typename === 'KeywordArgs')
      .flatMap((node) => node.children);
    return {
      args: positional.map((node) => this.value(node, scope)),
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
    const container = expressions.needed(node.right, scope);
    const value = expressions.needed(node.left, scope);
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

/** Python's spelling of the constants. */
const constants: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['True', true],
  ['False', false],
  ['None', null],
]);

function named(name: string, scope: Scope): unknown {
  const value = scope.get(name);
  return value === undefined ? constants.get(name) : value;
}

/** `a.b`, `a["b"]`, `a[-1]`. If a part of the path is missing, the whole path is. */
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

/** Calls a macro, a function, or one of the common methods of Python's strings and dictionaries. */
function callOf(expressions: ExpressionEvaluator, node: Node, scope: Scope): unknown {
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

/** Returns the method, unless the data has a value of that name: data is never called. */
function methodOf(expressions: ExpressionEvaluator, path: Node, scope: Scope): Method | undefined {
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
  const created = new Namespace();
  for (const [key, value] of named) created.values.set(key, value);
  return created;
}

/** Evaluates `x is defined` and the other tests. */
function testOf(expressions: ExpressionEvaluator, { left, right }: Node, scope: Scope): boolean {
  const value = expressions.value(left, scope);
  const isCall = right.typename === 'FunCall';
  const name = String(isCall ? right.name.value : right.value);
  if (name === 'defined') return !(value instanceof Missing);
  if (name === 'undefined') return value instanceof Missing;
  const test = tests.get(name);
  if (test === undefined) throw new TemplateProblem(`there is no test '${name}'`, placeOfNode(right));
  const [other] = isCall ? expressions.args(right.args, scope).args : [];
  const { evaluation } = expressions.writer;
  return placed(placeOfNode(right), () => test(evaluation.needed(value), evaluation.needed(other)));
}

const isNull = (value: unknown) => value === null || value === undefined;
const whole = (value: unknown) => numeric(value) ?? Number.NaN;

const tests = new Map<string, (value: unknown, other: unknown) => boolean>([
  ['none', isNull],
  ['null', isNull],
  ['true', (value) => value === true],
  ['false', (value) => value === false],
  ['boolean', (value) => typeof value === 'boolean'],
  ['number', (value) => typeof value === 'number'],
  ['integer', (value) => Number.isInteger(value)],
  ['float', (value) => typeof value === 'number' && !Number.isInteger(value)],
  ['string', (value) => typeof value === 'string' || value instanceof Markup],
  ['mapping', isPlainObject],
  ['iterable', (value) => Array.isArray(value) || isPlainObject(value) || typeof value === 'string'],
  ['sequence', (value) => Array.isArray(value) || typeof value === 'string'],
  ['even', (value) => whole(value) % 2 === 0],
  ['odd', (value) => Math.abs(whole(value) % 2) === 1],
  ['divisibleby', (value, other) => whole(value) % whole(other) === 0],
  ['lower', (value) => typeof value === 'string' && value === value.toLowerCase()],
  ['upper', (value) => typeof value === 'string' && value === value.toUpperCase()],
  ['in', (value, other) => contains(other, value)],
  ['eq', isEqual],
  ['equalto', isEqual],
  ['sameas', (value, other) => value === other],
  ['ne', (value, other) => !isEqual(value, other)],
  ['lt', (value, other) => compare(value, other) < 0],
  ['le', (value, other) => compare(value, other) <= 0],
  ['gt', (value, other) => compare(value, other) > 0],
  ['ge', (value, other) => compare(value, other) >= 0],
]);
