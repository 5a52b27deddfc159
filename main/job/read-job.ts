/**
 * Fields and files of a form -> options and input, or one Failure that names every problem.
 * It knows the table and nothing about HTTP.
 */
import type { FailureKind } from '../failure/catalogue.ts';
import { Failure } from '../failure/failure.ts';
import type { Input, Job } from './job.ts';
import { translateOlder } from './older-options.ts';
import { table, type OptionName, type OptionRow, type Options } from './options.ts';
import { shortened, type Problem } from './problem.ts';
import { defaults, readFields, twinDefaults, type Form } from './read-fields.ts';
import { brokenRules, type Limits } from './rules.ts';

const gravity: readonly FailureKind[] = [
  'bodyFormat',
  'unknownParameter',
  'noInput',
  'urlInvalid',
  'valueNotAllowed',
];

/**
 * Reads a form.
 * @throws Failure with all problems in one message.
 */
export function readJob(form: Form, limits: Limits): Pick<Job, 'input' | 'options' | 'given' | 'notes'> {
  const problems: Problem[] = [];
  const { values, given } = readFields(form, problems);
  translateOlder(values, given);
  const options = { ...defaults, ...(limits.twin === true && twinDefaults), ...values } as Options;
  const input = readInput(options, problems);
  problems.push(...brokenRules(options, given, limits));
  if (input === undefined || problems.length > 0) throw summed(problems);
  return { input, options, given, notes: notesOn(options, given) };
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

function notesOn(options: Options, given: ReadonlySet<OptionName>): string[] {
  const inputs = (['file', 'url', 'text'] as const).filter((name) => options[name] !== undefined);
  const ignored = inputs
    .slice(1)
    .map((name) => `${name} was ignored, because ${inputs[0] ?? ''} was given too`);
  const other = options.output_format === 'pdf' ? 'image' : 'pdf';
  const idle = [...given].filter((name) => table[name].output === other);
  return [
    ...ignored,
    ...beaten.flatMap(([winner, loser]) =>
      given.has(winner) && given.has(loser) ? [`${loser} was ignored, because ${winner} was given too`] : [],
    ),
    ...idle.map((name) => `${name} has no effect on output_format=${options.output_format}`),
    ...[...given].flatMap((name) => {
      const { withoutEffect }: OptionRow = table[name];
      return withoutEffect === undefined ? [] : [`${name} has no effect: ${withoutEffect}`];
    }),
  ];
}

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
