/** A document shown sheet by sheet: the pages of a PDF, or an image. */
import type { ReadonlySignal } from '@preact/signals';
import type { ViewPosition, SheetSize } from '../layout.ts';

export interface Sheets {
  /** Preact key. It stays the same when a document that was rendered hidden becomes visible, so Preact keeps the DOM. */
  readonly id: string;
  readonly kind: 'pdf' | 'image';
  /** Pages that are not measured yet have the size of the first page. */
  readonly sizes: ReadonlySignal<readonly SheetSize[]>;
  /** Resolves when all sizes are known. */
  readonly measured: Promise<void>;
  /** Draws a page over the whole canvas. Rejects if `signal` aborts. */
  readonly draw: (page: number, canvas: HTMLCanvasElement, order: DrawingOptions) => Promise<void>;
  readonly image?: OpenedImage;
  readonly pdf?: PdfDocument;
  readonly close: () => void;
}

export interface DrawingOptions {
  readonly urgency: DrawingPriority;
  readonly signal: AbortSignal;
}

/** Visible pages are drawn first, then thumbnails, then pages that are only compared. */
export type DrawingPriority = 'page' | 'thumbnail' | 'comparison';

export interface OpenedImage {
  readonly url: string;
  /** The intrinsic size in pixels. */
  readonly size: SheetSize;
}

export interface PdfDocument {
  /** Whether the PDF is encrypted, even if it opens without a password. */
  readonly encrypted: boolean;
  /** Renders the text of a page into the layer as transparent elements, so that the user can select it. */
  readonly renderText: (page: number, layer: HTMLElement, signal: AbortSignal) => Promise<void>;
  readonly links: (page: number) => Promise<readonly PdfLink[]>;
  readonly outline: () => Promise<readonly OutlineEntry[]>;
  /** Returns the position of a destination; undefined if the destination is not valid. */
  readonly positionOf: (target: PdfDestination) => Promise<ViewPosition | undefined>;
  /** Frees the memory that pdf.js keeps for drawing a page. */
  readonly release: (page: number) => void;
}

/** A PDF destination (ISO 32000-2, 12.3.2): a name or an array. */
export type PdfDestination = string | readonly unknown[];

export interface PdfLink {
  /** Fractions of the page's width and height. */
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly url?: string;
  readonly target?: PdfDestination;
  /** The page text under the link; undefined if there is none. */
  readonly label?: string;
}

export interface OutlineEntry {
  readonly title: string;
  readonly target?: PdfDestination;
  readonly items: readonly OutlineEntry[];
}

let lastId = 0;

export function newId(): string {
  lastId += 1;
  return `sheets-${lastId}`;
}
