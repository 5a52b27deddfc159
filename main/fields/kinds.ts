/** The kinds of values that both options (from requests) and settings (from flags, environment and file) can have. */

/** The type of a field: how to read its text, and which values are allowed, as a text and as JSON Schema. */
export interface Kind<T> {
  /** Describes the allowed values. Messages show this text after "allowed: ". */
  readonly allowed: string;
  /** The field's schema, for OpenAPI and the form in the console. */
  readonly schema: JsonSchema;
  /** Returns the value, or undefined if the text is not allowed. */
  readonly read: (text: string) => T | undefined;
  /** Returns why a text is not allowed. Present if `allowed` alone is not specific enough. */
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

type ValueOf<K> = K extends Kind<infer T> ? T : never;

/** The value of a table row; never undefined if the row has a default. */
export type RowValue<R> = R extends { kind: infer K; default: string }
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
  read: (text) => flagWords.get(text.trim().toLowerCase()),
};

/** A decimal integer from `minimum` to `maximum`, inclusive. */
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

/** A decimal number from `minimum` to `maximum`, inclusive. */
export function decimal(minimum: number, maximum: number): Kind<number> {
  return {
    allowed: `a number from ${minimum} to ${maximum}`,
    schema: { type: 'number', minimum, maximum },
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
    read: (text) => words.find((word) => word.toLowerCase() === text.trim().toLowerCase()),
  };
}

/** Any text that is not empty, unchanged. */
export function text(allowed: string): Kind<string> {
  return {
    allowed,
    schema: { type: 'string', minLength: 1 },
    read: (value) => (value === '' ? undefined : value),
  };
}

/** `on` or `off`, or a word of `flag`. */
export const onOff: Kind<boolean> = {
  allowed: 'on or off',
  schema: { type: 'string', enum: ['on', 'off'] },
  read: (value) => flag.read(value.replace(/^\s*on\s*$/i, 'true').replace(/^\s*off\s*$/i, 'false')),
};

/** Elements separated by commas, each read by `read`. Blanks around elements, and empty elements, are ignored. */
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
