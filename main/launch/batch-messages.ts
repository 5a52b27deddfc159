/** What `platen convert` and the Electron it has started say to each other, over Node's channel, besides messages.ts. */

/** From the launcher: a conversion to be done. */
export interface BatchOrder {
  readonly kind: 'convert';
  /** Comes back with the report. */
  readonly number: number;
  /** The options, by their wire names. */
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  readonly files: readonly OrderedFile[];
  /** Absolute; an empty file. */
  readonly output: string;
  /** Where its debug log goes, as a page; absolute. */
  readonly debugLog?: string;
}

export interface OrderedFile {
  /** The option's. */
  readonly name: string;
  /** Absolute. It is read where it is. */
  readonly path: string;
  /** For messages. */
  readonly filename: string;
  /** Folder whose files the page may load, absolute, and the page's path in it, with slashes. */
  readonly beside?: { readonly root: string; readonly path: string };
}

/** From Electron: how one ended. Times are milliseconds. */
export type BatchReport = { readonly number: number; readonly took: number } & (
  | {
      readonly kind: 'converted';
      readonly bytes: number;
      /** Of a PDF. */
      readonly pages?: number;
      readonly stages: Readonly<Record<string, number>>;
    }
  | {
      readonly kind: 'failed';
      readonly status: number;
      readonly reason: number;
      readonly message: string;
      /** Seconds. */
      readonly retryAfter?: number;
    }
);
