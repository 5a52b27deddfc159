/**
 * The flags of `platen convert`, made of three tables: its own, the options of a conversion, and the settings that say how
 * conversions are done. Where names clash, its own beat options and options beat settings; `--setting-<name>` is always the setting.
 */
import { flag as switchKind } from '../../fields/kinds.ts';
import { optionNames, table, type OptionName, type OptionRow } from '../../job/options.ts';
import type { SettingName } from '../../settings/table.ts';
import { ownFlags, type OwnName } from './own-flags.ts';

export type Flag =
  /** `takes` path: an upload, or `ofContent` a file whose text is the value. */
  | { readonly kind: 'option'; readonly name: OptionName; readonly takes: Takes; readonly ofContent?: true }
  | { readonly kind: 'setting'; readonly name: SettingName; readonly takes: 'value' }
  | { readonly kind: 'own'; readonly name: OwnName; readonly takes: Takes };

export type Takes = 'switch' | 'value' | 'path';

/** Those of the service that change how one document is converted. */
export const settingsOfUse = [
  ...(['workers', 'job-timeout', 'network', 'network-allow', 'network-deny', 'upstream-proxy'] as const),
  ...(['page-memory', 'memory-reserve', 'page-requests', 'page-size', 'max-output', 'max-upload'] as const),
  ...(['archive-entries', 'archive-size', 'archive-ratio', 'archive-depth', 'archive-time'] as const),
  ...(['alias', 'data', 'log-level', 'log-file'] as const),
] satisfies readonly SettingName[];

/** Options that have another way here, and what that is. */
export const instead: Readonly<Partial<Record<string, string>>> = {
  url: 'an address is given as it is: platen convert https://example.com out.pdf',
  file: 'a file is given as it is: platen convert page.html out.pdf',
  stream: 'a file is given as it is: platen convert page.html out.pdf',
  text: 'HTML comes from a file, or with - from standard input',
  'output-name': 'say --output FILE, or give the name as the last word',
  'content-disposition': 'there is no browser that would save or show the output',
};

/** By their kebab names. */
export const flags: ReadonlyMap<string, Flag> = new Map([
  ...settingsOfUse.flatMap((name): Entry[] => [
    [name, { kind: 'setting', name, takes: 'value' }],
    [`setting-${name}`, { kind: 'setting', name, takes: 'value' }],
  ]),
  ...optionNames.flatMap(flagsOf),
  ...(Object.entries(ownFlags) as [OwnName, (typeof ownFlags)[OwnName]][]).map(([name, { takes }]): Entry => [
    name,
    { kind: 'own', name, takes },
  ]),
]);

type Entry = readonly [name: string, flag: Flag];

function flagsOf(name: OptionName): Entry[] {
  const row: OptionRow = table[name];
  const main = kebab(name);
  if (instead[main] !== undefined) return [];
  if (row.kind === table.file.kind) return [[main, { kind: 'option', name, takes: 'path' }]];
  if (row.kind === switchKind) return [[main, { kind: 'option', name, takes: 'switch' }]];
  const file: Flag = { kind: 'option', name, takes: 'path', ofContent: true };
  // A long text stands better in a file, and a password is seen by nobody there.
  const files = row.content === true || row.secret === true ? [[`${main}-file`, file] as const] : [];
  const short = /^(header|footer)-html$/.exec(main)?.[1];
  const shorter = short === undefined ? [] : [[`${short}-file`, file] as const];
  return [[main, { kind: 'option', name, takes: 'value' }], ...files, ...shorter];
}

/** `page_size` -> `page-size`. */
export function kebab(name: string): string {
  return name.replaceAll('_', '-');
}
