/** What a template job is made of: the shapes fill-template.ts, the worker and both engines agree on. */

export interface TemplateOptions {
  readonly template_engine: 'handlebars' | 'jinja' | 'auto';
  readonly data_format: DataFormat | 'auto';
  /** Any charset a browser or iconv knows; a byte order mark beats it. */
  readonly data_encoding: string;
  readonly data_ignore_undefined: boolean;
  /** Without it Handlebars escapes and Jinja does not, as their users expect. */
  readonly data_auto_escape?: boolean;
  readonly data_trim_blocks: boolean;
  /** What marks a variable in Jinja: `{{ }}`, `[[ ]]` or `<< >>`. */
  readonly data_variable_markers: VariableMarkers;
  /** Comma separated `key=value`: csv_delimiter, xml_remove_root, data_root. */
  readonly data_options?: string;
  /** BCP 47, for dates and numbers. */
  readonly locale: string;
}

export type VariableMarkers = 'standard' | 'square' | 'angle';

export type DataFormat = 'json' | 'xml' | 'yaml' | 'csv';

export interface TemplateLimits {
  readonly seconds: number;
  /** Of the worker's heap. */
  readonly memoryBytes: number;
  readonly outputBytes: number;
  readonly dataBytes: number;
}

/** Memory is eight times the largest output and 32 times the largest data, so that no single piece can burst the heap. */
export const defaultLimits: TemplateLimits = {
  seconds: 20,
  memoryBytes: 1_000_000_000,
  outputBytes: 100_000_000,
  dataBytes: 32_000_000,
};

/** What the worker is given. */
export interface Task {
  readonly template: string;
  readonly data: Uint8Array;
  readonly options: TemplateOptions;
  readonly limits: TemplateLimits;
}

/** What the worker says, once. `html` is UTF-8. */
export type Answer =
  | { readonly kind: 'filled'; readonly html: Uint8Array; readonly notes: readonly string[] }
  | { readonly kind: 'problem'; readonly sentence: string }
  | { readonly kind: 'fault'; readonly stack: string };
