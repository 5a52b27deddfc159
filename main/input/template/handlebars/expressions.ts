/** Evaluates Handlebars expressions: paths, literals and calls. */
import type { TemplateEvaluation } from '../evaluation.ts';
import type { NamedArguments } from '../functions/call.ts';
import { TemplateProblem } from '../problem.ts';
import { MissingValue } from '../values.ts';
import { nodePosition } from './parsed.ts';
import { valueOf, type HandlebarsScope } from './scope.ts';

interface Callable {
  readonly path: hbs.AST.Expression;
  readonly params: readonly hbs.AST.Expression[];
  readonly hash?: hbs.AST.Hash | undefined;
}

/**
 * Returns the value of an expression. A name with arguments, or in a subexpression, is a function; a name alone is always a value
 * in the data. Handlebars itself prefers helpers, but every invoice has a `date`, a `number` and a `sum`.
 */
export function evaluateExpression(
  node: Callable & hbs.AST.Node,
  scope: HandlebarsScope,
  evaluation: TemplateEvaluation,
): unknown {
  const name = helperName(node.path);
  if (!hasArguments(node) && node.type !== 'SubExpression') return pathValue(node.path, scope);
  if (name === undefined)
    throw new TemplateProblem('a path takes no arguments; only functions do', nodePosition(node.path));
  return evaluation.call(name, {
    args: node.params.map((param) => evaluateArgument(param, scope, evaluation)),
    named: namedArguments(node.hash, scope, evaluation),
    position: nodePosition(node.path),
  });
}

export function evaluateArgument(
  node: hbs.AST.Expression,
  scope: HandlebarsScope,
  evaluation: TemplateEvaluation,
): unknown {
  switch (node.type) {
    case 'PathExpression':
      return valueOf(node as hbs.AST.PathExpression, scope);
    case 'SubExpression':
      return evaluateExpression(node as hbs.AST.SubExpression, scope, evaluation);
    case 'UndefinedLiteral':
      return undefined;
    case 'NullLiteral':
      return null;
    default:
      return (node as hbs.AST.StringLiteral | hbs.AST.NumberLiteral | hbs.AST.BooleanLiteral).value;
  }
}

export function namedArguments(
  hash: hbs.AST.Hash | undefined,
  scope: HandlebarsScope,
  evaluation: TemplateEvaluation,
): NamedArguments {
  const pairs = hash?.pairs ?? [];
  return new Map(pairs.map(({ key, value }) => [key, evaluateArgument(value, scope, evaluation)]));
}

export function hasArguments({ params, hash }: Callable): boolean {
  return params.length > 0 || (hash?.pairs.length ?? 0) > 0;
}

/** Returns the path if it can be the name of a function: a single part without `this.`, `../` or `@`; otherwise undefined. */
export function helperName(node: hbs.AST.Expression): string | undefined {
  if (node.type !== 'PathExpression') return undefined;
  const { parts, data, depth, original } = node as hbs.AST.PathExpression;
  return parts.length === 1 && !data && depth === 0 && !/^(this\b|\.)/.test(original)
    ? String(parts[0])
    : undefined;
}

/** Returns the value of a path, or of a literal alone: `{{"a name"}}` and `{{1}}` are names too. */
function pathValue(node: hbs.AST.Expression, scope: HandlebarsScope): unknown {
  if (node.type === 'PathExpression') return valueOf(node as hbs.AST.PathExpression, scope);
  const { value: literal } = node as hbs.AST.StringLiteral | hbs.AST.NumberLiteral;
  const name = String(literal);
  const path = {
    parts: [name],
    original: name,
    data: false,
    depth: 0,
    loc: node.loc,
  } as hbs.AST.PathExpression;
  const value = valueOf(path, scope);
  return value instanceof MissingValue && node.type !== 'StringLiteral' ? name : value;
}
