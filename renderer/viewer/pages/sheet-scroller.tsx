/** Scrolls a column of sheets. Only sheets near the visible area are mounted, so a thousand pages are as fast as two. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { layoutOf, pagesBetween, type SheetBox, type ColumnLayout, type SheetSize } from '../layout.ts';
import { useElementSize, type ElementSize } from '../element-size.ts';
import { useScrolling } from '../scrolling.ts';
import type { DocumentView } from '../document-view.ts';
import { scaleOf, type ZoomSteps } from '../zoom/zoom.ts';

interface ScrollerProps {
  readonly label: string;
  readonly sizes: readonly SheetSize[];
  readonly steps: ZoomSteps;
  readonly view: DocumentView;
  /**
   * Whether the document is invisible and being prepared (double buffering). Such a document follows the view, but does not change
   * it.
   */
  readonly isBackBuffer?: boolean;
  /** Called with the first and the last visible sheet. */
  readonly onSeen?: (first: number, last: number) => void;
  /** Starts panning by dragging. */
  readonly onPointerDown?: (event: PointerEvent) => void;
  readonly children: (sheet: Sheet) => ComponentChildren;
}

export interface Sheet {
  readonly page: number;
  readonly box: SheetBox;
  readonly scale: number;
  readonly ratio: number;
}

export function SheetScroller(props: ScrollerProps) {
  const { label, sizes, view, steps, isBackBuffer = false, onSeen, onPointerDown, children } = props;
  const root = useRef<HTMLDivElement>(null);
  const viewport = useElementSize(root);
  const scale = scaleOf(view.zoom.value, { sizes, viewport: viewport, steps });
  const layout = useMemo(() => layoutOf(sizes, scale, viewport.ratio), [sizes, scale, viewport.ratio]);
  const { top, onScroll, onWheel } = useScrolling({
    root,
    viewport: viewport,
    layout,
    scale,
    view,
    steps,
    isBackBuffer,
  });
  const [first, last] = pagesBetween(layout, top, top + viewport.height);
  useLayoutEffect(() => onSeen?.(first, last), [first, last]);
  return (
    <div
      ref={root}
      class="sheets"
      role="region"
      aria-label={label}
      tabIndex={isBackBuffer ? -1 : 0}
      aria-hidden={isBackBuffer}
      data-back-buffer={isBackBuffer}
      // A document is not mirrored in a right-to-left interface.
      dir="ltr"
      onScroll={onScroll}
      onWheel={onWheel}
      onPointerDown={onPointerDown}
    >
      <div class="sheets-all" style={{ height: `${layout.height}px`, width: `${layout.width}px` }}>
        {viewport.width > 0 &&
          sheetsNear(layout, viewport, top).map(({ page, box }) => (
            <div
              key={page}
              class="sheet"
              data-page={page + 1}
              style={{ top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px` }}
            >
              {children({ page, box, scale, ratio: viewport.ratio })}
            </div>
          ))}
      </div>
    </div>
  );
}

type PlacedSheet = Pick<Sheet, 'page' | 'box'>;

/** Returns the visible sheets, and the sheets within half a viewport height above and below them. */
function sheetsNear(layout: ColumnLayout, viewport: ElementSize, top: number): readonly PlacedSheet[] {
  const [first, last] = pagesBetween(layout, top - viewport.height / 2, top + viewport.height * 1.5);
  return layout.boxes.slice(first, last + 1).map((box, index) => ({ page: first + index, box }));
}
