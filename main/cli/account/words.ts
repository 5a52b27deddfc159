/** Parses a command line into positional arguments and flags. It knows no command. */
import { parseArgs } from 'node:util';
import { nearestName } from '../../fields/nearest.ts';
import { UsageProblem } from '../terminal.ts';

/** `switch` takes no value; `value` takes one after a space or `=`. */
export type FlagKinds = Readonly<Record<string, 'switch' | 'value'>>;

export interface ParsedArguments {
  /** Positional arguments, in order. */
  readonly positionals: readonly string[];
  /** A switch has the value `on`. If a flag is repeated, the last one counts. */
  readonly flags: ReadonlyMap<string, string>;
}

/** @throws UsageProblem for an unknown flag, a missing value, or a value for a switch */
export function parseArguments(parameters: readonly string[], kinds: FlagKinds): ParsedArguments {
  const { tokens } = parseArgs({
    args: parameters.map(protect),
    options: Object.fromEntries(
      Object.entries(kinds).map(([name, kind]) => [name, { type: kind === 'value' ? 'string' : 'boolean' }]),
    ),
    strict: false,
    tokens: true,
  });
  const positionals: string[] = [];
  const flags = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(unprotect(token.value));
    if (token.kind === 'option') flags.set(token.name, valueOf(token, kinds));
  }
  return { positionals, flags };
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
  const suggestion = nearestName(name, known);
  if (suggestion !== undefined) return `; did you mean --${suggestion}?`;
  return `; it has ${known.map((flag) => `--${flag}`).join(', ')}.`;
}

/** Protects `-5`, a number here, which parseArgs would take for a flag. */
function protect(word: string): string {
  return /^-\d+$/.test(word) ? ` ${word}` : word;
}

function unprotect(word: string): string {
  return /^ -\d+$/.test(word) ? word.slice(1) : word;
}
