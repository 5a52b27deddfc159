/** Keeps the scroll position and the shared view in step: the window follows the view, and user input changes the view. */
import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type MutableRef } from 'preact/hooks';
import { pageSeen, placeAt, scrollFor, type ColumnLayout, type ViewPosition } from './layout.ts';
import type { ElementSize } from './element-size.ts';
import type { DocumentView } from './document-view.ts';
import { wheelStep, type Steps } from './zoom/zoom.ts';

interface Window {
  readonly root: RefObject<HTMLDivElement>;
  readonly room: ElementSize;
  readonly layout: ColumnLayout;
  readonly scale: number;
  readonly view: DocumentView;
  readonly steps: Steps;
  readonly behind: boolean;
}

export interface Scrolling {
  /** CSS pixels. */
  readonly top: number;
  readonly onScroll: () => void;
  readonly onWheel: (event: WheelEvent) => void;
}

export function useScrolling(window: Window): Scrolling {
  const { root, room, layout, view, behind, scale } = window;
  const latest = useRef(window);
  latest.current = window;
  /** The place that this window reached by scrolling; the view change it causes needs no scrolling here. */
  const lastReported = useRef<ViewPosition>();
  const { top, setTop, scrollTo, isOwnScroll, forget } = useScrollTo(latest);
  useLayoutEffect(() => {
    if (room.width > 0) scrollTo(view.place.peek());
    if (!behind) view.scale.value = scale;
  }, [layout, room, behind]);
  useEffect(
    () =>
      view.place.subscribe((place) => {
        if (place !== lastReported.current) scrollTo(place);
      }),
    [view],
  );
  useEffect(() => {
    if (!behind && room.width > 0) view.page.value = pageSeen(layout, top, room.height);
  }, [layout, room, behind, top]);
  const onScroll = () => {
    const element = root.current;
    if (element === null) return;
    setTop(element.scrollTop);
    if (behind || isOwnScroll(element)) return;
    forget();
    lastReported.current = placeIn(window, element);
    view.place.value = lastReported.current;
  };
  return {
    top,
    onScroll,
    onWheel: (event) => {
      zoomAt(latest.current, event);
    },
  };
}

/** Scrolls to positions, and distinguishes the resulting scroll events from those of the user. */
function useScrollTo(latest: MutableRef<Window>) {
  const [top, setTop] = useState(0);
  const last = useRef({ top: -1, left: -1 });
  const scrollTo = useCallback((place: ViewPosition) => {
    const { root, layout, room } = latest.current;
    if (root.current === null) return;
    root.current.scrollTo({ ...scrollFor(layout, place, room), behavior: 'instant' });
    last.current = { top: root.current.scrollTop, left: root.current.scrollLeft };
    setTop(root.current.scrollTop);
  }, []);
  const isOwnScroll = ({ scrollTop, scrollLeft }: HTMLElement) =>
    Math.abs(scrollTop - last.current.top) < 1 && Math.abs(scrollLeft - last.current.left) < 1;
  const forget = () => {
    last.current = { top: -1, left: -1 };
  };
  return { top, setTop, scrollTo, isOwnScroll, forget };
}

/** Ctrl+wheel zooms around the pointer; a touchpad pinch sends the same event. */
function zoomAt(window: Window, event: WheelEvent): void {
  const { root, view, steps, scale } = window;
  if (!event.ctrlKey || root.current === null) return;
  event.preventDefault();
  const { left, top } = root.current.getBoundingClientRect();
  const at = { x: event.clientX - left, y: event.clientY - top };
  view.place.value = { ...placeIn(window, root.current, at), at };
  view.zoom.value = wheelStep(scale, event.deltaY, steps);
}

/** The point of the document at a point of the window. */
function placeIn(
  { layout, room }: Window,
  element: HTMLElement,
  at?: { x: number; y: number },
): ViewPosition {
  const { x, y } = at ?? { x: room.width / 2, y: 0 };
  const place = placeAt(layout, element.scrollTop + y);
  const width = layout.boxes[place.page]?.width ?? 1;
  const start = (Math.max(layout.width, room.width) - width) / 2;
  return { ...place, x: (element.scrollLeft + x - start) / width };
}
