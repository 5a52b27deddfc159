/**
 * Fields and files of a form -> options and input, or one Failure that names every problem.
 * It knows the table and nothing about HTTP.
 */
import type { FailureKind } from '../failure/catalogue.ts';
import { Failure } from '../failure/failure.ts';
import { withoutUserInfo } from '../fields/masked.ts';
import type { Input, Job, JobNote } from './job.ts';
import { translateOlder } from './older-options.ts';
import { table, type OptionName, type OptionRow, type Options } from './options.ts';
import { shortened, type Problem } from './problem.ts';
import { defaults, readFields, twinDefaults, type FieldsRead, type Form } from './read-fields.ts';
import { brokenRules, type Limits } from './rules.ts';

const gravity: readonly FailureKind[] = [
  'bodyFormat',
  'unknownParameter',
  'noInput',
  'urlInvalid',
  'valueNotAllowed',
];

/** What a form says of a job. */
export type JobRead = Pick<Job, 'input' | 'options' | 'given' | 'written' | 'notes'>;

/**
 * Reads a form.
 * @throws Failure with all problems in one message.
 */
export function readJob(form: Form, limits: Limits): JobRead {
  const problems: Problem[] = [];
  const fields = readFields(form, problems);
  const { values, given, written } = fields;
  const older = [...renamings(fields), ...translateOlder(fields)];
  const options = { ...defaults, ...(limits.twin === true && twinDefaults), ...values } as Options;
  const input = readInput(options, problems);
  problems.push(...brokenRules(options, given, limits));
  if (input === undefined || problems.length > 0) throw summed(problems);
  return { input, options, given, written, notes: [...older, ...notesOn(options, given)] };
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
  const sentence = `the value '${shortened(withoutUserInfo(value))}' of url is not a complete http:// or https:// address`;
  problems.push({ kind: 'urlInvalid', sentence });
  return undefined;
}

/** Of two ways to say the same, the first wins. */
const beaten: readonly (readonly [winner: OptionName, loser: OptionName])[] = [
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

function renamings({ renamed }: Pick<FieldsRead, 'renamed'>): JobNote[] {
  return [...renamed].map(([alias, name]) => ({
    text: `${alias} is another name of ${name} and was read as that`,
    code: 'older-option',
    options: [name],
  }));
}

function notesOn(options: Options, given: ReadonlySet<OptionName>): JobNote[] {
  const inputs = (['file', 'url', 'text'] as const).filter((name) => options[name] !== undefined);
  const [taken] = inputs;
  const ignored = [
    ...inputs.slice(1).map((name) => [taken ?? name, name] as const),
    ...beaten.filter(([winner, loser]) => given.has(winner) && given.has(loser)),
  ];
  return [
    ...ignored.map(([winner, loser]): JobNote => ({
      text: `${loser} was ignored, because ${winner} was given too`,
      code: 'ignored-input',
      options: [loser],
    })),
    ...[...given].flatMap((name) => [...withoutEffect(name, options), ...named(name, options)]),
  ];
}

function withoutEffect(name: OptionName, { output_format }: Options): JobNote[] {
  const row: OptionRow = table[name];
  const other = output_format === 'pdf' ? 'image' : 'pdf';
  const texts = [
    ...(row.output === other ? [`${name} has no effect on output_format=${output_format}`] : []),
    ...(row.withoutEffect === undefined ? [] : [`${name} has no effect: ${row.withoutEffect}`]),
  ];
  return texts.map((text) => ({ text, code: 'option-without-effect', options: [name] }));
}

/** The slip with curl's `-F name=page.html`, which sends the name alone. */
function named(name: OptionName, options: Options): JobNote[] {
  const [row, value]: [OptionRow, unknown] = [table[name], options[name]];
  if (row.content !== true || typeof value !== 'string' || !nameOfFile.test(value)) return [];
  const text = `${name} is '${value}', which looks like the name of a file; what counts here is the content (with curl: -F '${name}=<${value}')`;
  return [{ text, code: 'name-as-content', options: [name] }];
}

const nameOfFile = /^[^\s<>{}()'";]{1,100}\.(x?html?|css|m?js|json|xml|csv|ya?ml)$/i;

function summed(problems: readonly Problem[]): Failure {
  const ranked = [...problems].sort((one, other) => gravity.indexOf(one.kind) - gravity.indexOf(other.kind));
  const message = ranked.map(({ sentence }) => sentence).join('; also, ');
  return new Failure(
    ranked[0]?.kind ?? 'noInput',
    `${message.replace(/^(the|no)\b/, capitalised)}${message.endsWith('?') ? '' : '.'}`,
  );
}

function capitalised(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
