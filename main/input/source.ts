/** What a window can load: an address on the network, or a document of the job's own; and what headers and footers are of. */
import type { Side } from '../job/paper.ts';

export type Source = (
  | { readonly kind: 'remote'; readonly url: URL; readonly scripts: true }
  | {
      readonly kind: 'document';
      readonly bytes: Buffer<ArrayBuffer>;
      /** With a charset when it is known; without one Chromium looks for a declaration and sniffs. */
      readonly contentType: string;
      /** False only when nothing in the document could run a script. */
      readonly scripts: boolean;
      /** The whole of it, when it is only text and style, which ask for nothing (inert.ts). */
      readonly text?: string;
      /** Its path among `files`, with slashes; `index.html` when it stands alone. */
      readonly path: string;
      /** What lies beside it. */
      readonly files?: Files;
      /** Aborts when one of them is there and cannot be read for want of room: without it the output would not be whole. */
      readonly unread?: AbortSignal;
    }
) & { readonly strips?: StripSources };

/** The HTML of headers and footers. */
export type StripSources = Partial<Readonly<Record<Side, StripSource>>>;

export type StripSource =
  | {
      readonly kind: 'html';
      readonly html: string;
      /** Its own path among the job's files; without one it starts from the main document's. */
      readonly path?: string;
      /** It is only text and style, which ask for nothing (inert.ts). */
      readonly inert?: true;
    }
  | { readonly kind: 'remote'; readonly url: URL };

/** A file by its path with slashes, percent-encoded as in an address; undefined when there is none. */
export type Files = (path: string) => Promise<StoredFile | undefined>;

export interface StoredFile {
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  readonly stream: ReadableStream;
}
