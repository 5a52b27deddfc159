/** Defines template functions, which both engines share, and reads the arguments of a call. */
import { TemplateProblem } from '../problem.ts';
import { fitsDouble } from '../data/decimal.ts';
import { WrittenNumber, kindOf, listOfOne, SafeMarkup, MissingValue, textOf } from '../values.ts';
import type { Formats } from './formats.ts';

export type NamedArguments = ReadonlyMap<string, unknown>;

export interface FunctionCall {
  readonly name: string;
  /** For a filter, the filtered value is the first argument. */
  readonly args: readonly unknown[];
  /** Named arguments: `digits=2`. */
  readonly named: NamedArguments;
  readonly formats: Formats;
  /** Whether the data is XML, where a text may be a list of one. */
  readonly isXml: boolean;
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
  const number = exactNumeric(value);
  if (number !== undefined) return number;
  throw new TemplateProblem(`${call.name} needs a number, not ${kindOf(value)}`);
}

/** Returns the value as `numeric` does, for arithmetic. @throws TemplateProblem for a number whose digits a double does not keep */
export function exactNumeric(value: unknown): number | undefined {
  const number = numeric(value);
  const text = writtenText(value);
  if (number === undefined || text === undefined || fitsDouble(text)) return number;
  throw new TemplateProblem(
    `${text.slice(0, 40)} has more digits than can be computed with exactly; print it as it is, or send it with at most 15 digits`,
  );
}

/** Returns the text of a string, of markup, or of a number as it is written; undefined for any other value. */
export function writtenText(value: unknown): string | undefined {
  if (value instanceof WrittenNumber || value instanceof SafeMarkup) return value.text;
  return typeof value === 'string' ? value : undefined;
}

/** Returns a number, or a string that represents a number, as a number; undefined for any other value. */
export function numeric(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (value instanceof WrittenNumber) return Number(value.text);
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
  const list = listOfOne(value, call.isXml);
  if (list !== undefined) return list;
  throw new TemplateProblem(`${call.name} needs a list, not ${kindOf(value)}`);
}

export function isMissingOrNull(value: unknown): boolean {
  return value === undefined || value === null || value instanceof MissingValue;
}
