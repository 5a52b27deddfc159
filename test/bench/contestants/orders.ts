/** What the benchmark and a contestant's own program tell each other, as messages between processes. */
import type { Wanted } from '../documents/document.ts';
import type { Lap, Load } from '../lap.ts';

export interface OrderedDocument {
  /** The file with its HTML. */
  readonly file: string;
  /** Where it is loaded from. */
  readonly url: string;
  readonly scripts: boolean;
  readonly wanted: Wanted;
}

export interface Order {
  readonly document: OrderedDocument;
  /** Converts for a lap. */
  readonly load?: Load;
  /** Converts once, into this file. */
  readonly output?: string;
}

export type Answer =
  | { readonly kind: 'ready'; readonly url?: string }
  | { readonly kind: 'lap'; readonly lap: Lap }
  | { readonly kind: 'problem'; readonly problem: string };
