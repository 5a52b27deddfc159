/** Compares a template with its data: finds missing and unused values. */
import { handlebarsUses } from './handlebars-uses.ts';
import { jinjaUses } from './jinja-uses.ts';
import type { Markers } from './jinja-tokens.ts';
import { unusedIn, addEmptyValues, type DataRange } from './json-data.ts';
import { member, startsWith, pathText, type Path, type Use, type Uses } from './uses.ts';

interface TemplateCall {
  readonly template: string;
  /** The data as JSON text. */
  readonly data: string;
  /** The value of the option template_engine. If `auto` or absent, the engine is detected as in the service. */
  readonly engine?: 'auto' | 'handlebars' | 'jinja' | undefined;
  readonly markers?: Markers | undefined;
}

interface TemplateComparison {
  /** Values that the template needs and the data lacks, in the order of the template. */
  readonly missing: readonly MissingTemplateValue[];
  /** Ranges of the data that the template does not use. */
  readonly unused: readonly DataRange[];
}

interface MissingTemplateValue {
  /** The path as text, such as `items[].price`. */
  readonly name: string;
  readonly path: Path;
  /** The ranges of the template that use the value. */
  readonly ranges: readonly DataRange[];
}

/** Compares a template with its data. Returns undefined if the data is not JSON. Without data, every value is missing. */
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

/**
 * Parses the data; undefined if it is not JSON. The template can refer to a top-level list, text or number as `data`
 * (docs/templates.md).
 */
function dataOf(text: string): { readonly value: unknown; readonly start: Path } | undefined {
  if (text.trim() === '') return { value: {}, start: [] };
  try {
    const value = JSON.parse(text) as unknown;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? { value, start: [] } : { value: { data: value }, start: ['data'] };
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

/** Returns, for each condition around the use, the number of path steps that must exist for the use to be reached. */
function conditionsOf({ testedSteps, enclosing = [] }: Use): number[] {
  return [...testedSteps, ...enclosing.filter(({ needed }) => !needed).map(({ path }) => path.length)];
}

/** Returns the number of path steps up to and including the first step without a value; undefined if the whole path exists. */
function absentFrom(value: unknown, path: Path, done = 0): number | undefined {
  const step = path[done];
  if (step === undefined) return undefined;
  const isContainer = typeof value === 'object' && value !== null;
  if (step === member) {
    // null or text in place of a list is an error that the service reports. An empty list has no members that lack values.
    const members = isContainer ? Object.values(value) : value === undefined ? [undefined] : [];
    return members.map((inner) => absentFrom(inner, path, done + 1)).find((steps) => steps !== undefined);
  }
  if (typeof value === 'string' && step === 'length') return undefined;
  if (!isContainer || !Object.hasOwn(value, step)) return done + 1;
  return absentFrom((value as Readonly<Record<string, unknown>>)[step], path, done + 1);
}

function unusedOf({ uses, unresolved }: Uses, text: string, start: Path): DataRange[] {
  if (uses.length === 0 || text.trim() === '') return [];
  // The marks do not distinguish between the members of a list, so `items.0` counts as a use of every member.
  const paths = uses.map(({ path, usesChildren }) => ({
    path: path.map((step) => (/^\d+$/.test(step) ? member : step)),
    whole: usesChildren,
  }));
  const usageOf = (path: Path) => {
    if (paths.some(({ path: used, whole }) => whole && startsWith(path, used))) return 'whole';
    if (unresolved.has(path.at(-1) ?? '')) return 'whole';
    return paths.some(({ path: used }) => startsWith(used, path)) ? 'part' : 'no';
  };
  return unusedIn(text, { start, usageOf });
}
