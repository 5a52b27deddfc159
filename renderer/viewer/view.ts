/** How a document is looked at: how large, and where. Kept when the document is replaced, and shared by two that are compared. */
import { signal, type Signal } from '@preact/signals';
import type { Place } from './layout.ts';
import type { Zoom } from './zoom.ts';

export interface View {
  readonly zoom: Signal<Zoom>;
  /** Who moves it sets it; the others follow. */
  readonly place: Signal<Place>;
  /** What the zoom comes to in the window there is. */
  readonly scale: Signal<number>;
  /** The page that is looked at, from 0. */
  readonly page: Signal<number>;
}

export function newView(): View {
  return {
    zoom: signal<Zoom>('width'),
    place: signal<Place>({ page: 0, y: 0, x: 0.5, at: { y: 16 } }),
    scale: signal(1),
    page: signal(0),
  };
}
