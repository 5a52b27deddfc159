/** A call as far as the record of its job tells it: secrets and contents are not in it. Pure. */
import type { JobView } from '../../main/console/contract.ts';
import { optionNames, table, type OptionName, type OptionRow } from '../../main/job/options.ts';
import type { InputKind } from '../call/call.ts';

export interface RestoredCall {
  readonly kind: InputKind;
  /** The address that was converted, where it was one. */
  readonly url: string | undefined;
  /** Name of the file that was converted, where it was one. */
  readonly file: string | undefined;
  readonly options: ReadonlyMap<OptionName, string>;
  /** Whether the input itself has to be given again. */
  readonly withoutInput: boolean;
  /** Options that have to be given again, and why. */
  readonly missing: readonly Missing[];
}

export interface Missing {
  readonly name: string;
  readonly why: 'secret' | 'content' | 'file' | 'cut' | 'unknown';
}

export function restoredCall({ input, parameters }: Pick<JobView, 'input' | 'parameters'>): RestoredCall {
  const given = Object.entries(parameters ?? {}).filter(([name]) => !inputs.has(name));
  const judged = given.map(([name, value]) => ({ name, value, why: whyMissing(name, value) }));
  const { url, file } = parameters ?? {};
  const isWhole = input === 'url' && url !== undefined && !isCut(url) && !url.includes(masked);
  return {
    kind: kindOf(input, parameters ?? {}),
    url: input === 'url' ? url : undefined,
    file: input === 'file' && file !== undefined ? nameIn(file) : undefined,
    options: new Map(
      judged.flatMap(({ name, value, why }) =>
        why === undefined ? [[name as OptionName, value] as const] : [],
      ),
    ),
    withoutInput: !isWhole,
    missing: judged.flatMap(({ name, why }) => (why === undefined ? [] : [{ name, why }])),
  };
}

/** What says what is converted, and what every run of the console has anyway. */
const inputs: ReadonlySet<string> = new Set<OptionName>(['url', 'file', 'text', 'debug_log']);

/** As main/fields/masked.ts writes it. */
const masked = '***';

function kindOf(input: JobView['input'], parameters: Readonly<Record<string, string>>): InputKind {
  if (input === 'url' || input === 'file') return input;
  return 'data_string' in parameters || 'data_file' in parameters ? 'template' : 'html';
}

/** Uploads are told as `logo.png (1,234 bytes)`, contents as `(1,234 characters)` (main/conversion/job-log.ts). */
const upload = /^([^]*) \([\d,]+ bytes?\)$/;
const length = /^\([\d,]+ characters?\)$/;

function whyMissing(name: string, value: string): Missing['why'] | undefined {
  const option = optionNames.find((known) => known === name);
  if (option === undefined) return 'unknown';
  const { secret, content, kind }: OptionRow = table[option];
  if (secret || value.includes(masked)) return 'secret';
  if (kind.schema.format === 'binary' || (content && upload.test(value))) return 'file';
  if (content || length.test(value)) return 'content';
  return isCut(value) ? 'cut' : undefined;
}

/** The record cuts long values. */
function isCut(value: string): boolean {
  return value.endsWith('...');
}

export function nameIn(shown: string): string {
  return upload.exec(shown)?.[1] ?? shown;
}
