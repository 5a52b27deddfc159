/** The nouns of the beginning: what a caller asked for, once everything about it is known to be sound. */
import type { StoredText, Upload } from './option-kinds.ts';
import type { OptionName, Options } from './options.ts';

export type Input =
  | { readonly kind: 'url'; readonly url: URL }
  | { readonly kind: 'file'; readonly upload: Upload }
  | { readonly kind: 'text'; readonly html: string | StoredText };

/** Something to say about the request itself; the debug log names it, and its finding. */
export interface JobNote {
  readonly text: string;
  readonly code: 'ignored-input' | 'name-as-content' | 'option-without-effect' | 'older-option';
  /** What it is about. */
  readonly options: readonly OptionName[];
}

export interface Job {
  /** Sortable by time, unique, safe in a header and a file name. */
  readonly id: string;
  /** Name of the account that pays. */
  readonly account: string;
  readonly input: Input;
  readonly options: Options;
  /** The options the caller gave; the others stand at their defaults. */
  readonly given: ReadonlySet<OptionName>;
  /** What was given, as the caller wrote it. */
  readonly written: ReadonlyMap<OptionName, string | Upload>;
  readonly notes: readonly JobNote[];
}

/** True for the picture formats. */
export function isImage(options: Options): boolean {
  return options.output_format !== 'pdf';
}
