/** Fields and files of a form -> values of options, each read by its row of the table. */
import { mask, withoutUserInfo } from '../fields/masked.ts';
import { nearest } from '../fields/nearest.ts';
import { isStored, type Upload } from './option-kinds.ts';
import { optionNames, table, type OptionName, type OptionRow } from './options.ts';
import { shortened, type Problem } from './problem.ts';

/** A received form, names as the client sent them. */
export interface Form {
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  readonly files: readonly { readonly name: string; readonly upload: Upload }[];
}

export type Values = Partial<Record<OptionName, unknown>>;

/** What absent options mean. */
export const defaults: Readonly<Values> = {
  ...Object.fromEntries(optionNames.map((name) => [name, undefined])),
  ...defaultsBy((row) => row.default),
};

/** What absent options mean to programs written for the public twin, where that is something else. */
export const twinDefaults: Readonly<Values> = defaultsBy((row) => row.twinDefault);

function defaultsBy(written: (row: OptionRow) => string | undefined): Values {
  const entries = optionNames.flatMap((name) => {
    const text = written(table[name]);
    return text === undefined ? [] : [[name, table[name].kind.read(text)]];
  });
  return Object.fromEntries(entries) as Values;
}

const namesAndAliases: ReadonlyMap<string, OptionName> = new Map(
  optionNames.flatMap((name) => {
    const row: OptionRow = table[name];
    return [name, ...(row.aliases ?? [])].map((alias) => [alias, name] as const);
  }),
);

export interface FieldsRead {
  readonly values: Values;
  readonly given: Set<OptionName>;
  readonly written: Map<OptionName, string | Upload>;
  /** Options that came under another of their names, by that. */
  readonly renamed: ReadonlyMap<string, OptionName>;
}

export function readFields(form: Form, problems: Problem[]): FieldsRead {
  const values: Values = {};
  const given = new Set<OptionName>();
  const written = new Map<OptionName, string | Upload>();
  const renamed = new Map<string, OptionName>();
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
    const option = namesAndAliases.get(part.name);
    const reading = option === undefined ? unknownName(part.name) : part.read(option);
    if ('kind' in reading) problems.push(reading);
    else if (option !== undefined && reading.value !== undefined) {
      if (given.has(option)) problems.push(givenTwice(option));
      given.add(option);
      values[option] = reading.value;
      written.set(option, part.value);
      if (part.name !== option) renamed.set(part.name, option);
    }
  }
  return { values, given, written, renamed };
}

type Reading = { readonly value: unknown } | Problem;

/** An empty value is as if the field were absent. */
function readText(name: OptionName, value: string): Reading {
  const row: OptionRow = table[name];
  if (value === '') return { value: undefined };
  if (row.kind === table.file.kind) {
    return {
      kind: 'bodyFormat',
      sentence: `${name} must be a file part (with a filename) of a multipart/form-data body, not a plain field (with curl: -F '${name}=@path')`,
    };
  }
  const read = row.kind.read(value);
  return read === undefined ? notAllowed(name, value, row) : { value: read };
}

function readUpload(name: OptionName, upload: Upload): Reading {
  const row: OptionRow = table[name];
  if (row.kind === table.file.kind || (isStored(upload) && row.content === true)) return { value: upload };
  return {
    kind: 'bodyFormat',
    sentence: `${name} must be a plain field, not a file part (with curl: -F '${name}=<file' instead of '@file')`,
  };
}

function notAllowed(name: OptionName, value: string, row: OptionRow): Problem {
  const shown = row.secret ? mask : shortened(withoutUserInfo(value));
  const why = row.kind.why?.(value);
  const because = why === undefined ? '' : `, because ${shortened(why)}`;
  return {
    kind: 'valueNotAllowed',
    sentence: `the value '${shown}' of ${name} is not allowed${because}; allowed: ${row.kind.allowed}`,
  };
}

function unknownName(name: string): Problem {
  const meant = nearest(name, [...namesAndAliases.keys()]);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  return { kind: 'unknownParameter', sentence: `'${shortened(name)}' is not a known parameter${hint}` };
}

function givenTwice(name: OptionName): Problem {
  return { kind: 'valueNotAllowed', sentence: `${name} was given more than once; give it once` };
}
