/** Reads the options and the input of a job from a form, or throws one Failure that names every problem. */
import type { FailureKind } from '../failure/catalogue.ts';
import { Failure, shortened, type Problem } from '../failure/failure.ts';
import { maxLengths } from '../fields/kinds.ts';
import { webAddressIn } from '../fields/parsed-url.ts';
import { withoutUserInfo } from '../log/masking.ts';
import type { Input, Job, JobNote } from './job.ts';
import { table, type OptionName, type OptionRow, type Options } from './options.ts';
import { defaults, readFields, pdfcrowdDefaults, type FieldsRead, type Form } from './read-fields.ts';
import { ruleProblems, type JobLimits } from './rules.ts';
import { readFile } from 'node:fs/promises';

/** Kinds of problems, the most severe first. The most severe problem determines the code of the Failure. */
const severityOrder: readonly FailureKind[] = [
  'bodyFormat',
  'unknownParameter',
  'noInput',
  'urlInvalid',
  'valueNotAllowed',
];

/** The part of a job that the form determines. */
export type ParsedJob = Pick<Job, 'input' | 'options' | 'givenOptions' | 'rawValues' | 'notes'>;

/** @throws Failure with all problems in one message. */
export function readJob(form: Form, limits: JobLimits): ParsedJob {
  const problems: Problem[] = [];
  const fields = readFields(form, problems);
  const { values, givenOptions, rawValues } = fields;
  const compatibilityNotes = [...aliasNotes(fields), ...translateOlderOptions(fields)];
  const options = {
    ...defaults,
    ...(limits.isPdfcrowdAlias === true && pdfcrowdDefaults),
    ...values,
  } as Options;
  const input = readInput(options, problems);
  problems.push(...ruleProblems(options, givenOptions, limits));
  if (input === undefined || problems.length > 0) throw toFailure(problems);
  return {
    input,
    options,
    givenOptions,
    rawValues,
    notes: [...compatibilityNotes, ...optionNotes(options, givenOptions)],
  };
}

/** Returns the input. Of several inputs, which reused client objects send, file takes precedence over url, and url over text. */
function readInput(options: Options, problems: Problem[]): Input | undefined {
  if (options.file !== undefined) return { kind: 'file', upload: options.file };
  if (options.url !== undefined) return readUrl(options.url, problems);
  if (options.text !== undefined) return { kind: 'text', html: options.text };
  if (!problems.some((problem) => problem.kind === 'bodyFormat')) {
    problems.push({ kind: 'noInput', message: 'no input was given; send one of url, file or text' });
  }
  return undefined;
}

function readUrl(value: string, problems: Problem[]): Input | undefined {
  const url = webAddressIn(value);
  if (url !== undefined) return { kind: 'url', url };
  const message = `the value '${shortened(withoutUserInfo(value))}' of url is not a complete http:// or https:// address`;
  problems.push({ kind: 'urlInvalid', message });
  return undefined;
}

/** Options that exclude each other. If both are given, the winner is used. */
const precedence: readonly (readonly [winner: OptionName, loser: OptionName])[] = [
  ['header_html', 'header_url'],
  ['footer_html', 'footer_url'],
  ['header_html', 'zip_header_filename'],
  ['footer_html', 'zip_footer_filename'],
  ['header_url', 'zip_header_filename'],
  ['footer_url', 'zip_footer_filename'],
  ['page_watermark', 'page_watermark_url'],
  ['multipage_watermark', 'multipage_watermark_url'],
  ['page_background', 'page_background_url'],
  ['multipage_background', 'multipage_background_url'],
  ['conversion_config', 'conversion_config_file'],
  ['data_file', 'data_string'],
];

function aliasNotes({ aliasesUsed }: Pick<FieldsRead, 'aliasesUsed'>): JobNote[] {
  return [...aliasesUsed].map(([alias, name]) => ({
    text: `${alias} is an alias and was read as ${name}`,
    code: 'older-option',
    options: [name],
  }));
}

function optionNotes(options: Options, givenOptions: ReadonlySet<OptionName>): JobNote[] {
  const inputs = (['file', 'url', 'text'] as const).filter((name) => options[name] !== undefined);
  const [used] = inputs;
  const ignored = [
    ...inputs.slice(1).map((name) => [used ?? name, name] as const),
    ...precedence.filter(([winner, loser]) => givenOptions.has(winner) && givenOptions.has(loser)),
  ];
  return [
    ...ignored.map(([winner, loser]): JobNote => ({
      text: `${loser} was ignored, because ${winner} was given too`,
      code: 'ignored-input',
      options: [loser],
    })),
    ...[...givenOptions].flatMap((name) => [
      ...noEffectNotes(name, options),
      ...unsignedNotes(name, options),
      ...fileNameNotes(name, options),
    ]),
  ];
}

