/**
 * What a typed field is. Options (from requests) and settings (from flags, environment and file) are both made
 * of kinds: how text becomes a value, what is allowed in words, and the same as JSON Schema.
 * It knows neither options nor settings.
 */
export interface Kind<T> {
  /** What is allowed, to follow "allowed: " in a message. */
  readonly allowed: string;
  /** The field's shape on the wire, for OpenAPI and the form of the user interface. */
  readonly schema: JsonSchema;
  /** The value, or undefined when the text is not allowed. */
  readonly read: (text: string) => T | undefined;
  /** What is wrong with a text that is not allowed, where `allowed` alone would not tell. */
  readonly why?: (text: string) => string | undefined;
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

export type ValueOf<K> = K extends Kind<infer T> ? T : never;

/** The value of a table's row: never undefined when the row has a default. */
export type RowValue<R> = R extends { kind: infer K; default: string }
  ? ValueOf<K>
  : R extends { kind: infer K }
    ? ValueOf<K> | undefined
    : never;
