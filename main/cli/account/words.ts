/** The words of a command line: what stands alone, and the flags with their values. It knows no command. */
import { parseArgs } from 'node:util';
import { nearest } from '../../fields/nearest.ts';
import { UsageProblem } from '../usage-problem.ts';

/** `switch`: it is there or not; `value`: a word follows, or stands behind `=`. */
export type FlagKinds = Readonly<Record<string, 'switch' | 'value'>>;

export interface Words {
  /** In order, without the flags. */
  readonly alone: readonly string[];
  /** A switch that is there is `on`. The last of a name counts. */
  readonly flags: ReadonlyMap<string, string>;
}

/** @throws UsageProblem for a flag that is not known, lacks its value, or has one it does not take */
export function readWords(parameters: readonly string[], kinds: FlagKinds): Words {
  const { tokens } = parseArgs({
    args: parameters.map(protect),
    options: Object.fromEntries(
      Object.entries(kinds).map(([name, kind]) => [name, { type: kind === 'value' ? 'string' : 'boolean' }]),
    ),
    strict: false,
    tokens: true,
  });
  const alone: string[] = [];
  const flags = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind === 'positional') alone.push(unprotect(token.value));
    if (token.kind === 'option') flags.set(token.name, valueOf(token, kinds));
  }
  return { alone, flags };
}

function valueOf(
  {
    name,
    rawName,
    value,
  }: { readonly name: string; readonly rawName: string; readonly value?: string | undefined },
  kinds: FlagKinds,
): string {
  const kind = Object.hasOwn(kinds, name) && rawName.startsWith('--') ? kinds[name] : undefined;
  if (kind === undefined)
    throw new UsageProblem(`${rawName} is not a flag of this command${hint(name, kinds)}`);
  if (kind === 'value' && value === undefined) throw new UsageProblem(`--${name} needs a value.`);
  if (kind === 'switch' && value !== undefined) throw new UsageProblem(`--${name} takes no value.`);
  return value === undefined ? 'on' : unprotect(value);
}

function hint(name: string, kinds: FlagKinds): string {
  const known = Object.keys(kinds);
  const meant = nearest(name, known);
  if (meant !== undefined) return `; did you mean --${meant}?`;
  return `; it has ${known.map((flag) => `--${flag}`).join(', ')}.`;
}

/** `-5` is a number here; parseArgs would take it for a flag. */
function protect(word: string): string {
  return /^-\d+$/.test(word) ? ` ${word}` : word;
}

function unprotect(word: string): string {
  return /^ -\d+$/.test(word) ? word.slice(1) : word;
}
