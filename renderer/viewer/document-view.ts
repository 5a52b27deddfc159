/** Zoom and scroll position of a document. Kept when the document is replaced, and shared by two compared documents. */
import { signal, type Signal } from '@preact/signals';
import type { ViewPosition } from './layout.ts';
import type { Zoom } from './zoom/zoom.ts';

export interface DocumentView {
  readonly zoom: Signal<Zoom>;
  /** Set by the scroller that the user moves; the other scrollers follow. */
  readonly place: Signal<ViewPosition>;
  /** The effective scale of the zoom at the current size of the viewer. */
  readonly scale: Signal<number>;
  /** The current page, from 0. */
  readonly page: Signal<number>;
}

export function newDocumentView(): DocumentView {
  return {
    zoom: signal<Zoom>('width'),
    place: signal<ViewPosition>({ page: 0, y: 0, x: 0.5, at: { y: 16 } }),
    scale: signal(1),
    page: signal(0),
  };
}
