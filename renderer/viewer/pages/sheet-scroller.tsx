/** Scrolls a column of sheets. Only sheets near the visible area are mounted, so a thousand pages are as fast as two. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { layoutOf, pagesBetween, type SheetBox, type ColumnLayout, type SheetSize } from '../layout.ts';
import { useElementSize, type ElementSize } from '../element-size.ts';
import { useScrolling } from '../scrolling.ts';
import type { DocumentView } from '../document-view.ts';
import { scaleOf, type Steps } from '../zoom/zoom.ts';

export interface ScrollerProps {
  readonly label: string;
  readonly sizes: readonly SheetSize[];
  readonly steps: Steps;
  readonly view: DocumentView;
  /** A document being prepared behind the one shown: it follows the view and does not move it. */
  readonly behind?: boolean;
  /** Receives the first and the last visible sheet. */
  readonly onSeen?: (first: number, last: number) => void;
  /** Starts panning by drag. */
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
  const { label, sizes, view, steps, behind = false, onSeen, onPointerDown, children } = props;
  const root = useRef<HTMLDivElement>(null);
  const room = useElementSize(root);
  const scale = scaleOf(view.zoom.value, { sizes, room, steps });
  const layout = useMemo(() => layoutOf(sizes, scale, room.ratio), [sizes, scale, room.ratio]);
  const { top, onScroll, onWheel } = useScrolling({ root, room, layout, scale, view, steps, behind });
  const [first, last] = pagesBetween(layout, top, top + room.height);
  useLayoutEffect(() => onSeen?.(first, last), [first, last]);
  return (
    <div
      ref={root}
      class="sheets"
      role="region"
      aria-label={label}
      tabIndex={behind ? -1 : 0}
      aria-hidden={behind}
      data-behind={behind}
      // A document is not mirrored in a right-to-left interface.
      dir="ltr"
      onScroll={onScroll}
      onWheel={onWheel}
      onPointerDown={onPointerDown}
    >
      <div class="sheets-all" style={{ height: `${layout.height}px`, width: `${layout.width}px` }}>
        {room.width > 0 &&
          near(layout, room, top).map(({ page, box }) => (
            <div
              key={page}
              class="sheet"
              data-page={page + 1}
              style={{ top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px` }}
            >
              {children({ page, box, scale, ratio: room.ratio })}
            </div>
          ))}
      </div>
    </div>
  );
}

type Near = Pick<Sheet, 'page' | 'box'>;

/** The visible sheets, and the sheets within half a window of them. */
function near(layout: ColumnLayout, room: ElementSize, top: number): readonly Near[] {
  const [first, last] = pagesBetween(layout, top - room.height / 2, top + room.height * 1.5);
  return layout.boxes.slice(first, last + 1).map((box, index) => ({ page: first + index, box }));
}
