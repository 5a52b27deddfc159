/** The sheets of one document in a scroller; reports when all visible sheets are drawn. */
import { useRef } from 'preact/hooks';
import { usePan } from '../zoom/pan.ts';
import { SheetScroller, type Sheet } from './sheet-scroller.tsx';
import { SheetView } from './sheet-view.tsx';
import type { Sheets, Target } from './sheets.ts';
import type { View } from '../view.ts';
import { pageSteps, pictureSteps } from '../zoom/zoom.ts';

interface WatchedSheetsProps {
  readonly label: string;
  readonly sheets: Sheets;
  readonly view: View;
  readonly behind: boolean;
  readonly onReady: () => void;
}

export function WatchedSheets({ label, sheets, view, behind, onReady }: WatchedSheetsProps) {
  const drawn = useRef(new Set<number>());
  const seen = useRef<readonly [number, number]>([0, -1]);
  const pan = usePan();
  const note = (sheet: Sheet) => {
    drawn.current.add(sheet.page);
    const [first, last] = seen.current;
    for (let page = first; page <= last; page += 1) if (!drawn.current.has(page)) return;
    onReady();
  };
  const go = async (target: Target) => {
    const place = await sheets.pdf?.placeOf(target);
    if (place !== undefined) view.place.value = place;
  };
  return (
    <SheetScroller
      {...{ label, view, behind }}
      sizes={sheets.sizes.value}
      onSeen={(first, last) => {
        seen.current = [first, last];
      }}
      steps={sheets.kind === 'pdf' ? pageSteps : pictureSteps}
      {...(sheets.kind === 'picture' && { onPointerDown: pan })}
    >
      {(sheet) => (
        <SheetView
          {...{ sheets, sheet }}
          onDrawn={() => {
            note(sheet);
          }}
          onTarget={(target) => void go(target)}
        />
      )}
    </SheetScroller>
  );
}
