/** What the record of jobs keeps of a form: the options as they were given, without secrets and contents. */
import type { JobFacts } from '../accounts/job-entry.ts';
import { optionNames, table, type OptionName, type OptionRow } from '../job/options.ts';
import type { Upload } from '../job/option-kinds.ts';
import type { Form } from '../job/read-fields.ts';
import { shownValue } from './job-log.ts';

/** Returns what the record keeps of a form, which may be invalid. `masked` replaces secrets in a text. */
export function factsOfForm(
  form: Form,
  masked: (text: string) => string,
): Pick<JobFacts, 'input' | 'input_bytes' | 'output_format' | 'parameters'> {
  const given = givenIn(form);
  return {
    ...inputOf(given),
    output_format: outputFormatOf(given),
    parameters: JSON.stringify(shortened(parametersOf(form, masked))),
  };
}

/** Returns the given options by name. Omits unknown names, because the value may be a secret under a misspelt name. */
export function parametersOf(form: Form, masked: (text: string) => string): Parameters {
  const shown = [...givenIn(form)].map(([name, value]) => [name, masked(shownValue(table[name], value))]);
  return Object.fromEntries(shown) as Parameters;
}

type Parameters = Readonly<Partial<Record<OptionName, string>>>;

/** Size limit of the JSON. The record keeps many thousands of jobs. */
const maxBytes = 16_000;

/** Shortens the longest values until the JSON fits. */
function shortened(parameters: Parameters): Parameters {
  const maxLength = Math.max(0, ...Object.values(parameters).map(({ length }) => length));
  let cutLength = maxLength;
  let result = parameters;
  while (cutLength > 0 && Buffer.byteLength(JSON.stringify(result)) > maxBytes) {
    cutLength = Math.floor(cutLength * 0.8);
    result = cutTo(parameters, cutLength);
  }
  return result;
}

function cutTo(parameters: Parameters, maxLength: number): Parameters {
  const cut = Object.entries(parameters).map(([name, value]) => [
    name,
    value.length > maxLength ? `${value.slice(0, maxLength)}...` : value,
  ]);
  return Object.fromEntries(cut) as Parameters;
}

type Given = ReadonlyMap<OptionName, string | Upload>;

function givenIn({ fields, files }: Form): Given {
  const written = [
    ...fields.filter(({ value }) => value !== '').map(({ name, value }) => [optionOf(name), value] as const),
    ...files.map(({ name, upload }) => [optionOf(name), upload] as const),
  ];
  return new Map(written.flatMap(([name, value]) => (name === undefined ? [] : [[name, value] as const])));
}

function optionOf(name: string): OptionName | undefined {
  return optionNames.find((option) => {
    const { aliases = [] }: OptionRow = table[option];
    return option === name || aliases.includes(name);
  });
}

/** Follows the same precedence as `readJob`: file, then url, then text. */
function inputOf(given: Given): Pick<JobFacts, 'input' | 'input_bytes'> {
  const file = given.get('file');
  const text = given.get('text');
  if (typeof file === 'object') return { input: 'file', input_bytes: file.size };
  if (given.has('url')) return { input: 'url', input_bytes: null };
  if (text === undefined) return { input: null, input_bytes: null };
  return { input: 'text', input_bytes: typeof text === 'string' ? Buffer.byteLength(text) : text.size };
}

/** Returns null for an unknown format. */
function outputFormatOf(given: Given): string | null {
  const { kind, default: defaultFormat } = table.output_format;
  const written = given.get('output_format');
  if (written === undefined) return defaultFormat;
  return (typeof written === 'string' ? kind.read(written) : undefined) ?? null;
}
