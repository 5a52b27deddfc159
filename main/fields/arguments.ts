/** Reads command-line arguments into positional arguments and flags, with Node's parseArgs. */
import { parseArgs } from 'node:util';
import { nearestName } from './nearest.ts';

/**
 * A `switch` takes no value. A `value` takes one, after a space or `=`; so do `values`, which may be given several times. A `boolean`
 * may take `true` or `false`, and `--no-NAME` sets it to false.
 */
export type FlagKind = 'switch' | 'value' | 'values' | 'boolean';

/** Each flag by its name in kebab-case. */
export type FlagKinds = Readonly<Record<string, FlagKind>>;

export interface ParsedArguments {
  /** Positional arguments, in order. */
  readonly positionals: readonly string[];
  /** Values by flag name. The value of a switch is `on`. If a flag is repeated, the last value counts. */
  readonly flags: ReadonlyMap<string, string>;
  /** All values of the flags of kind `values`, in order. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

export interface ParseOptions {
  /** One-letter flags and the flags they stand for. */
  readonly letters?: Readonly<Partial<Record<string, string>>>;
  /** Returns a message for an unknown flag, or undefined to use the default message. */
  readonly explainUnknown?: (name: string, written: string) => string | undefined;
  /** Returns a message for a flag without its value. */
  readonly explainMissing?: (name: string) => string;
}

/** Called with the message of each problem. Parsing continues without the flag if this returns. */
export type OnArgumentProblem = (message: string) => void;

/**
 * Reads arguments. Flags may be written in upper case and with underscores. Calls `onProblem` for an unknown flag, a missing value,
 * or a value for a switch.
 */
export function readArguments(
  parameters: readonly string[],
  kinds: FlagKinds,
  options: ParseOptions & { readonly onProblem: OnArgumentProblem },
): ParsedArguments {
  const { letters = {}, onProblem } = options;
  const letterOf = new Map(Object.entries(letters).map(([letter, name]) => [name, letter]));
  const { tokens } = parseArgs({
    args: parameters.map((word) => protectNumber(withFlagName(word, kinds))),
    options: Object.fromEntries(
      Object.entries(kinds).map(([name, kind]) => {
        const short = letterOf.get(name);
        return [
          name,
          { type: takesText(kind) ? 'string' : 'boolean', ...(short !== undefined && { short }) },
        ];
      }),
    ),
    strict: false,
    tokens: true,
  });
  const positionals: string[] = [];
  const flags = new Map<string, string>();
  const lists = new Map<string, readonly string[]>();
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token?.kind === 'positional') positionals.push(parameters[token.index] ?? token.value);
    if (token?.kind !== 'option') continue;
    const flag = resolveFlag(token, kinds);
    if (flag === undefined) {
      const written = token.rawName.startsWith('--')
        ? /^[^=]*/.exec(parameters[token.index] ?? '')?.[0]
        : undefined;
      onProblem(unknownFlag({ name: token.name, written: written ?? token.rawName }, kinds, options));
      // The word after an unknown flag is probably its value.
      if (token.value === undefined && tokens[index + 1]?.kind === 'positional') index += 1;
      continue;
    }
    // Takes the value as typed, because withFlagName and protectNumber change values that look like flags.
    const value = token.inlineValue === false ? parameters[token.index + 1] : token.value;
    const next = tokens[index + 1];
    // A repeated flag takes the position of its last occurrence.
    flags.delete(flag.name);
    if (flag.kind === 'boolean' && !flag.isNegated && value === undefined && isBoolean(next)) {
      flags.set(flag.name, next.value);
      index += 1;
      continue;
    }
    const takesValue = flag.kind !== 'switch' && !flag.isNegated;
    if (takesText(flag.kind) && value === undefined)
      onProblem(options.explainMissing?.(flag.name) ?? `${token.rawName} needs a value.`);
    else if (!takesValue && value !== undefined) onProblem(`${token.rawName} takes no value.`);
    else if (flag.kind === 'values')
      lists.set(flag.name, [...(lists.get(flag.name) ?? []), valueOf(flag, value)]);
    else flags.set(flag.name, valueOf(flag, value));
  }
  return { positionals, flags, lists };
}

interface ResolvedFlag {
  readonly name: string;
  readonly kind: FlagKind;
  /** Whether the flag was written as `--no-NAME`. */
  readonly isNegated: boolean;
}

function resolveFlag(token: { readonly name: string }, kinds: FlagKinds): ResolvedFlag | undefined {
  const { name } = token;
  const kind = kindOf(name, kinds);
  if (kind !== undefined) return { name, kind, isNegated: false };
  const positive = name.replace(/^no-/, '');
  if (positive === name || kindOf(positive, kinds) !== 'boolean') return undefined;
  return { name: positive, kind: 'boolean', isNegated: true };
}

function takesText(kind: FlagKind): boolean {
  return kind === 'value' || kind === 'values';
}

function kindOf(name: string, kinds: FlagKinds): FlagKind | undefined {
  return Object.hasOwn(kinds, name) ? kinds[name] : undefined;
}

function isBoolean(
  token: { readonly kind: string; readonly value?: string | undefined } | undefined,
): token is { readonly kind: 'positional'; readonly value: string } {
  return token?.kind === 'positional' && /^(true|false)$/i.test(token.value ?? '');
}

function valueOf({ kind, isNegated }: ResolvedFlag, value: string | undefined): string {
  if (isNegated) return 'false';
  return value ?? (kind === 'switch' ? 'on' : 'true');
}

function unknownFlag(
  { name, written }: { readonly name: string; readonly written: string },
  kinds: FlagKinds,
  { explainUnknown }: ParseOptions,
): string {
  const explanation = explainUnknown?.(name, written);
  if (explanation !== undefined) return explanation;
  const flagNames = Object.keys(kinds);
  const suggestion = nearestName(name, flagNames);
  const hint =
    suggestion === undefined
      ? `; it has ${flagNames.map((flag) => `--${flag}`).join(', ')}.`
      : `; did you mean --${suggestion}?`;
  return `${written} is not a flag of this command${hint}`;
}

/** Rewrites a flag such as `--PAGE_SIZE=A5` as `--page-size=A5`. */
function withFlagName(word: string, kinds: FlagKinds): string {
  const [, written, suffix = ''] = /^--([^=]+)(=.*)?$/s.exec(word) ?? [];
  if (written === undefined) return word;
  const name = written.replaceAll('_', '-').toLowerCase();
  const isKnown = kindOf(name, kinds) !== undefined || name.startsWith('no-');
  return isKnown ? `--${name}${suffix}` : word;
}

/** Prevents parseArgs from treating a negative number such as `-5` as a flag. */
function protectNumber(word: string): string {
  return /^-\d+$/.test(word) ? ` ${word}` : word;
}
