/**
 * Synchronises a scroller with the shared view: the scroller scrolls when the view changes, and changes the view when the user
 * scrolls.
 */
import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type MutableRef } from 'preact/hooks';
import { currentPageOf, positionAt, scrollFor, type ColumnLayout, type ViewPosition } from './layout.ts';
import type { ElementSize } from './element-size.ts';
import type { DocumentView } from './document-view.ts';
import { wheelStep, type ZoomSteps } from './zoom/zoom.ts';

interface ScrollContext {
  readonly root: RefObject<HTMLDivElement>;
  readonly viewport: ElementSize;
  readonly layout: ColumnLayout;
  readonly scale: number;
  readonly view: DocumentView;
  readonly steps: ZoomSteps;
  readonly isBackBuffer: boolean;
}

interface Scrolling {
  /** The scroll offset in CSS pixels. */
  readonly top: number;
  readonly onScroll: () => void;
  readonly onWheel: (event: WheelEvent) => void;
}

export function useScrolling(context: ScrollContext): Scrolling {
  const { root, viewport, layout, view, isBackBuffer, scale } = context;
  const latest = useRef(context);
  latest.current = context;
  /**
   * The last position that this scroller reported to the view. The scroller must not scroll when the view changes to this position.
   */
  const lastReported = useRef<ViewPosition>();
  const { top, setTop, scrollTo, isOwnScroll, forget } = useScrollTo(latest);
  useLayoutEffect(() => {
    if (viewport.width > 0) scrollTo(view.position.peek());
    if (!isBackBuffer) view.scale.value = scale;
  }, [layout, viewport, isBackBuffer]);
  useEffect(
    () =>
      view.position.subscribe((position) => {
        if (position !== lastReported.current) scrollTo(position);
      }),
    [view],
  );
  useEffect(() => {
    if (!isBackBuffer && viewport.width > 0) view.page.value = currentPageOf(layout, top, viewport.height);
  }, [layout, viewport, isBackBuffer, top]);
  const onScroll = () => {
    const element = root.current;
    if (element === null) return;
    setTop(element.scrollTop);
    if (isBackBuffer || isOwnScroll(element)) return;
    forget();
    lastReported.current = positionIn(context, element);
    view.position.value = lastReported.current;
  };
  return {
    top,
    onScroll,
    onWheel: (event) => {
      zoomAt(latest.current, event);
    },
  };
}

/** Scrolls to positions, and distinguishes the resulting scroll events from those that the user causes. */
function useScrollTo(latest: MutableRef<ScrollContext>) {
  const [top, setTop] = useState(0);
  const lastScroll = useRef({ top: -1, left: -1 });
  const scrollTo = useCallback((position: ViewPosition) => {
    const { root, layout, viewport } = latest.current;
    if (root.current === null) return;
    root.current.scrollTo({ ...scrollFor(layout, position, viewport), behavior: 'instant' });
    lastScroll.current = { top: root.current.scrollTop, left: root.current.scrollLeft };
    setTop(root.current.scrollTop);
  }, []);
  const isOwnScroll = ({ scrollTop, scrollLeft }: HTMLElement) =>
    Math.abs(scrollTop - lastScroll.current.top) < 1 && Math.abs(scrollLeft - lastScroll.current.left) < 1;
  const forgetOwnScroll = () => {
    lastScroll.current = { top: -1, left: -1 };
  };
  return { top, setTop, scrollTo, isOwnScroll, forget: forgetOwnScroll };
}

/** Zooms around the pointer on Ctrl+wheel; a touchpad pinch sends the same event. */
function zoomAt(context: ScrollContext, event: WheelEvent): void {
  const { root, view, steps, scale } = context;
  if (!event.ctrlKey || root.current === null) return;
  event.preventDefault();
  const { left, top } = root.current.getBoundingClientRect();
  const at = { x: event.clientX - left, y: event.clientY - top };
  view.position.value = { ...positionIn(context, root.current, at), at };
  view.zoom.value = wheelStep(scale, event.deltaY, steps);
}

/** Returns the position in the document at a point of the viewport; by default, at the middle of the upper edge. */
function positionIn(
  { layout, viewport }: ScrollContext,
  element: HTMLElement,
  at?: { x: number; y: number },
): ViewPosition {
  const { x, y } = at ?? { x: viewport.width / 2, y: 0 };
  const position = positionAt(layout, element.scrollTop + y);
  const width = layout.boxes[position.page]?.width ?? 1;
  const start = (Math.max(layout.width, viewport.width) - width) / 2;
  return { ...position, x: (element.scrollLeft + x - start) / width };
}
