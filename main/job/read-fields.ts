/** Reads the fields and files of a form into option values, each with the kind of its row in the table. */
import { mask, withoutUserInfo } from '../log/masking.ts';
import { maxLengths } from '../fields/kinds.ts';
import { nearestName } from '../fields/nearest.ts';
import { isStoredText, type Upload } from './option-kinds.ts';
import type { RawValue } from './job.ts';
import { optionNames, table, type OptionName, type OptionRow } from './options.ts';
import { shortened, type Problem, Failure } from '../failure/failure.ts';

/** A received form, with the names that the client sent. */
export interface Form {
  readonly fields: readonly ReceivedField[];
  readonly files: readonly { readonly name: string; readonly upload: Upload }[];
}

export interface ReceivedField {
  readonly name: string;
  readonly value: string;
}

export type Values = Partial<Record<OptionName, unknown>>;

/** The values of absent options. */
export const defaults: Readonly<Values> = {
  ...Object.fromEntries(optionNames.map((name) => [name, undefined])),
  ...readDefaults((row) => row.default),
};

/** The values of absent options with `--alias pdfcrowd`, where they differ from `defaults`. */
export const pdfcrowdDefaults: Readonly<Values> = readDefaults((row) => row.pdfcrowdDefault);

function readDefaults(defaultText: (row: OptionRow) => string | undefined): Values {
  const entries = optionNames.flatMap((name) => {
    const text = defaultText(table[name]);
    return text === undefined ? [] : [[name, table[name].kind.read(text)]];
  });
  return Object.fromEntries(entries) as Values;
}

const optionsByName: ReadonlyMap<string, OptionName> = new Map(
  optionNames.flatMap((name) => {
    const row: OptionRow = table[name];
    return [name, ...(row.aliases ?? [])].map((alias) => [alias, name] as const);
  }),
);

export interface FieldsRead {
  readonly values: Values;
  readonly givenOptions: Set<OptionName>;
  readonly rawValues: Map<OptionName, readonly RawValue[]>;
  /** Options that were sent under an alias, by alias. */
  readonly aliasesUsed: ReadonlyMap<string, OptionName>;
}

/** Reads all fields and files. Adds invalid fields to `problems`. */
export function readFields(form: Form, problems: Problem[]): FieldsRead {
  const values: Values = {};
  const givenOptions = new Set<OptionName>();
  const rawValues = new Map<OptionName, RawValue[]>();
  const lists = new Map<OptionName, unknown[]>();
  const aliasesUsed = new Map<string, OptionName>();
  const parts = [
    ...form.fields.map(({ name, value }) => ({
      name,
      value,
      read: (option: OptionName) => readText(option, value),
    })),
    ...form.files.map(({ name, upload }) => ({
      name,
      value: upload,
      read: (option: OptionName) => readUpload(option, upload),
    })),
  ];
  for (const part of parts) {
    const option = optionNamed(part.name);
    const result =
      option === undefined ? unknownName(part.name, problems.length < maxSuggestions) : part.read(option);
    if ('kind' in result) problems.push(result);
    else if (option !== undefined && (result.value !== undefined || keepsEmptyFields(option))) {
      const { isRepeatable = false, aliases = [] }: OptionRow = table[option];
      if (givenOptions.has(option) && !isRepeatable) problems.push(givenTwice(option));
      givenOptions.add(option);
      values[option] = isRepeatable ? added(lists, option, result.value) : result.value;
      added(rawValues, option, part.value);
      if (aliases.includes(part.name)) aliasesUsed.set(part.name, option);
    }
  }
  for (const option of givenOptions) trimList(option, { values, givenOptions, rawValues });
  return { values, givenOptions, rawValues, aliasesUsed };
}

/** Adds the value to the list of the option, and returns the list. */
function added<T>(lists: Map<OptionName, T[]>, option: OptionName, value: T): T[] {
  const list = lists.get(option) ?? [];
  list.push(value);
  lists.set(option, list);
  return list;
}

/** Removes the empty fields at the end of a list, and a list of empty fields. */
function trimList(
  option: OptionName,
  { values, givenOptions, rawValues }: Pick<FieldsRead, 'values' | 'givenOptions' | 'rawValues'>,
): void {
  if (!keepsEmptyFields(option)) return;
  const list = listIn(values[option]);
  const length = list.findLastIndex((value) => value !== undefined) + 1;
  values[option] = list.slice(0, length);
  rawValues.set(option, rawValues.get(option)?.slice(0, length) ?? []);
  if (length > 0) return;
  givenOptions.delete(option);
  rawValues.delete(option);
  values[option] = undefined;
}

