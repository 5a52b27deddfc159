/** Sorts the arguments of `platen convert` into positional arguments, options, settings and the command's own flags. */
import { nearestName } from '../../fields/nearest.ts';
import { table, type OptionName, type OptionRow } from '../../job/options.ts';
import { settingNames } from '../../settings/table.ts';
import { parseArguments } from '../arguments.ts';
import type { FlagKind } from '../../fields/arguments.ts';
import { flags, kebab, replacedOptions, shortFlags, type ConvertFlagName, type Flag } from './flags.ts';

export interface ConvertArguments {
  /** Inputs, and possibly the output; may include `-`. */
  readonly positionals: readonly string[];
  /** Several arguments only for options that may be repeated. */
  readonly options: ReadonlyMap<OptionName, readonly OptionArgument[]>;
  /** The settings as flags for `loadSettings`. */
  readonly settings: readonly string[];
  /** The command's own flags. The value of a switch is `on`. */
  readonly flags: ReadonlyMap<ConvertFlagName, string>;
}

/** The argument of an option: its value, the path of a file to upload, or the path of a file whose text is the value. */
export interface OptionArgument {
  readonly text: string;
  readonly source: 'value' | 'upload' | 'content';
}

/** Parses and sorts the arguments. @throws UsageProblem with the unknown argument and the nearest known flag */
export function parseConvertArguments(parameters: readonly string[]): ConvertArguments {
  const parsed = parseArguments(parameters, flagKinds, { letters: shortFlags, explainUnknown });
  const options = new Map<OptionName, readonly OptionArgument[]>();
  const settings = new Map<string, string>();
  const commandFlags = new Map<ConvertFlagName, string>();
  for (const [name, text] of parsed.flags) {
    const flag = flags.get(name);
    if (flag?.kind === 'own') commandFlags.set(flag.name, text);
    if (flag?.kind === 'setting') settings.set(flag.name, text);
    if (flag?.kind === 'option') options.set(flag.name, [{ text, source: sourceOf(flag) }]);
  }
  for (const [name, texts] of parsed.lists) {
    const flag = flags.get(name);
    if (flag?.kind === 'option')
      options.set(
        flag.name,
        texts.map((text) => ({ text, source: sourceOf(flag) })),
      );
  }
  return {
    positionals: parsed.positionals,
    options,
    settings: [...settings].map(([name, text]) => `--${name}=${text}`),
    flags: commandFlags,
  };
}

const flagKinds = Object.fromEntries([...flags].map(([name, flag]) => [name, kindOf(flag)]));

function kindOf(flag: Flag): FlagKind {
  const { kind, takes } = flag;
  if (takes === 'switch') return kind === 'option' ? 'boolean' : 'switch';
  const row: OptionRow | undefined = kind === 'option' ? table[flag.name] : undefined;
  return row?.isRepeatable === true ? 'values' : 'value';
}

function sourceOf(flag: Extract<Flag, { kind: 'option' }>): OptionArgument['source'] {
  if (flag.isContent === true) return 'content';
  return flag.takes === 'path' ? 'upload' : 'value';
}

function explainUnknown(written: string, shown: string): string {
  const name = kebab(written).toLowerCase();
  const alternative = replacedOptions[name];
  if (alternative !== undefined) return `${shown} is not available here: ${alternative}.`;
  if (settingNames.some((setting) => setting === name))
    return `${shown} is a setting of the service and does not affect conversions.`;
  const suggestion = nearestName(name, [...flags.keys()]);
  const hint = suggestion === undefined ? '' : `; did you mean --${suggestion}?`;
  return `${shown} is not a flag of convert${hint} (platen convert --help lists them)`;
}
