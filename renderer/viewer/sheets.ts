/** What is shown sheet by sheet, whether it is the pages of a PDF or a picture. */
import type { ReadonlySignal } from '@preact/signals';
import type { Place, Size } from './layout.ts';

export interface Sheets {
  /** Its elements keep to it when it comes from behind to the front. */
  readonly id: string;
  readonly kind: 'pdf' | 'picture';
  /** Those of later pages are taken for the first one's until they are known. */
  readonly sizes: ReadonlySignal<readonly Size[]>;
  /** Resolves when all sizes are known. */
  readonly measured: Promise<void>;
  /** Draws a page over the whole of a canvas. Rejects when `signal` aborts. */
  readonly draw: (page: number, canvas: HTMLCanvasElement, order: DrawingOrder) => Promise<void>;
  readonly picture?: Picture;
  readonly pdf?: PdfDocument;
  readonly close: () => void;
}

export interface DrawingOrder {
  readonly urgency: Urgency;
  readonly signal: AbortSignal;
}

/** What is looked at is drawn first, then the small pictures of pages, then what is only compared. */
export type Urgency = 'page' | 'thumbnail' | 'comparison';

export interface Picture {
  readonly url: string;
  /** In its own pixels. */
  readonly size: Size;
}

export interface PdfDocument {
  readonly encrypted: boolean;
  /** Puts the text of a page, unseen, over it, so that it can be selected. */
  readonly putText: (page: number, layer: HTMLElement, signal: AbortSignal) => Promise<void>;
  readonly links: (page: number) => Promise<readonly PdfLink[]>;
  readonly outline: () => Promise<readonly OutlineItem[]>;
  readonly placeOf: (target: Target) => Promise<Place | undefined>;
  /** What was kept to draw a page is not needed just now. */
  readonly release: (page: number) => void;
}

/** As a PDF names a place in itself (ISO 32000-2, 12.3.2): by name, or as an array. */
export type Target = string | readonly unknown[];

export interface PdfLink {
  /** Shares of the page's width and height. */
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly url?: string;
  readonly target?: Target;
}

export interface OutlineItem {
  readonly title: string;
  readonly target?: Target;
  readonly items: readonly OutlineItem[];
}

let last = 0;

export function newId(): string {
  last += 1;
  return `sheets-${last}`;
}
