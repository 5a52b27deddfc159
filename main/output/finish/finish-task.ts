/** The task of a finishing thread: a printed PDF, and the steps to perform on it, as plain data. */
import type { FormField } from '../../engine/page-scripts/controls/form-field.ts';
import type { ContentPlacement } from '../pdf/print-plan.ts';
import type { ApiMatrix } from '../geometry.ts';
import type { PdfSizes } from '../pdf-reader/sizes.ts';
import type { AttachedFile } from './attachments/attach-files.ts';
import type { DocumentInfo } from './document-info.ts';
import type { ImageReplacementOptions } from './images/image-replacement.ts';
import type { PrintedAt } from './layers/links.ts';
import type { StandardTask } from './standards/conform.ts';
import type { ReservedSignature, SignatureTask } from './signature/signature.ts';
import type { QpdfOptions } from './qpdf.ts';
import type { Stamp } from './stamps/stamps.ts';
import type { ViewerOptions } from './viewer.ts';

/** Each property except `printed` is the input of a step, which is performed only if the property is present. */
export interface FinishTask {
  readonly printed: Uint8Array;
  /** The widths in points of pages that were printed wider than their paper; undefined for the other pages. */
  readonly pageWidths?: readonly (number | undefined)[];
  /** How the pages were printed. Present if the document has named destinations. */
  readonly printedAt?: PrintedAt;
  readonly placement?: ContentPlacement;
  /** The texts of the page's headings, in document order. Present if the document has an outline. */
  readonly headings?: readonly string[];
  readonly formFields?: readonly FormField[];
  /** Indices of the pages to keep, from 0. */
  readonly keptPages?: readonly number[];
  readonly headersAndFooters?: readonly HeaderFooterTask[];
  /** Present if the pages, headers or footers have shadings of type 1. */
  readonly hasFunctionShadings?: true;
  /** Present if the document has links to internal addresses of the job (`platen:`). */
  readonly hasInternalLinks?: true;
  readonly stamps?: readonly Stamp[];
  /** Colour of each page of the output, RRGGBB or RRGGBBAA. */
  readonly colours?: readonly (string | undefined)[];
  /** The JPEG files of the page. Present if the document has large unpacked images, which may be parts of them. */
  readonly jpegs?: readonly Uint8Array[];
  readonly images?: ImageReplacementOptions;
  readonly info?: DocumentInfo;
  readonly viewer?: ViewerOptions;
  readonly attachments?: AttachmentTask;
  /** Present if the same page must give the same bytes. */
  readonly isReproducible?: true;
  readonly standard?: StandardTask;
  readonly protection?: QpdfOptions;
  readonly signature?: SignatureTask;
  /** Present if the sizes of fonts and images are recorded. */
  readonly measuresSizes?: true;
}

/** The files to attach. */
export interface AttachmentTask {
  /** The thread reads the files: a copy of 300 MB between threads would block the main thread for a second. */
  readonly files: readonly AttachmentPath[];
  /** The path of the XML of an e-invoice. */
  readonly invoice?: string;
}

/** A file to attach, and where its bytes are. */
export interface AttachmentPath extends Omit<AttachedFile, 'bytes'> {
  readonly path: string;
}

/** Printed headers or footers, and their positions on the pages of the output. */
export interface HeaderFooterTask {
  readonly kind: 'Header' | 'Footer';
  readonly pdf: Uint8Array;
  readonly positions: readonly HeaderFooterPosition[];
}

/** The position of a header or footer on a page. Lengths are in points. */
export interface HeaderFooterPosition {
  /** Page index in the output, from 0. */
  readonly page: number;
  /** Page index in the PDF of headers or footers, from 0. */
  readonly sourcePage: number;
  /** The edge of the paper from which `offset` is measured, because @page rules may change the height of the paper. */
  readonly edge: 'top' | 'bottom';
  readonly offset: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
  /** The matrix of header_matrix or footer_matrix, relative to the upper left corner of the header or footer. */
  readonly matrix?: ApiMatrix;
}

export interface FinishResult {
  readonly bytes: Uint8Array;
  /** The duration of each step in milliseconds, for the debug log. */
  readonly stages: readonly { readonly name: string; readonly took: number }[];
  readonly notes: readonly FinishNote[];
  /** The room for the signature, if the task has one. */
  readonly signature?: ReservedSignature;
  /** Present if the task asks for it. */
  readonly sizes?: PdfSizes;
}

/** A note for the debug log. */
export interface FinishNote {
  readonly topic: 'images' | 'removed for a standard' | 'standard not met';
  readonly text: string;
}
