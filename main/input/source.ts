/** The source that a window loads: an address or an uploaded document, with the HTML of headers and footers. */
import type { HeaderFooterSide } from '../job/paper.ts';
import type { UnpackedArchive } from './archive/tree.ts';

export type Source = (
  | { readonly kind: 'remote'; readonly url: URL; readonly scripts: true }
  | {
      readonly kind: 'document';
      readonly bytes: Buffer<ArrayBuffer>;
      /** Contains a charset if it is known. Otherwise Chromium looks for a declaration and sniffs. */
      readonly contentType: string;
      /** False only if nothing in the document can run a script. */
      readonly scripts: boolean;
      /** The text of the document, if it is static (static-document.ts). */
      readonly staticText?: string;
      /** Its path among `files`, with slashes; `index.html` for a single document. */
      readonly path: string;
      /** The sibling files. */
      readonly files?: Files;
      /** Aborts if a sibling file cannot be read because the machine is out of resources, since the output would be incomplete. */
      readonly unreadableFile?: AbortSignal;
    }
) & { readonly headerFooter?: HeaderFooterSources };

/** The HTML of headers and footers. */
export type HeaderFooterSources = Partial<Readonly<Record<HeaderFooterSide, HeaderFooterSource>>>;

export type HeaderFooterSource =
  | {
      readonly kind: 'html';
      readonly html: string;
      /** Its path among the job's files. Without one, relative addresses are resolved against the main document. */
      readonly path?: string;
      /** The HTML is a static document (static-document.ts). */
      readonly isStatic?: true;
    }
  | { readonly kind: 'remote'; readonly url: URL };

/** Returns the file at a path with slashes, percent-encoded as in a URL, or undefined. */
export type Files = (path: string) => Promise<StoredFile | undefined>;

export interface StoredFile {
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  readonly stream: ReadableStream;
}

/** A document in preparation. */
export interface PreparedDocument {
  readonly bytes: Buffer<ArrayBuffer>;
  readonly contentType: string;
  readonly path: string;
  readonly files?: Files;
  readonly unreadableFile?: AbortSignal;
  /** The unpacked archive that contains it. */
  readonly archive?: UnpackedArchive;
}
