/** The kinds of values that both options (from requests) and settings (from flags, environment and file) can have. */

/** The type of a field: how to read its text, and which values are allowed, in words and as JSON Schema. */
export interface Kind<T> {
  /** Describes the allowed values. Messages show this text after "allowed: ". */
  readonly allowed: string;
  /** The field's schema, for OpenAPI and the form in the console. */
  readonly schema: JsonSchema;
  /**
   * Maximum length of the text of an option, in characters (`maxLengths`). Longer text is refused before it is read. Absent for
   * contents, which only the size of the request limits. Settings have no such limit.
   */
  readonly maxLength?: number;
  /** Returns the value, or undefined if the text is not allowed. */
  readonly read: (text: string) => T | undefined;
  /** Returns why a string is not allowed. Present if `allowed` alone is not specific enough. */
  readonly explain?: (text: string) => string | undefined;
}

export interface JsonSchema {
  readonly type?: 'string' | 'integer' | 'boolean' | 'number';
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly examples?: readonly string[];
}

/** Length limits of texts by what they contain, in characters. */
export const maxLengths = {
  /** A number, a measure, a colour, a date, or one word of a few. */
  word: 100,
  /** A name, a title or another line of text. */
  line: 4000,
  /** An address, or the value of a header. */
  address: 16_000,
  /** Several elements: page numbers, cookies, selectors. */
  list: 16_000,
  /** A configuration with one entry for each page. */
  config: 200_000,
} as const;

type ValueOf<K> = K extends Kind<infer T> ? T : never;

/** The value of a table row; never undefined if the row has a default. In a list, undefined is an empty field. */
export type RowValue<R> = R extends { kind: infer K; isRepeatable: true }
  ? readonly (ValueOf<K> | undefined)[] | undefined
  : R extends { kind: infer K; default: string }
    ? ValueOf<K>
    : R extends { kind: infer K }
      ? ValueOf<K> | undefined
      : never;

const flagWords = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** `true` or `1`, `false` or `0`, in any case. */
export const flag: Kind<boolean> = {
  allowed: 'true or false',
  schema: { type: 'boolean' },
  maxLength: maxLengths.word,
  read: (text) => flagWords.get(text.trim().toLowerCase()),
};

/** A decimal integer from `minimum` to `maximum`, inclusive. */
export function integer(minimum: number, maximum: number, unit = ''): Kind<number> {
  const schema = { type: 'integer', minimum, ...(maximum < Infinity && { maximum }) } as const;
  return {
    allowed: `a whole number ${range(minimum, maximum)}${unit && ` (${unit})`}`,
    schema,
    maxLength: maxLengths.word,
    read(text) {
      if (!/^\s*[+-]?\d{1,15}\s*$/.test(text)) return undefined;
      const value = Number(text);
      return value >= minimum && value <= maximum ? value : undefined;
    },
  };
}

/** A decimal number from `minimum` to `maximum`, inclusive. */
export function decimal(minimum: number, maximum: number): Kind<number> {
  return {
    allowed: `a number from ${minimum} to ${maximum}`,
    schema: { type: 'number', minimum, maximum },
    maxLength: maxLengths.word,
    read(text) {
      if (!/^\s*\d{1,15}(\.\d{1,15})?\s*$/.test(text)) return undefined;
      const value = Number(text);
      return value >= minimum && value <= maximum ? value : undefined;
    },
  };
}

/** One of `words`, in any case. The value is spelled as in `words`. */
export function oneOf<const W extends string>(words: readonly W[]): Kind<W> {
  return {
    allowed: words.join(', '),
    schema: { type: 'string', enum: words },
    maxLength: maxLengths.word,
    read(text) {
      const written = text.trim().toLowerCase();
      return words.find((word) => word.toLowerCase() === written);
    },
  };
}

/** Any text that is not empty, unchanged. */
export function text(allowed: string, maxLength: number = maxLengths.line): Kind<string> {
  return {
    allowed,
    schema: { type: 'string', minLength: 1 },
    maxLength,
    read: (value) => (value === '' ? undefined : value),
  };
}

