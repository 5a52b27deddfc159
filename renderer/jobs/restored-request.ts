/** Restores a request from the record of its job. The record contains neither secrets nor contents. Pure functions. */
import type { JobView } from '../../main/console/contract.ts';
import { optionNames, table, type OptionName, type OptionRow } from '../../main/job/options.ts';
import type { InputKind } from '../call/call.ts';

export interface RestoredRequest {
  readonly kind: InputKind;
  /** The URL, if the input was a URL. */
  readonly url: string | undefined;
  /** The file name, if the input was a file. */
  readonly file: string | undefined;
  readonly options: ReadonlyMap<OptionName, string>;
  /** Whether the user must supply the input again. */
  readonly isInputMissing: boolean;
  /** Options that the user must supply again, with the reason. */
  readonly missing: readonly Missing[];
}

export interface Missing {
  readonly name: string;
  readonly why: 'secret' | 'content' | 'file' | 'truncated' | 'unknown';
}

export function restoredRequest({
  input,
  parameters,
}: Pick<JobView, 'input' | 'parameters'>): RestoredRequest {
  const entries = Object.entries(parameters ?? {}).filter(([name]) => !inputFields.has(name));
  const checked = entries.map(([name, value]) => ({ name, value, why: whyMissing(name, value) }));
  const { url, file } = parameters ?? {};
  const isUrlComplete = input === 'url' && url !== undefined && !isTruncated(url) && !url.includes(mask);
  return {
    kind: kindOf(input, parameters ?? {}),
    url: input === 'url' ? url : undefined,
    file: input === 'file' && file !== undefined ? fileNameIn(file) : undefined,
    options: new Map(
      checked.flatMap(({ name, value, why }) =>
        why === undefined ? [[name as OptionName, value] as const] : [],
      ),
    ),
    isInputMissing: !isUrlComplete,
    missing: checked.flatMap(({ name, why }) => (why === undefined ? [] : [{ name, why }])),
  };
}

/** Fields that are not restored as options: the input, and `debug_log`, which the service sets for every run of the console. */
const inputFields: ReadonlySet<string> = new Set<OptionName>(['url', 'file', 'text', 'debug_log']);

/** Replaces secrets in the record (main/log/masking.ts). */
const mask = '***';

function kindOf(input: JobView['input'], parameters: Readonly<Record<string, string>>): InputKind {
  if (input === 'url' || input === 'file') return input;
  return 'data_string' in parameters || 'data_file' in parameters ? 'template' : 'html';
}

/** The record describes uploads as `logo.png (1,234 bytes)` and contents as `(1,234 characters)` (main/conversion/job-log.ts). */
const recordedFile = /^([^]*) \([\d,]+ bytes?\)$/;
const recordedLength = /^\([\d,]+ characters?\)$/;

function whyMissing(name: string, value: string): Missing['why'] | undefined {
  const optionName = optionNames.find((known) => known === name);
  if (optionName === undefined) return 'unknown';
  const { secret, content, kind, isRepeatable }: OptionRow = table[optionName];
  if (secret || value.includes(mask)) return 'secret';
  if (kind.schema.format === 'binary' || (content && recordedFile.test(value))) return 'file';
  // The record separates the values with commas, which they may contain.
  if (isRepeatable) return 'content';
  if (content || recordedLength.test(value)) return 'content';
  return isTruncated(value) ? 'truncated' : undefined;
}

/** Returns whether the record contains only the beginning of the value. */
function isTruncated(value: string): boolean {
  return value.endsWith('...');
}

export function fileNameIn(recorded: string): string {
  return recordedFile.exec(recorded)?.[1] ?? recorded;
}
