/**
 * Parses the arguments of `platen convert` into positionals, options, settings and own flags. It knows names, not
 * values.
 */
import { nearestName } from '../../fields/nearest.ts';
import type { OptionName } from '../../job/options.ts';
import { settingNames } from '../../settings/table.ts';
import { UsageProblem } from '../terminal.ts';
import { flags, replacedOptions, kebab, shortFlags, type Flag, type ConvertFlagName } from './flags.ts';

export interface ConvertArguments {
  /** Inputs, and possibly the output; may include `-`. */
  readonly positionals: readonly string[];
  readonly options: ReadonlyMap<OptionName, OptionArgument>;
  /** Flags for loadSettings. */
  readonly settings: readonly string[];
  /** A switch that is on has the value `true`. */
  readonly flags: ReadonlyMap<ConvertFlagName, string>;
}

/** A value, the path of an upload, or the path of a file whose text is the value. */
export interface OptionArgument {
  readonly text: string;
  readonly source: 'value' | 'upload' | 'content';
}

/** If a flag is repeated, the last one counts. @throws UsageProblem naming the argument and the nearest flag */
export function parseConvertArguments(words: readonly string[]): ConvertArguments {
  const positionals: string[] = [];
  const found: ParsedSoFar = { options: new Map(), settings: new Map(), own: new Map() };
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '--') return toArguments([...positionals, ...words.slice(index + 1)], found);
    if (!/^-./.test(word)) {
      positionals.push(word);
      continue;
    }
    const { flag, inline, isNegated } = parseFlag(word);
    const next = words[index + 1];
    const { text, consumed } = valueOf({ word, flag, inline, isNegated, next });
    index += consumed;
    storeFlag(flag, text, found);
  }
  return toArguments(positionals, found);
}

interface ParsedSoFar {
  readonly options: Map<OptionName, OptionArgument>;
  readonly settings: Map<string, string>;
  readonly own: Map<ConvertFlagName, string>;
}

function toArguments(
  positionals: readonly string[],
  { options, settings, own: flags }: ParsedSoFar,
): ConvertArguments {
  return { positionals, options, flags, settings: [...settings].map(([name, text]) => `--${name}=${text}`) };
}

interface ParsedFlag {
  readonly flag: Flag;
  readonly inline?: string | undefined;
  /** `--no-encrypt`. */
  readonly isNegated: boolean;
}

function parseFlag(word: string): ParsedFlag {
  const letter = /^-([a-z])$/.exec(word)?.[1];
  const [, written = '', inline] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
  const name = letter === undefined ? kebab(written).toLowerCase() : (shortFlags[letter] ?? '');
  const flag = flags.get(name);
  if (flag !== undefined) return { flag, inline, isNegated: false };
  const positive = flags.get(name.replace(/^no-/, ''));
  const isNegated = name.startsWith('no-') && positive?.kind === 'option' && positive.takes === 'switch';
  if (isNegated) return { flag: positive, inline, isNegated };
  throw unknownFlag(word, name);
}

function unknownFlag(word: string, name: string): UsageProblem {
  const shown = word.replace(/=.*$/s, '');
  const other = replacedOptions[name];
  if (other !== undefined) return new UsageProblem(`${shown} is not available here: ${other}.`);
  if (settingNames.some((setting) => setting === name))
    return new UsageProblem(`${shown} is a setting of the service and does not affect conversions.`);
  const suggestion = nearestName(name, [...flags.keys()]);
  const hint = suggestion === undefined ? '' : `; did you mean --${suggestion}?`;
  return new UsageProblem(`${shown} is not a flag of convert${hint} (platen convert --help lists them)`);
}

interface FlagInContext extends ParsedFlag {
  readonly word: string;
  readonly next: string | undefined;
}

/** A flag with a value takes the next argument, whatever it looks like: `--page-height -1`. */
function valueOf({ word, flag, inline, isNegated, next }: FlagInContext): { text: string; consumed: 0 | 1 } {
  if (flag.takes === 'switch') return switchValueOf({ word, flag, inline, isNegated, next });
  if (inline !== undefined) return { text: inline, consumed: 0 };
  if (next === undefined) throw new UsageProblem(`${word} needs a value.`);
  return { text: next, consumed: 1 };
}

/** An option switch may be followed by true or false; these can mean nothing else. */
function switchValueOf({ word, flag, inline, isNegated, next }: FlagInContext): {
  text: string;
  consumed: 0 | 1;
} {
  if (flag.kind === 'own' || isNegated) {
    if (inline !== undefined) throw new UsageProblem(`${word.replace(/=.*$/s, '')} takes no value.`);
    return { text: isNegated ? 'false' : 'true', consumed: 0 };
  }
  if (inline !== undefined) return { text: inline, consumed: 0 };
  return /^(true|false)$/i.test(next ?? '')
    ? { text: next ?? '', consumed: 1 }
    : { text: 'true', consumed: 0 };
}

function storeFlag(flag: Flag, text: string, { options, settings, own }: ParsedSoFar): void {
  if (flag.kind === 'own') own.set(flag.name, text);
  else if (flag.kind === 'setting') settings.set(flag.name, text);
  else {
    const source = flag.isContent === true ? 'content' : flag.takes === 'path' ? 'upload' : 'value';
    options.set(flag.name, { text, source });
  }
}
