/** How long the values of a form may be: reading one of megabytes as a page range or a cookie would hold up all others. */
import { Failure } from '../failure/failure.ts';
import { table, type OptionName, type OptionRow } from './options.ts';
import type { Form } from './read-fields.ts';

/** Characters. What is a document, data or a program has no limit but the request's. */
const mostOfOthers = 100_000;
/** As its file. */
const mostOf: Partial<Record<OptionName, number>> = { conversion_config: 1_000_000 };

export interface Sized {
  /** Without the values that are too long. */
  readonly form: Form;
  /** Names the first of them. */
  readonly problem?: Failure;
}

export function withoutLongValues(form: Form): Sized {
  const isLong = ({ name, value }: Form['fields'][number]) => value.length > mostFor(name);
  const long = form.fields.filter(isLong).map(({ name }) => name);
  if (long.length === 0) return { form };
  // An unknown name is refused as that, whatever its value is.
  const kept = form.fields.flatMap((field) =>
    isLong(field) ? (isOption(field.name) ? [] : [{ name: field.name, value: '' }]) : [field],
  );
  const known = long.find(isOption);
  const sized = { form: { ...form, fields: kept } };
  if (known === undefined) return sized;
  const sentence = `The value of ${known} is longer than ${mostFor(known).toLocaleString('en')} characters, the limit.`;
  return { ...sized, problem: new Failure('valueNotAllowed', sentence) };
}

function isOption(name: string): name is OptionName {
  return Object.hasOwn(table, name);
}

function mostFor(name: string): number {
  if (!isOption(name)) return mostOfOthers;
  const row: OptionRow = table[name];
  return row.content === true ? Infinity : (mostOf[name] ?? mostOfOthers);
}
