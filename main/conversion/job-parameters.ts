/** What the record keeps of a request: the options as they were written, without secrets and contents. */
import type { JobFacts } from '../accounts/job-entry.ts';
import { optionNames, table, type OptionName, type OptionRow } from '../job/options.ts';
import type { Upload } from '../job/option-kinds.ts';
import type { Form } from '../job/read-fields.ts';
import { shownValue } from './shown-options.ts';

/** Facts about a form that may turn out to be wrong; `masked` hides the values of secrets wherever they stand. */
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

/** By option. What stands under a name that is none is left out: it could be a secret with a slip in its name. */
export function parametersOf(form: Form, masked: (text: string) => string): Parameters {
  const shown = [...givenIn(form)].map(([name, value]) => [name, masked(shownValue(table[name], value))]);
  return Object.fromEntries(shown) as Parameters;
}

type Parameters = Readonly<Partial<Record<OptionName, string>>>;

/** Bytes of the JSON: the record keeps many thousands of jobs. */
const mostBytes = 16_000;

/** The longest values give way first, and more of them until all is short enough. */
function shortened(parameters: Parameters): Parameters {
  const longest = Math.max(0, ...Object.values(parameters).map(({ length }) => length));
  let [short, most] = [parameters, longest];
  while (most > 0 && Buffer.byteLength(JSON.stringify(short)) > mostBytes) {
    most = Math.floor(most * 0.8);
    short = cutTo(parameters, most);
  }
  return short;
}

function cutTo(parameters: Parameters, most: number): Parameters {
  const cut = Object.entries(parameters).map(([name, value]) => [
    name,
    value.length > most ? `${value.slice(0, most)}...` : value,
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

/** As a job is read: file beats url beats text. */
function inputOf(given: Given): Pick<JobFacts, 'input' | 'input_bytes'> {
  const [file, text] = [given.get('file'), given.get('text')];
  if (typeof file === 'object') return { input: 'file', input_bytes: file.size };
  if (given.has('url')) return { input: 'url', input_bytes: null };
  if (text === undefined) return { input: null, input_bytes: null };
  return { input: 'text', input_bytes: typeof text === 'string' ? Buffer.byteLength(text) : text.size };
}

/** Null for one that is not known. */
function outputFormatOf(given: Given): string | null {
  const { kind, default: usual } = table.output_format;
  const written = given.get('output_format');
  if (written === undefined) return usual;
  return (typeof written === 'string' ? kind.read(written) : undefined) ?? null;
}
