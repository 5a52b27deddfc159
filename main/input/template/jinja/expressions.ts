/** Evaluates Jinja expressions. */
import { numeric, type NamedArguments } from '../functions/call.ts';
import { withPosition, TemplateProblem } from '../problem.ts';
import {
  dictionary,
  listOfElement,
  MissingValue,
  ownProperty,
  isPlainObject,
  textOf,
  SafeMarkup,
} from '../values.ts';
import type { ExpressionEvaluator, NodeWriter } from './evaluator.ts';
import { Loop } from './loop.ts';
import { Macro, callMacro } from './macros.ts';
import { nodePosition, startPosition, pathText, type JinjaNode } from './nodes.ts';
import { applyComparison, contains, operators, isPythonTruthy } from './operators.ts';
import { Namespace, JinjaScope } from './scope.ts';
import { functions } from '../functions/table.ts';
import { compare, isEqual, isNumber } from '../functions/logic.ts';

export class Expressions implements ExpressionEvaluator {
  readonly writer: NodeWriter;

  constructor(writer: NodeWriter) {
    this.writer = writer;
  }

  /** Returns a MissingValue if the data does not contain the value. */
  value(node: JinjaNode | null | undefined, scope: JinjaScope): unknown {
    // nunjucks accepts brackets that do not match, and leaves a node undefined.
    if (!node) throw new TemplateProblem('a value is missing, or brackets do not match');
    const operator = operators.get(node.typename);
    if (operator !== undefined) {
      const left = this.required(node.left, scope);
      const right = this.required(node.right, scope);
      return withPosition(nodePosition(node), () => operator(left, right));
    }
    const evaluate = Object.hasOwn(evaluators, node.typename) ? evaluators[node.typename] : undefined;
    if (evaluate === undefined)
      throw new TemplateProblem(`this expression (${node.typename}) is not supported`, nodePosition(node));
    return evaluate(this, node, scope);
  }

  required(node: JinjaNode | null | undefined, scope: JinjaScope): unknown {
    return this.writer.evaluation.required(this.value(node, scope));
  }

  /** Returns the positional and the named arguments of a call. */
  args({ children }: JinjaNode, scope: JinjaScope): { args: unknown[]; named: NamedArguments } {
    const positional = children.filter(({ typename }) => typename !== 'KeywordArgs');
    const pairs = children
      .filter(({ typename }) => typename === 'KeywordArgs')
      .flatMap((node) => node.children);
    return {
      args: positional.map((node) => this.value(node, scope)),
      named: new Map(
        pairs.map(({ key, value }) => [String(key.value), this.value(value as JinjaNode, scope)]),
      ),
    };
  }
}

type Evaluate = (expressions: Expressions, node: JinjaNode, scope: JinjaScope) => unknown;