/** The end of the names of repeated fields as PHP and Ruby on Rails send them: `attachment[]`, `attachment[0]`. */
const listIndex = /\[\d{0,3}\]$/;

/** Returns the option with a name in a form; undefined if there is none. */
export function optionNamed(name: string): OptionName | undefined {
  const option = optionsByName.get(name.replace(listIndex, ''));
  const row: OptionRow | undefined = option && table[option];
  return row?.isRepeatable === true ? option : optionsByName.get(name);
}

/** Returns whether an empty field counts: in a list it keeps the place of a value. Otherwise it is treated as absent. */
function keepsEmptyFields(name: OptionName): boolean {
  const row: OptionRow = table[name];
  return row.isRepeatable === true && !isFileOption(row);
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

type FieldResult = { readonly value: unknown } | Problem;

/** Reads a text field. The value of an empty field is undefined. */
function readText(name: OptionName, value: string): FieldResult {
  const row: OptionRow = table[name];
  if (value === '') return { value: undefined };
  if (isFileOption(row)) {
    return {
      kind: 'bodyFormat',
      message: `${name} must be a file part (with a filename) of a multipart/form-data body, not a plain field (with curl: -F '${name}=@path')`,
    };
  }
  const optionValue = row.kind.read(value);
  return optionValue === undefined ? notAllowed(name, value, row) : { value: optionValue };
}

/** Returns whether the value of an option is a file part. */
export function isFileOption({ kind }: Pick<OptionRow, 'kind'>): boolean {
  return kind === table.file.kind;
}

function readUpload(name: OptionName, upload: Upload): FieldResult {
  const row: OptionRow = table[name];
  if (isFileOption(row) || (isStoredText(upload) && row.content === true)) return { value: upload };
  return {
    kind: 'bodyFormat',
    message: `${name} must be a plain field, not a file part (with curl: -F '${name}=<file' instead of '@file')`,
  };
}

function notAllowed(name: OptionName, value: string, row: OptionRow): Problem {
  const shownValue = row.secret ? mask : shortened(withoutUserInfo(value));
  const reason = row.kind.explain?.(value);
  const because = reason === undefined ? '' : `, because ${shortened(reason)}`;
  return {
    kind: 'valueNotAllowed',
    message: `the value '${shownValue}' of ${name} is not allowed${because}; allowed: ${row.kind.allowed}`,
  };
}

/** Further unknown names are reported without a suggestion, because each comparison with all options takes half a millisecond. */
const maxSuggestions = 20;

function unknownName(name: string, suggests: boolean): Problem {
  const suggestion = suggests ? nearestName(name, [...optionsByName.keys()]) : undefined;
  const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
  return { kind: 'unknownParameter', message: `'${shortened(name)}' is not a known parameter${hint}` };
}

function givenTwice(name: OptionName): Problem {
  return { kind: 'valueNotAllowed', message: `${name} was given more than once; send it once` };
}

// Limits of what is read in a form: masking, recording and parsing megabytes of cookies would block the event loop.

interface CheckedForm {
  /** The form without the values that are not read. */
  readonly form: Form;
  /** The failure for the first value that is too long. */
  readonly problem?: Failure;
}

/**
 * Removes the values that are too long to be read, and those of an option that was already given twice: the second one is kept, so
 * that it is reported.
 */
export function dropExcessiveValues(form: Form): CheckedForm {
  const counts = new Map<OptionName, number>();
  const fields: ReceivedField[] = [];
  let tooLong: OptionName | undefined;
  for (const field of form.fields) {
    const option = optionNamed(field.name);
    const isTooLong = field.value.length > maxLengthOf(option);
    // A field with an unknown name is kept without its value, so that the name is reported as unknown.
    if (option === undefined) fields.push(isTooLong ? { name: field.name, value: '' } : field);
    else if (isTooLong) tooLong ??= option;
    else {
      const count = (counts.get(option) ?? 0) + 1;
      counts.set(option, count);
      const { isRepeatable = false }: OptionRow = table[option];
      if (count <= 2 || isRepeatable) fields.push(field);
    }
  }
  const checked = { form: { ...form, fields } };
  if (tooLong === undefined) return checked;
  const message = `The value of ${tooLong} is longer than the limit of ${maxLengthOf(tooLong).toLocaleString('en')} characters. Send a shorter value.`;
  return { ...checked, problem: new Failure('valueNotAllowed', message) };
}

/** Returns the length limit of an option's value, or of the value of a field that is not an option. */
function maxLengthOf(option: OptionName | undefined): number {
  if (option === undefined) return maxLengths.address;
  const { kind }: OptionRow = table[option];
  return kind.maxLength ?? Infinity;
}
