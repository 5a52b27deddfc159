/** Compares a template with its data: finds missing and unused values. */
import { handlebarsUses } from './handlebars-uses.ts';
import { jinjaUses } from './jinja-uses.ts';
import type { Markers } from './jinja-tokens.ts';
import { unusedIn, addEmptyValues, type DataRange } from './json-data.ts';
import { member, startsWith, pathText, type Path, type Use, type Uses } from './uses.ts';

export interface TemplateCall {
  readonly template: string;
  /** JSON. */
  readonly data: string;
  /** As set in the options; absent: as the service detects it. */
  readonly engine?: 'auto' | 'handlebars' | 'jinja' | undefined;
  readonly markers?: Markers | undefined;
}

export interface TemplateComparison {
  /** Values that the template needs and that are missing in the data, in the order of the template. */
  readonly missing: readonly MissingTemplateValue[];
  /** Ranges of the data that the template does not use. */
  readonly unused: readonly DataRange[];
}

export interface MissingTemplateValue {
  /** `items[].price`. */
  readonly name: string;
  readonly path: Path;
  /** Where the template uses it. */
  readonly ranges: readonly DataRange[];
}

/** Undefined if the data is not JSON. Without data, every value is missing. */
export function compareWithData(call: TemplateCall): TemplateComparison | undefined {
  const data = dataOf(call.data);
  if (data === undefined) return undefined;
  const found = usesOf(call, data.value);
  return { missing: missingOf(found.uses, data.value), unused: unusedOf(found, call.data, data.start) };
}

/** Adds an empty value to the data for each missing value. */
export function addMissing(data: string, missing: readonly MissingTemplateValue[]): string {
  const start = dataOf(data)?.start ?? [];
  const below = missing.filter(({ path }) => startsWith(path, start));
  return addEmptyValues(
    data,
    below.map(({ path }) => path.slice(start.length)),
  );
}

/** A top-level list is available as `data` (docs/templates.md). */
function dataOf(text: string): { readonly value: unknown; readonly start: Path } | undefined {
  if (text.trim() === '') return { value: {}, start: [] };
  try {
    const value = JSON.parse(text) as unknown;
    const isNamed = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isNamed ? { value, start: [] } : { value: { data: value }, start: ['data'] };
  } catch {
    return undefined;
  }
}

function usesOf({ template, engine = 'auto', markers = 'standard' }: TemplateCall, data: unknown): Uses {
  const looksLikeJinja = markers !== 'standard' || /\{%[-+]?\s*[a-z]/i.test(template);
  const isJinja = engine === 'jinja' || (engine === 'auto' && looksLikeJinja);
  return isJinja ? jinjaUses(template, { data, markers }) : handlebarsUses(template, data);
}

function missingOf(uses: readonly Use[], data: unknown): MissingTemplateValue[] {
  const found = new Map<string, { path: Path; ranges: DataRange[] }>();
  for (const use of uses) {
    const { path, needed, from, to } = use;
    const absent = absentFrom(data, path);
    if (!needed || absent === undefined || conditionsOf(use).some((steps) => steps >= absent)) continue;
    const name = pathText(path);
    const known = found.get(name) ?? { path, ranges: [] };
    known.ranges.push({ from, to });
    found.set(name, known);
  }
  const all = [...found].map(([name, more]) => ({ name, ...more }));
  // `items` is redundant if `items[].price` is missing.
  return all.filter(
    ({ path }) => !all.some((other) => other.path.length > path.length && startsWith(other.path, path)),
  );
}

/** The number of path steps that must exist for the use to be reached. */
function conditionsOf({ tested, enclosing = [] }: Use): number[] {
  return [...tested, ...enclosing.filter(({ needed }) => !needed).map(({ path }) => path.length)];
}

/** The number of steps to the first missing value; undefined if the whole path exists. */
function absentFrom(value: unknown, path: Path, done = 0): number | undefined {
  const step = path[done];
  if (step === undefined) return undefined;
  const isList = typeof value === 'object' && value !== null;
  if (step === member) {
    // The service reports null or text in place of a list; an empty list has no members with missing values.
    const members = isList ? Object.values(value) : value === undefined ? [undefined] : [];
    return members.map((inner) => absentFrom(inner, path, done + 1)).find((steps) => steps !== undefined);
  }
  if (typeof value === 'string' && step === 'length') return undefined;
  if (!isList || !Object.hasOwn(value, step)) return done + 1;
  return absentFrom((value as Readonly<Record<string, unknown>>)[step], path, done + 1);
}

function unusedOf({ uses, unresolved }: Uses, text: string, start: Path): DataRange[] {
  if (uses.length === 0 || text.trim() === '') return [];
  // For the marks, `items.0` uses every member.
  const paths = uses.map(({ path, usesChildren }) => ({
    path: path.map((step) => (/^\d+$/.test(step) ? member : step)),
    whole: usesChildren,
  }));
  const usageOf = (path: Path) => {
    if (paths.some(({ path: asked, whole }) => whole && startsWith(path, asked))) return 'whole';
    if (unresolved.has(path.at(-1) ?? '')) return 'whole';
    return paths.some(({ path: asked }) => startsWith(asked, path)) ? 'part' : 'no';
  };
  return unusedIn(text, { start, usageOf: usageOf });
}
