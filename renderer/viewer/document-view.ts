/**
 * The zoom and scroll position of the viewer. They are kept when another document is shown, and shared by two compared documents.
 */
import { signal, type Signal } from '@preact/signals';
import type { ViewPosition } from './layout.ts';
import type { Zoom } from './zoom/zoom.ts';

export interface DocumentView {
  readonly zoom: Signal<Zoom>;
  /** Set by the scroller in which the user scrolls; the other scrollers follow. */
  readonly position: Signal<ViewPosition>;
  /** The scale that the zoom results in at the current size of the viewer; 1 is 100 %. */
  readonly scale: Signal<number>;
  /** The current page, from 0. */
  readonly page: Signal<number>;
}

export function newDocumentView(): DocumentView {
  return {
    zoom: signal<Zoom>('width'),
    position: signal<ViewPosition>({ page: 0, y: 0, x: 0.5, at: { y: 16 } }),
    scale: signal(1),
    page: signal(0),
  };
}
