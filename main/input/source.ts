/** The source that a window loads: a URL or an uploaded document, with the HTML of headers and footers. */
import type { Readable } from 'node:stream';
import type { HeaderFooterSide } from '../job/paper.ts';
import type { UnpackedArchive } from './archive/tree.ts';

export type Source = (
  | { readonly kind: 'remote'; readonly url: URL; readonly scripts: true }
  | {
      readonly kind: 'document';
      readonly bytes: Buffer<ArrayBuffer>;
      /** Includes a charset if it is known. Otherwise Chromium uses the document's declaration or guesses. */
      readonly contentType: string;
      /** False only if nothing in the document can run a script. */
      readonly scripts: boolean;
      /** Present if the document is static: no scripts, subresources, forms or relative links. */
      readonly staticText?: StaticText;
      /** The document's path among `files`, with slashes; `index.html` for a document without `files`. */
      readonly path: string;
      /** The files that relative addresses in the document refer to. */
      readonly files?: Files;
      /** Aborted if one of `files` cannot be read because the machine is out of resources: the output would be incomplete. */
      readonly unreadableFile?: AbortSignal;
    }
) & { readonly headerFooter?: HeaderFooterSources };

export interface StaticText {
  readonly html: string;
  /** The UTF-8 bytes of `html` read as Latin-1, without long base64 data. Faster to search for ASCII text than `html`. */
  readonly searchable: string;
}

/** The HTML of headers and footers. */
export type HeaderFooterSources = Partial<Readonly<Record<HeaderFooterSide, HeaderFooterSource>>>;

export type HeaderFooterSource =
  | {
      readonly kind: 'html';
      readonly html: string;
      /** The path of the HTML among the job's files. If absent, relative addresses are resolved against the main document. */
      readonly path?: string;
      /** Whether the HTML may run scripts. */
      readonly scripts: boolean;
      /** Whether the HTML is static: no scripts, subresources, forms or relative links. */
      readonly isStatic?: true;
    }
  | { readonly kind: 'remote'; readonly url: URL };

/** Returns the file at a path with slashes, percent-encoded as in a URL, or undefined if there is none. */
export type Files = (path: string) => Promise<StoredFile | undefined>;

export interface StoredFile {
  readonly contentType: string;
  /** In bytes. */
  readonly size: number;
  /** The bytes of a small file. A large file is read while it is sent. */
  readonly body: Buffer | Readable;
}

/** A document while prepareSource prepares it. */
export interface PreparedDocument {
  readonly bytes: Buffer<ArrayBuffer>;
  readonly contentType: string;
  readonly path: string;
  readonly files?: Files;
  readonly unreadableFile?: AbortSignal;
  /** The unpacked archive that contains the document. */
  readonly archive?: UnpackedArchive;
}