const evaluators: Readonly<Record<string, Evaluate>> = {
  Literal: (_, node) => literal(node),
  Symbol: (_, node, scope) => {
    const value = valueOfName(String(node.value), scope);
    return value === undefined ? new MissingValue(String(node.value), nodePosition(node)) : value;
  },
  Group: (expressions, { children }, scope) =>
    children.length === 1 && children[0] !== undefined
      ? expressions.value(children[0], scope)
      : children.map((child) => expressions.required(child, scope)),
  Array: (expressions, { children }, scope) => children.map((child) => expressions.required(child, scope)),
  Dict: (expressions, { children }, scope) =>
    dictionary(
      children.map(({ key, value }) => {
        const name = key.typename === 'Symbol' ? key.value : expressions.required(key, scope);
        return [String(name), expressions.required(value as JinjaNode, scope)] as const;
      }),
    ),
  LookupVal: lookUp,
  InlineIf: (expressions, node, scope) => {
    if (isPythonTruthy(expressions.value(node.cond, scope))) return expressions.value(node.body, scope);
    return node.else_ === null ? '' : expressions.value(node.else_, scope);
  },
  And: (expressions, node, scope) => {
    const left = expressions.value(node.left, scope);
    return isPythonTruthy(left) ? expressions.value(node.right, scope) : left;
  },
  Or: (expressions, node, scope) => {
    const left = expressions.value(node.left, scope);
    return isPythonTruthy(left) ? left : expressions.value(node.right, scope);
  },
  Not: (expressions, node, scope) => !isPythonTruthy(expressions.value(node.target, scope)),
  Neg: (expressions, node, scope) => operators.get('Sub')?.(0, expressions.required(node.target, scope)),
  Pos: (expressions, node, scope) => expressions.required(node.target, scope),
  In: (expressions, node, scope) => {
    const container = expressions.required(node.right, scope);
    const value = expressions.required(node.left, scope);
    return withPosition(nodePosition(node), () => contains(container, value));
  },
  Is: evaluateTest,
  Compare: (expressions, node, scope) => {
    let left = expressions.required(node.expr, scope);
    return node.ops.every(({ type, expr }) => {
      const right = expressions.required(expr, scope);
      const holds = withPosition(nodePosition(node), () => applyComparison(type, left, right));
      left = right;
      return holds;
    });
  },
  Filter: (expressions, node, scope) =>
    expressions.writer.evaluation.call(filterName(node.name), {
      ...expressions.args(node.args, scope),
      position: nodePosition(node),
    }),
  Capture: (expressions, node, scope) =>
    expressions.writer.capture(node.body, new JinjaScope({ parent: scope })),
  Caller: (_, node, scope) => new Macro(node, scope),
  FunCall: evaluateCall,
};

function literal(node: JinjaNode): unknown {
  if (node.value instanceof RegExp)
    throw new TemplateProblem('regular expressions are not supported', nodePosition(node));
  return node.value;
}

/** The constants as Python spells them. */
const constants: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['True', true],
  ['False', false],
  ['None', null],
]);

function valueOfName(name: string, scope: JinjaScope): unknown {
  const value = scope.get(name);
  return value === undefined ? constants.get(name) : value;
}

/** Returns the value of `a.b`, `a["b"]` or `a[-1]`. If a part of the path is missing, returns a MissingValue for the whole path. */
function lookUp(expressions: Expressions, node: JinjaNode, scope: JinjaScope): unknown {
  const target = expressions.value(node.target, scope);
  const key = withPosition(startPosition(node), () => expressions.required(node.val, scope));
  const value = target instanceof MissingValue ? undefined : memberOf(target, key);
  return value === undefined ? new MissingValue(pathText(node), startPosition(node)) : value;
}

function memberOf(target: unknown, key: unknown): unknown {
  if (target instanceof Namespace) return typeof key === 'string' ? target.values.get(key) : undefined;
  if (target instanceof Loop) return ownProperty(target.values, key);
  const list = Array.isArray(target) ? (target as readonly unknown[]) : listOfElement(target);
  if (list !== undefined && typeof key === 'number' && key < 0) return list.at(key);
  return ownProperty(target, key);
}

function filterName(node: JinjaNode): string {
  return String(node.value);
}

/** Calls a macro, a function, or one of the common methods of Python's strings and dictionaries. */
function evaluateCall(expressions: ExpressionEvaluator, node: JinjaNode, scope: JinjaScope): unknown {
  // nunjucks accepts `.(x)`, and leaves the name null.
  if ((node.name as JinjaNode | null) === null)
    throw new TemplateProblem('a value is missing, or brackets do not match', nodePosition(node));
  const position = nodePosition(node.name);
  const { writer } = expressions;
  const callArguments = expressions.args(node.args, scope);
  const method = node.name.typename === 'LookupVal' ? methodOf(expressions, node.name, scope) : undefined;
  if (method !== undefined)
    return withPosition(position, () =>
      method(callArguments.args.map((arg) => writer.evaluation.required(arg))),
    );
  const callee = expressions.value(node.name, scope);
  if (callee instanceof Macro) return callMacro(writer, callee, { ...callArguments, scope });
  const name = pathText(node.name);
  if (callee instanceof MissingValue && name === 'namespace') return namespace(callArguments.named);
  if (callee instanceof MissingValue && name === 'dict') return dictionary(callArguments.named);
  if (callee instanceof MissingValue && functions.has(name))
    return writer.evaluation.call(name, { ...callArguments, position });
  throw new TemplateProblem(`'${name}' cannot be called`, position);
}

