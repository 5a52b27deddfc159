/** Restores a call from the record of its job. The record contains neither secrets nor contents. Pure. */
import type { JobView } from '../../main/console/contract.ts';
import { optionNames, table, type OptionName, type OptionRow } from '../../main/job/options.ts';
import type { InputKind } from '../call/call.ts';

export interface RestoredCall {
  readonly kind: InputKind;
  /** The URL, if the input was a URL. */
  readonly url: string | undefined;
  /** The file name, if the input was a file. */
  readonly file: string | undefined;
  readonly options: ReadonlyMap<OptionName, string>;
  /** Whether the user must supply the input again. */
  readonly withoutInput: boolean;
  /** Options that the user must supply again, with the reason. */
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

/** Not restored: the fields of the input, and the fields that every console run sets. */
const inputs: ReadonlySet<string> = new Set<OptionName>(['url', 'file', 'text', 'debug_log']);

/** The mask that main/fields/masked.ts writes. */
const masked = '***';

function kindOf(input: JobView['input'], parameters: Readonly<Record<string, string>>): InputKind {
  if (input === 'url' || input === 'file') return input;
  return 'data_string' in parameters || 'data_file' in parameters ? 'template' : 'html';
}

/** The record describes uploads as `logo.png (1,234 bytes)` and contents as `(1,234 characters)` (main/conversion/job-log.ts). */
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

/** The record truncates long values. */
function isCut(value: string): boolean {
  return value.endsWith('...');
}

export function nameIn(shown: string): string {
  return upload.exec(shown)?.[1] ?? shown;
}
