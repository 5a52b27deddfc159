/** Defines template functions, which both engines share, and reads the arguments of a call. */
import { TemplateProblem } from '../problem.ts';
import { kindOf, SafeMarkup, MissingValue, textOf } from '../values.ts';
import type { Formats } from './formats.ts';

export type NamedArguments = ReadonlyMap<string, unknown>;

export interface FunctionCall {
  readonly name: string;
  /** For a filter, the filtered value is the first argument. */
  readonly args: readonly unknown[];
  /** Named arguments: `digits=2`. */
  readonly named: NamedArguments;
  readonly formats: Formats;
}

export interface TemplateFunction {
  readonly run: (call: FunctionCall) => unknown;
  /** Whether the function accepts a MissingValue as argument. Other functions are called only with values that exist. */
  readonly acceptsMissing?: true;
}

export type FunctionTable = Readonly<Record<string, TemplateFunction>>;

/** Creates a table of functions that accept no missing values. */
export function functionTable(
  table: Readonly<Record<string, (call: FunctionCall) => unknown>>,
): FunctionTable {
  return Object.fromEntries(Object.entries(table).map(([name, run]) => [name, { run }]));
}

/**
 * Returns a value as a number; 0 for null and undefined. Accepts numbers written as text, because CSV and XML contain only text.
 * @throws TemplateProblem
 */
export function numberOf(value: unknown, call: FunctionCall): number {
  if (value === undefined || value === null) return 0;
  const number = numeric(value);
  if (number !== undefined) return number;
  throw new TemplateProblem(`${call.name} needs a number, not ${kindOf(value)}`);
}

/** Returns a number, or a string that represents a number, as a number; undefined for any other value. */
export function numeric(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  const text = value instanceof SafeMarkup ? value.text : value;
  if (typeof text !== 'string' || text.length > 40) return undefined;
  return /^\s*[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?\s*$/i.test(text) ? Number(text) : undefined;
}

/** Returns an argument, given by name or at a position, as an integer; undefined if it is absent or null. */
export function integerArgument(call: FunctionCall, name: string, index: number): number | undefined {
  const value = argument(call, name, index);
  return value === undefined || value === null ? undefined : Math.trunc(numberOf(value, call));
}

export function textArgument(call: FunctionCall, name: string, index: number): string | undefined {
  const value = argument(call, name, index);
  return value === undefined || value === null ? undefined : textOf(value);
}

export function argument(call: FunctionCall, name: string, index: number): unknown {
  return call.named.get(name) ?? call.args[index];
}

export function listOf(value: unknown, call: FunctionCall): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new TemplateProblem(`${call.name} needs a list, not ${kindOf(value)}`);
}

export function isMissingOrNull(value: unknown): boolean {
  return value === undefined || value === null || value instanceof MissingValue;
}
