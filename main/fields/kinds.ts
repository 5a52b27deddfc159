/** The kinds that both options and settings use. */
import type { Kind } from './kind.ts';

const flagWords = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** true/1 and false/0 in any case. */
export const flag: Kind<boolean> = {
  allowed: 'true or false',
  schema: { type: 'boolean' },
  read: (text) => flagWords.get(text.trim().toLowerCase()),
};

/** A decimal whole number within bounds, both included. */
export function integer(minimum: number, maximum: number, unit = ''): Kind<number> {
  const schema = { type: 'integer', minimum, ...(maximum < Infinity && { maximum }) } as const;
  return {
    allowed: `a whole number ${range(minimum, maximum)}${unit && ` (${unit})`}`,
    schema,
    read(text) {
      if (!/^\s*[+-]?\d{1,15}\s*$/.test(text)) return undefined;
      const value = Number(text);
      return value >= minimum && value <= maximum ? value : undefined;
    },
  };
}

/** One of a few words, in any case. The value has the spelling of the list. */
export function oneOf<const W extends string>(words: readonly W[]): Kind<W> {
  return {
    allowed: words.join(', '),
    schema: { type: 'string', enum: words },
    read: (text) => words.find((word) => word.toLowerCase() === text.trim().toLowerCase()),
  };
}

/** Any text that is not empty, as it came. */
export function text(allowed: string): Kind<string> {
  return {
    allowed,
    schema: { type: 'string', minLength: 1 },
    read: (value) => (value === '' ? undefined : value),
  };
}

/** `on` or `off` (and the words of a flag). */
export const onOff: Kind<boolean> = {
  allowed: 'on or off',
  schema: { type: 'string', enum: ['on', 'off'] },
  read: (value) => flag.read(value.replace(/^\s*on\s*$/i, 'true').replace(/^\s*off\s*$/i, 'false')),
};

/** Elements separated by commas, each read by another reader; blanks around them do not count. */
export function listOf<T>(allowed: string, read: (element: string) => T | undefined): Kind<readonly T[]> {
  return {
    allowed,
    schema: { type: 'string' },
    read(value) {
      const elements = value
        .split(',')
        .map((element) => element.trim())
        .filter((element) => element !== '');
      const values = elements.map(read).filter((element) => element !== undefined);
      return values.length === elements.length ? values : undefined;
    },
  };
}

function range(minimum: number, maximum: number): string {
  return maximum < Infinity ? `from ${minimum} to ${maximum}` : `of at least ${minimum}`;
}