/** `on` or `off`, or a word of `flag`. */
export const onOff: Kind<boolean> = {
  allowed: 'on or off',
  schema: { type: 'string', enum: ['on', 'off'] },
  maxLength: maxLengths.word,
  read(text) {
    const word = text.trim().toLowerCase();
    return word === 'on' ? true : word === 'off' ? false : flag.read(word);
  },
};

/** Elements separated by commas, each read by `read`. Blanks around elements, and empty elements, are ignored. */
export function listOf<T>(allowed: string, read: (element: string) => T | undefined): Kind<readonly T[]> {
  return {
    allowed,
    schema: { type: 'string' },
    maxLength: maxLengths.list,
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

// The kinds with a unit: lengths on paper, durations, sizes in bytes.

/** A length on paper. */
export type Inches = number;

const inchesPer = { pt: 1 / 72, px: 1 / 96, mm: 1 / 25.4, cm: 1 / 2.54, in: 1 } as const;
const lengthPattern = /^\s*(?:(0+(?:\.0+)?)|(\d+|\d*\.\d+)\s?(pt|px|mm|cm|in))\s*$/i;

/** `0`, or a decimal number with a unit; the value is in inches. */
export const length: Kind<Inches> = {
  allowed: '0, or a number with pt, px, mm, cm or in (such as 15mm or .5in)',
  schema: {
    type: 'string',
    pattern: '^(0+(\\.0+)?|(\\d+|\\d*\\.\\d+)(pt|px|mm|cm|in))$',
    examples: ['0.4in', '15mm'],
  },
  maxLength: maxLengths.word,
  read(text) {
    const match = lengthPattern.exec(text);
    if (match === null) return undefined;
    if (match[1] !== undefined) return 0;
    const inches = Number(match[2]) * inchesPer[(match[3] ?? 'in').toLowerCase() as keyof typeof inchesPer];
    return Number.isFinite(inches) ? inches : undefined;
  },
};

/** A duration in seconds (`90`, `90s`, `2m`, `500ms`, `1h`); the value is in milliseconds. */
export const duration: Kind<number> = {
  allowed: 'a number of seconds, or a number with ms, s, m or h (such as 90s or 2m)',
  schema: { type: 'string', pattern: '^\\d+(\\.\\d+)?(ms|s|m|h)?$' },
  maxLength: maxLengths.word,
  read: (text) => readQuantity(text, { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }, 's'),
};

/** A duration for a timer: at most 24 days, because Node's timers fire immediately beyond 2^31 ms. */
export const timeLimit: Kind<number> = {
  ...duration,
  allowed: `${duration.allowed}, at most 24 days`,
  read(text) {
    const value = duration.read(text);
    return value !== undefined && value <= 24 * 24 * 3_600_000 ? value : undefined;
  },
};

/** A size in megabytes of 1,000,000 bytes (`300`, `500kB`, `1GB`); the value is in bytes. */
export const megabytes: Kind<number> = {
  allowed: 'a number of megabytes, or a number with B, kB, MB or GB (such as 500kB or 1GB)',
  schema: { type: 'string', pattern: '^\\d+(\\.\\d+)?([kMG]?B)?$' },
  maxLength: maxLengths.word,
  read: (text) => readQuantity(text, { b: 1, kb: 1e3, mb: 1e6, gb: 1e9 }, 'mb'),
};

function readQuantity(
  text: string,
  units: Readonly<Record<string, number>>,
  defaultUnit: string,
): number | undefined {
  const match = /^\s*(\d+(?:\.\d+)?)\s?([a-z]*)\s*$/i.exec(text);
  if (match === null) return undefined;
  const factor = units[(match[2] ?? '') === '' ? defaultUnit : (match[2] ?? '').toLowerCase()];
  const value = factor === undefined ? 0 : Math.round(Number(match[1]) * factor);
  return value > 0 && Number.isSafeInteger(value) ? value : undefined;
}
