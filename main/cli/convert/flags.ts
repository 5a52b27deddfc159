/**
 * Defines the flags of `platen convert` from three tables: its own flags, the options of a conversion, and the settings that affect
 * conversions. If names are equal, own flags override options, and options override settings. `--setting-<name>` always means the
 * setting.
 */
import { flag as switchKind } from '../../fields/kinds.ts';
import { optionNames, table, type OptionName, type OptionRow } from '../../job/options.ts';
import { isFileOption } from '../../job/read-fields.ts';
import type { SettingName } from '../../settings/table.ts';

// Flags of `platen convert` itself, with their help texts.

export interface ConvertFlag {
  readonly takes: 'switch' | 'value' | 'path';
  /** The name of the value in the help text; by default that of `takes`. */
  readonly value?: string;
  readonly description: string;
}

export const convertFlags = {
  output: { takes: 'path', description: 'Output file; - is standard output. Also -o.' },
  'out-dir': {
    takes: 'path',
    value: 'FOLDER',
    description:
      'Folder for the outputs, which keeps the folder structure of the inputs. By default each output is beside its input.',
  },
  force: { takes: 'switch', description: 'Also convert inputs with a newer output.' },
  root: {
    takes: 'path',
    value: 'FOLDER',
    description:
      'Folder whose files a page may load, and the base of URLs that start with /. By default the folder of the page, or the given folder.',
  },
  'no-root': { takes: 'switch', description: 'Do not let pages load local files.' },
  watch: {
    takes: 'switch',
    description: 'Keep running and convert files again when they are saved, until Ctrl-C.',
  },
  quiet: { takes: 'switch', description: 'Print failures only. Also -q.' },
  verbose: { takes: 'switch', description: 'Print the duration of the stages of each document. Also -v.' },
  json: { takes: 'switch', description: 'Print a line of JSON for each document, and a summary at the end.' },
  'debug-log': {
    takes: 'path',
    description: 'Write the debug log into this .html file, or one for each document into this folder.',
  },
  remote: {
    takes: 'value',
    value: 'URL',
    description: 'URL of a Platen service that converts instead of this machine.',
  },
  account: {
    takes: 'value',
    value: 'USER:KEY',
    description:
      'user:key for --remote. Prefer the environment variable PLATEN_ACCOUNT, which other users cannot see.',
  },
  help: { takes: 'switch', description: 'Print this help. Also -h.' },
} as const satisfies Record<string, ConvertFlag>;

export type ConvertFlagName = keyof typeof convertFlags;

/** The long flag for each one-letter flag. */
export const shortFlags: Readonly<Partial<Record<string, ConvertFlagName>>> = {
  o: 'output',
  q: 'quiet',
  v: 'verbose',
  h: 'help',
};

export type Flag =
  /** `takes: 'path'` means the path of an upload, or, with `isContent`, of a file whose text is the value. */
  | { readonly kind: 'option'; readonly name: OptionName; readonly takes: Takes; readonly isContent?: true }
  | { readonly kind: 'setting'; readonly name: SettingName; readonly takes: 'value' }
  | { readonly kind: 'own'; readonly name: ConvertFlagName; readonly takes: Takes };

export type Takes = 'switch' | 'value' | 'path';

/** Settings of the service that affect a single conversion. */
export const convertSettings = [
  ...(['workers', 'job-timeout', 'network', 'network-allow', 'network-deny', 'upstream-proxy'] as const),
  ...(['page-memory', 'memory-reserve', 'page-requests', 'page-size', 'max-output', 'max-upload'] as const),
  ...(['archive-entries', 'archive-size', 'archive-ratio', 'archive-depth', 'archive-time'] as const),
  ...(['alias', 'data', 'log-level', 'log-file', 'webgl'] as const),
  ...(['signing-certificate', 'signing-password', 'timestamp-url'] as const),
] satisfies readonly SettingName[];

/** Options of the API that have no flag, and what to use instead. */
export const replacedOptions: Readonly<Partial<Record<string, string>>> = {
  url: 'give the URL as an argument: platen convert https://example.com out.pdf',
  file: 'give the file as an argument: platen convert page.html out.pdf',
  stream: 'give the file as an argument: platen convert page.html out.pdf',
  text: 'put the HTML into a file, or use - for standard input',
  'output-name': 'use --output FILE, or give the name as the last argument',
  'content-disposition': 'the output is written to a file',
};

/** All flags by kebab-case name. */
export const flags: ReadonlyMap<string, Flag> = new Map([
  ...convertSettings.flatMap((name): FlagEntry[] => [
    [name, { kind: 'setting', name, takes: 'value' }],
    [`setting-${name}`, { kind: 'setting', name, takes: 'value' }],
  ]),
  ...optionNames.flatMap(flagsOf),
  ...(Object.entries(convertFlags) as [ConvertFlagName, (typeof convertFlags)[ConvertFlagName]][]).map(
    ([name, { takes }]): FlagEntry => [name, { kind: 'own', name, takes }],
  ),
]);

type FlagEntry = readonly [name: string, flag: Flag];

function flagsOf(name: OptionName): FlagEntry[] {
  const row: OptionRow = table[name];
  const main = kebab(name);
  if (replacedOptions[main] !== undefined) return [];
  if (isFileOption(row)) return [[main, { kind: 'option', name, takes: 'path' }]];
  if (row.kind === switchKind) return [[main, { kind: 'option', name, takes: 'switch' }]];
  const file: Flag = { kind: 'option', name, takes: 'path', isContent: true };
  // Long values are easier to keep in files, and a password in a file does not appear in process lists.
  const fileFlag = row.content === true || row.secret === true ? [[`${main}-file`, file] as const] : [];
  const headerOrFooter = /^(header|footer)-html$/.exec(main)?.[1];
  const shortFileFlag = headerOrFooter === undefined ? [] : [[`${headerOrFooter}-file`, file] as const];
  return [[main, { kind: 'option', name, takes: 'value' }], ...fileFlag, ...shortFileFlag];
}

/** Converts `page_size` to `page-size`. */
export function kebab(name: string): string {
  return name.replaceAll('_', '-');
}
