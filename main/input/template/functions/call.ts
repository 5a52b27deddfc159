/** What a template function is given and how it reads its arguments. Functions know neither engine. */
import { TemplateProblem } from '../problem.ts';
import { kindOf, Markup, Missing, textOf } from '../values.ts';
import type { Formats } from './formats.ts';

export type Named = ReadonlyMap<string, unknown>;

export interface Call {
  readonly name: string;
  /** For a filter the filtered value is the first. */
  readonly args: readonly unknown[];
  /** Arguments by name: `digits=2`. */
  readonly named: Named;
  readonly formats: Formats;
}

export interface TemplateFunction {
  readonly run: (call: Call) => unknown;
  /** It can do without a value; all others get present ones only. */
  readonly takesMissing?: true;
}

export type FunctionTable = Readonly<Record<string, TemplateFunction>>;

/** Rows of functions that need all their values. */
export function rows(table: Readonly<Record<string, (call: Call) => unknown>>): FunctionTable {
  return Object.fromEntries(Object.entries(table).map(([name, run]) => [name, { run }]));
}

/** Texts that are numbers count: CSV and XML hold no others. */
export function numberOf(value: unknown, call: Call): number {
  if (value === undefined || value === null) return 0;
  const number = numeric(value);
  if (number !== undefined) return number;
  throw new TemplateProblem(`${call.name} needs a number, not ${kindOf(value)}`);
}

/** As numberOf, without complaint. */
export function numeric(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  const text = value instanceof Markup ? value.text : value;
  if (typeof text !== 'string' || text.length > 40) return undefined;
  return /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(text) ? Number(text) : undefined;
}

/** A whole number, by name or by position. */
export function wholeArgument(call: Call, name: string, index: number): number | undefined {
  const value = argument(call, name, index);
  return value === undefined || value === null ? undefined : Math.trunc(numberOf(value, call));
}

export function textArgument(call: Call, name: string, index: number): string | undefined {
  const value = argument(call, name, index);
  return value === undefined || value === null ? undefined : textOf(value);
}

export function argument(call: Call, name: string, index: number): unknown {
  return call.named.get(name) ?? call.args[index];
}

export function listOf(value: unknown, call: Call): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new TemplateProblem(`${call.name} needs a list, not ${kindOf(value)}`);
}

export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value instanceof Missing;
}
