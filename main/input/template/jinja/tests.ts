/** `x is defined` and the other tests. */
import { numeric } from '../functions/call.ts';
import { compare, isEqual } from '../functions/logic.ts';
import { placed, TemplateProblem } from '../problem.ts';
import { isPlainObject, Markup, Missing } from '../values.ts';
import type { Expressions } from './expressions.ts';
import { placeOfNode, type Node } from './nodes.ts';
import { contains } from './operators.ts';
import type { Scope } from './scope.ts';

export function testOf(expressions: Expressions, { left, right }: Node, scope: Scope): boolean {
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
