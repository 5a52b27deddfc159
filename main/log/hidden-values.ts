/** The values that must stand in no text about one job: looked for all at once. */
import { mask } from '../fields/masked.ts';

export interface HiddenValues {
  /** From now on; a value of fewer than four characters stands in half of all texts and is left out. */
  readonly hide: (values: readonly string[]) => void;
  /** The same for values of which anybody may make any number: as long as there is room for them. */
  readonly hideSome: (values: readonly string[]) => void;
  /** The text without them; nothing but a mask when they are too many to be looked for. */
  readonly masked: (text: string) => string;
  readonly none: () => boolean;
  readonly tooMany: () => boolean;
}

const shortest = 4;

/** A browser keeps at most 180 cookies of a site (RFC 6265, 6.1 asks for 50), each of which has two forms. */
const most = 400;
const mostOfOthers = 300;

/**
 * Characters of a value that the pattern has. V8 does not optimise patterns of more than 20,000 in all; and a value at
 * which a text was cut is found too.
 */
const longestHead = 48;

export function hiddenValues(): HiddenValues {
  const known = new Set<string>();
  let replace: ((text: string) => string) | undefined;
  const add = (values: readonly string[], room: number) => {
    for (const value of values)
      if (value.length >= shortest && known.size < room && !known.has(value)) {
        known.add(value);
        replace = undefined;
      }
  };
  return {
    hide(values) {
      add(values, most + 1);
    },
    hideSome(values) {
      add(values, mostOfOthers);
    },
    masked(text) {
      if (known.size > most) return mask;
      if (known.size === 0) return text;
      replace ??= replacerOf(known);
      return replace(text);
    },
    none: () => known.size === 0,
    tooMany: () => known.size > most,
  };
}

/** Compiles the values once. */
function replacerOf(values: ReadonlySet<string>): (text: string) => string {
  const byHead = new Map<string, string[]>();
  for (const value of [...values].sort()) {
    const head = value.slice(0, longestHead);
    byHead.set(head, [...(byHead.get(head) ?? []), value]);
  }
  // Longest first, because one may begin another.
  const heads = [...byHead.keys()].sort((one, other) => other.length - one.length);
  const pattern = new RegExp(heads.map(escaped).join('|'), 'g');
  return (text) => {
    let [written, done] = ['', 0];
    pattern.lastIndex = 0;
    for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
      const { 0: head, index } = found;
      written += text.slice(done, index) + mask;
      done = pattern.lastIndex = index + lengthAt(index, text, byHead.get(head) ?? []);
    }
    return written + text.slice(done);
  };
}

/** How much of a value stands there: all of it, or what is left of it where the text was cut. The values are sorted. */
function lengthAt(from: number, text: string, values: readonly string[]): number {
  const there = text.slice(from);
  const after = values.findIndex((value) => value > there);
  // Of sorted texts the one that has most in common with another stands beside it.
  const [before, next] = after === -1 ? [values.at(-1)] : [values[after - 1], values[after]];
  return Math.max(sameLength(there, before), sameLength(there, next));
}

function sameLength(text: string, value = ''): number {
  let length = 0;
  while (length < value.length && value[length] === text[length]) length += 1;
  return length;
}

function escaped(value: string): string {
  return value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