function noEffectNotes(name: OptionName, { output_format }: Options): JobNote[] {
  const row: OptionRow = table[name];
  const otherFormat = output_format === 'pdf' ? 'image' : 'pdf';
  const texts = [
    ...(row.output === otherFormat ? [`${name} has no effect on output_format=${output_format}`] : []),
    ...(row.noEffectReason === undefined ? [] : [`${name} has no effect: ${row.noEffectReason}`]),
  ];
  return texts.map((text) => ({ text, code: 'option-without-effect', options: [name] }));
}

function unsignedNotes(name: OptionName, { sign }: Options): JobNote[] {
  if (sign || !name.startsWith('signature_')) return [];
  return [
    { text: `${name} has no effect without sign=true`, code: 'option-without-effect', options: [name] },
  ];
}

/** Returns a note for a common mistake with curl: `-F name=page.html` sends the file name instead of the content. */
function fileNameNotes(name: OptionName, options: Options): JobNote[] {
  const row: OptionRow = table[name];
  const value: unknown = options[name];
  if (row.content !== true || typeof value !== 'string' || !looksLikeFileName.test(value)) return [];
  const text = `${name} is '${value}', which looks like a file name; send the content of the file (with curl: -F '${name}=<${value}')`;
  return [{ text, code: 'name-as-content', options: [name] }];
}

const looksLikeFileName = /^[^\s<>{}()'";]{1,100}\.(x?html?|css|m?js|json|xml|csv|ya?ml)$/i;

/** The message is also stored in the record of the job. */
const maxNamedProblems = 20;

function toFailure(problems: readonly Problem[]): Failure {
  const ranked = [...problems].sort(
    (left, right) => severityOrder.indexOf(left.kind) - severityOrder.indexOf(right.kind),
  );
  const named = ranked.slice(0, maxNamedProblems).map(({ message }) => message);
  const others = ranked.length - named.length;
  const message = [...named, ...(others > 0 ? [`${others} more problems`] : [])].join('; also, ');
  return new Failure(
    ranked[0]?.kind ?? 'noInput',
    `${message.replace(/^(the|no)\b/, capitalize)}${message.endsWith('?') ? '' : '.'}`,
  );
}

function capitalize(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

// Options of earlier API versions that clients still send, translated to current options.

const fitModes: Readonly<Record<string, string>> = {
  default: 'auto',
  disabled: 'no-scaling',
  'viewport-fit': 'viewport-width',
  'content-fit': 'content-width',
  'single-page-fit': 'single-page',
  'single-page-fit-ex': 'single-page-ratio',
  mode1: 'smart-scaling',
};

interface Translation {
  readonly older: OptionName;
  readonly current: OptionName;
  readonly translate: (olderValue: unknown) => string | number | undefined;
}

const translations: readonly Translation[] = [
  { older: 'viewport_width', current: 'content_viewport_width', translate: (pixels) => Number(pixels) },
  { older: 'viewport_height', current: 'content_viewport_height', translate: (pixels) => Number(pixels) },
  {
    older: 'smart_scaling_mode',
    current: 'content_fit_mode',
    translate: (mode) => fitModes[String(mode)],
  },
  {
    older: 'use_mobile_user_agent',
    current: 'converter_user_agent',
    translate: (mobile) => (mobile === true ? 'latest-chrome-mobile' : undefined),
  },
];

/** Sets the current option for each older option, unless the request contains both. Returns a note for each older option. */
function translateOlderOptions({
  values,
  givenOptions,
  rawValues,
}: Pick<FieldsRead, 'values' | 'givenOptions' | 'rawValues'>): JobNote[] {
  return translations.flatMap(({ older, current, translate }) => {
    if (!givenOptions.has(older)) return [];
    if (givenOptions.has(current)) return [ignoredNote(older, current)];
    const currentValue = translate(values[older]);
    if (currentValue === undefined) return [];
    values[current] = currentValue;
    givenOptions.add(current);
    rawValues.set(current, [String(currentValue)]);
    const text = `${older} is an older option and was read as ${current}=${String(currentValue)}`;
    return [{ text, code: 'older-option', options: [current] }];
  });
}

function ignoredNote(older: OptionName, current: OptionName): JobNote {
  const text = `${older} was ignored, because ${current}, its current name, was given too`;
  return { text, code: 'ignored-input', options: [older] };
}

/**
 * Returns the form with the file conversion_config_file replaced with a field conversion_config that contains the file's text.
 * @throws Failure valueNotAllowed for a file that is larger than the field may be
 */
export async function inlineConfigFile(form: Form): Promise<Form> {
  const part = form.files.find(({ name }) => name === 'conversion_config_file');
  if (part === undefined || form.fields.some(({ name }) => name === 'conversion_config')) return form;
  const { path, size } = part.upload;
  if (size > maxLengths.config) {
    const limit = maxLengths.config.toLocaleString('en');
    const message = `The file conversion_config_file is larger than the limit of ${limit} bytes. Send a smaller file.`;
    throw new Failure('valueNotAllowed', message);
  }
  const value = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
  const files = form.files.filter((file) => file !== part);
  return { files, fields: [...form.fields, { name: 'conversion_config', value }] };
}