type PythonMethod = (args: readonly unknown[]) => unknown;

/** Returns a built-in method of a value, or undefined. A value of that name in the data takes precedence: data is never called. */
function methodOf(
  expressions: ExpressionEvaluator,
  path: JinjaNode,
  scope: JinjaScope,
): PythonMethod | undefined {
  const target = expressions.required(path.target, scope);
  const name = String(path.val.value);
  if (target instanceof Loop && name === 'cycle') return (args) => target.cycle(args);
  if (typeof target === 'string') return textMethod(target, name);
  if (isPlainObject(target) && ownProperty(target, name) === undefined) return objectMethod(target, name);
  return undefined;
}

function objectMethod(target: Readonly<Record<string, unknown>>, name: string): PythonMethod | undefined {
  switch (name) {
    case 'items':
      return () => Object.entries(target);
    case 'keys':
      return () => Object.keys(target);
    case 'values':
      return () => Object.values(target);
    case 'get':
      return ([key, fallback = null]) => ownProperty(target, key) ?? fallback;
    default:
      return undefined;
  }
}

function textMethod(text: string, name: string): PythonMethod | undefined {
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
function evaluateTest(
  expressions: ExpressionEvaluator,
  { left, right }: JinjaNode,
  scope: JinjaScope,
): boolean {
  const value = expressions.value(left, scope);
  const isCall = right.typename === 'FunCall';
  const name = String(isCall ? right.name.value : right.value);
  if (name === 'defined') return !(value instanceof MissingValue);
  if (name === 'undefined') return value instanceof MissingValue;
  const test = tests.get(name);
  if (test === undefined) throw new TemplateProblem(`there is no test '${name}'`, nodePosition(right));
  const [operand] = isCall ? expressions.args(right.args, scope).args : [];
  const { evaluation } = expressions.writer;
  return withPosition(nodePosition(right), () =>
    test(evaluation.required(value), evaluation.required(operand)),
  );
}

const isNull = (value: unknown) => value === null || value === undefined;
const numberOrNaN = (value: unknown) => numeric(value) ?? Number.NaN;

const tests = new Map<string, (value: unknown, operand: unknown) => boolean>([
  ['none', isNull],
  ['null', isNull],
  ['true', (value) => value === true],
  ['false', (value) => value === false],
  ['boolean', (value) => typeof value === 'boolean'],
  ['number', isNumber],
  ['integer', (value) => isNumber(value) && Number.isInteger(numeric(value))],
  ['float', (value) => isNumber(value) && !Number.isInteger(numeric(value))],
  ['string', (value) => typeof value === 'string' || value instanceof SafeMarkup],
  ['mapping', isPlainObject],
  ['iterable', (value) => Array.isArray(value) || isPlainObject(value) || typeof value === 'string'],
  ['sequence', (value) => Array.isArray(value) || typeof value === 'string'],
  ['even', (value) => numberOrNaN(value) % 2 === 0],
  ['odd', (value) => Math.abs(numberOrNaN(value) % 2) === 1],
  ['divisibleby', (value, operand) => numberOrNaN(value) % numberOrNaN(operand) === 0],
  ['lower', (value) => typeof value === 'string' && value === value.toLowerCase()],
  ['upper', (value) => typeof value === 'string' && value === value.toUpperCase()],
  ['in', (value, operand) => contains(operand, value)],
  ['eq', isEqual],
  ['equalto', isEqual],
  ['sameas', (value, operand) => value === operand],
  ['ne', (value, operand) => !isEqual(value, operand)],
  ['lt', (value, operand) => compare(value, operand) < 0],
  ['le', (value, operand) => compare(value, operand) <= 0],
  ['gt', (value, operand) => compare(value, operand) > 0],
  ['ge', (value, operand) => compare(value, operand) >= 0],
]);
