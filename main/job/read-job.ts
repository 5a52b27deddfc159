/**
 * Fields and files of a form -> options and input, or one Failure that names every problem.
 * It knows the table and nothing about HTTP.
 */
import type { FailureKind } from '../failure/catalogue.ts';
import { Failure } from '../failure/failure.ts';
import { nearest } from '../fields/nearest.ts';
import type { Input, Job } from './job.ts';
import type { Upload } from './option-kinds.ts';
import { optionNames, table, type OptionName, type OptionRow, type Options } from './options.ts';
import { brokenRules, type Limits } from './rules.ts';

/** A received form, names as the client sent them. */
export interface Form {
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  readonly files: readonly { readonly name: string; readonly upload: Upload }[];
}

/** Something wrong with the request; of several, the first in this order of kinds gives the answer its number. */
export interface Problem {
  readonly kind: FailureKind;
  readonly sentence: string;
}

const gravity: readonly FailureKind[] = [
  'bodyFormat',
  'unknownParameter',
  'noInput',
  'urlInvalid',
  'valueNotAllowed',
];

type Values = Partial<Record<OptionName, unknown>>;

/**
 * Reads a form.
 * @throws Failure with all problems in one message.
 */
export function readJob(form: Form, limits: Limits): Pick<Job, 'input' | 'options' | 'given' | 'notes'> {
  const problems: Problem[] = [];
  const { values, given } = readFields(form, problems);
  const options = { ...defaults, ...values } as Options;
  const input = readInput(options, problems);
  problems.push(...brokenRules(options, given, limits));
  if (input === undefined || problems.length > 0) throw summed(problems);
  return { input, options, given, notes: notesOn(options, given) };
}

/** What absent options mean. */
export const defaults: Readonly<Values> = Object.fromEntries(
  optionNames.map((name) => {
    const row: OptionRow = table[name];
    return [name, row.default === undefined ? undefined : row.kind.read(row.default)];
  }),
);

const namesAndAliases: ReadonlyMap<string, OptionName> = new Map(
  optionNames.flatMap((name) => {
    const row: OptionRow = table[name];
    return [name, ...(row.aliases ?? [])].map((alias) => [alias, name] as const);
  }),
);

function readFields(form: Form, problems: Problem[]): { values: Values; given: Set<OptionName> } {
  const values: Values = {};
  const given = new Set<OptionName>();
  const parts = [
    ...form.fields.map(({ name, value }) => ({
      name,
      read: (option: OptionName) => readText(option, value),
    })),
    ...form.files.map(({ name, upload }) => ({
      name,
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
    }
  }
  return { values, given };
}

type Reading = { readonly value: unknown } | Problem;

/** An empty value is as if the field were absent. */
function readText(name: OptionName, value: string): Reading {
  const row: OptionRow = table[name];
  if (value === '') return { value: undefined };
  if (row.kind === table.file.kind) {
    return {
      kind: 'bodyFormat',
      sentence: `${name} must be a file part (with a filename) of a multipart/form-data body, not a plain field`,
    };
  }
  const read = row.kind.read(value);
  return read === undefined ? notAllowed(name, value, row) : { value: read };
}

function readUpload(name: OptionName, upload: Upload): Reading {
  const row: OptionRow = table[name];
  if (row.kind === table.file.kind) return { value: upload };
  return {
    kind: 'bodyFormat',
    sentence: `${name} must be a plain field, not a file part (with curl: -F '${name}=<file' instead of '@file')`,
  };
}

function notAllowed(name: OptionName, value: string, row: OptionRow): Problem {
  const shown = row.secret ? '***' : shortened(value);
  return {
    kind: 'valueNotAllowed',
    sentence: `the value '${shown}' of ${name} is not allowed; allowed: ${row.kind.allowed}`,
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

/** Several inputs are no error (a re-used client object keeps earlier ones): file beats url beats text. */
function readInput(options: Options, problems: Problem[]): Input | undefined {
  if (options.file !== undefined) return { kind: 'file', upload: options.file };
  if (options.url !== undefined) return readUrl(options.url, problems);
  if (options.text !== undefined) return { kind: 'text', html: options.text };
  if (!problems.some((problem) => problem.kind === 'bodyFormat')) {
    problems.push({ kind: 'noInput', sentence: 'no input was given; send one of url, file or text' });
  }
  return undefined;
}

function readUrl(value: string, problems: Problem[]): Input | undefined {
  if (/^\s*https?:\/\//i.test(value) && URL.canParse(value)) return { kind: 'url', url: new URL(value) };
  const sentence = `the value '${shortened(value)}' of url is not a complete http:// or https:// address`;
  problems.push({ kind: 'urlInvalid', sentence });
  return undefined;
}

function notesOn(options: Options, given: ReadonlySet<OptionName>): string[] {
  const inputs = (['file', 'url', 'text'] as const).filter((name) => options[name] !== undefined);
  const ignored = inputs
    .slice(1)
    .map((name) => `${name} was ignored, because ${inputs[0] ?? ''} was given too`);
  const other = options.output_format === 'pdf' ? 'image' : 'pdf';
  const idle = [...given].filter((name) => table[name].output === other);
  return [
    ...ignored,
    ...idle.map((name) => `${name} has no effect on output_format=${options.output_format}`),
  ];
}

function summed(problems: readonly Problem[]): Failure {
  const ranked = [...problems].sort((one, other) => gravity.indexOf(one.kind) - gravity.indexOf(other.kind));
  const message = ranked.map(({ sentence }) => sentence).join('; also, ');
  return new Failure(ranked[0]?.kind ?? 'noInput', `${message.replace(/^(the|no)\b/, capitalised)}.`);
}

function capitalised(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

function shortened(value: string): string {
  const line = value.replace(/\s+/g, ' ').trim();
  // By code points: half of a surrogate pair is no text.
  const points = Array.from(line.slice(0, 200));
  return points.length > 80 ? `${points.slice(0, 77).join('')}...` : points.join('');
}
