/** The words behind `platen convert` -> what stands alone, options, settings and its own flags. It knows names, not values. */
import { nearest } from '../../fields/nearest.ts';
import type { OptionName } from '../../job/options.ts';
import { settingNames } from '../../settings/table.ts';
import { UsageProblem } from '../usage-problem.ts';
import { flags, instead, kebab, type Flag } from './flags.ts';
import { letters, type OwnName } from './own-flags.ts';

export interface ConvertWords {
  /** Inputs, and perhaps the output; `-` among them. */
  readonly alone: readonly string[];
  readonly options: ReadonlyMap<OptionName, WrittenOption>;
  /** As loadSettings takes them. */
  readonly settings: readonly string[];
  /** A switch that is on is `true`. */
  readonly own: ReadonlyMap<OwnName, string>;
}

/** A value; or the path of an upload, or of a file whose text is the value. */
export interface WrittenOption {
  readonly text: string;
  readonly is: 'value' | 'upload' | 'content';
}

/** The last of a name counts. @throws UsageProblem naming the word and what could be meant */
export function readConvertWords(words: readonly string[]): ConvertWords {
  const alone: string[] = [];
  const found: Found = { options: new Map(), settings: new Map(), own: new Map() };
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '--') return finished([...alone, ...words.slice(index + 1)], found);
    if (!/^-./.test(word)) {
      alone.push(word);
      continue;
    }
    const { flag, inline, isNegated } = flagOf(word);
    const next = words[index + 1];
    const { text, took } = valueOf({ word, flag, inline, isNegated, next });
    index += took;
    put(flag, text, found);
  }
  return finished(alone, found);
}

interface Found {
  readonly options: Map<OptionName, WrittenOption>;
  readonly settings: Map<string, string>;
  readonly own: Map<OwnName, string>;
}

function finished(alone: readonly string[], { options, settings, own }: Found): ConvertWords {
  return { alone, options, own, settings: [...settings].map(([name, text]) => `--${name}=${text}`) };
}

interface Named {
  readonly flag: Flag;
  readonly inline?: string | undefined;
  /** `--no-encrypt`. */
  readonly isNegated: boolean;
}

function flagOf(word: string): Named {
  const letter = /^-([a-z])$/.exec(word)?.[1];
  const [, written = '', inline] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
  const name = letter === undefined ? kebab(written).toLowerCase() : (letters[letter] ?? '');
  const flag = flags.get(name);
  if (flag !== undefined) return { flag, inline, isNegated: false };
  const positive = flags.get(name.replace(/^no-/, ''));
  const isNegated = name.startsWith('no-') && positive?.kind === 'option' && positive.takes === 'switch';
  if (isNegated) return { flag: positive, inline, isNegated };
  throw unknown(word, name);
}

function unknown(word: string, name: string): UsageProblem {
  const shown = word.replace(/=.*$/s, '');
  const other = instead[name];
  if (other !== undefined) return new UsageProblem(`${shown} is not needed here: ${other}.`);
  if (settingNames.some((setting) => setting === name))
    return new UsageProblem(`${shown} is a setting of the service, and nothing to convert with.`);
  const meant = nearest(name, [...flags.keys()]);
  const hint = meant === undefined ? '' : `; did you mean --${meant}?`;
  return new UsageProblem(`${shown} is not a flag of convert${hint} (platen convert --help lists them)`);
}

interface Wanting extends Named {
  readonly word: string;
  readonly next: string | undefined;
}

/** Who takes a value takes the next word, whatever that looks like: `--page-height -1`. */
function valueOf({ word, flag, inline, isNegated, next }: Wanting): { text: string; took: 0 | 1 } {
  if (flag.takes === 'switch') return switched({ word, flag, inline, isNegated, next });
  if (inline !== undefined) return { text: inline, took: 0 };
  if (next === undefined) throw new UsageProblem(`${word} needs a value.`);
  return { text: next, took: 1 };
}

/** A switch of the option table may have its value behind it; where that is true or false, nothing else can be meant. */
function switched({ word, flag, inline, isNegated, next }: Wanting): { text: string; took: 0 | 1 } {
  if (flag.kind === 'own' || isNegated) {
    if (inline !== undefined) throw new UsageProblem(`${word.replace(/=.*$/s, '')} takes no value.`);
    return { text: isNegated ? 'false' : 'true', took: 0 };
  }
  if (inline !== undefined) return { text: inline, took: 0 };
  return /^(true|false)$/i.test(next ?? '') ? { text: next ?? '', took: 1 } : { text: 'true', took: 0 };
}

function put(flag: Flag, text: string, { options, settings, own }: Found): void {
  if (flag.kind === 'own') own.set(flag.name, text);
  else if (flag.kind === 'setting') settings.set(flag.name, text);
  else {
    const is = flag.ofContent === true ? 'content' : flag.takes === 'path' ? 'upload' : 'value';
    options.set(flag.name, { text, is });
  }
}
