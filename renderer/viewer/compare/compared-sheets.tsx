/** The pages of two outputs in one of three modes: side by side, differences over the first, or both with a slider. */
import type { ComponentChildren } from 'preact';
import { t } from '../../texts/text.ts';
import { usePan } from '../zoom/pan.ts';
import { SheetCanvas } from '../pages/sheet-canvas.tsx';
import { SheetScroller, type Sheet } from '../pages/sheet-scroller.tsx';
import type { Sheets } from '../pages/sheets.ts';
import type { View } from '../view.ts';
import { pageSteps, pictureSteps } from '../zoom/zoom.ts';
import type { Comparer } from './comparer.ts';
import { commonSizes, type SideName } from './difference.ts';
import { DifferenceBadge } from './difference-badge.tsx';
import { Marks } from './marks.tsx';

export type Mode = 'sides' | 'overlay' | 'slider';

export interface ComparedProps {
  readonly a: Sheets;
  readonly b: Sheets;
  readonly comparer: Comparer;
  readonly view: View;
  readonly mode: Mode;
  readonly marked: boolean;
  /** Visible share of the first output in slider mode, in percent. */
  readonly slid: number;
}

export function ComparedSheets(props: ComparedProps) {
  const { mode, slid } = props;
  if (mode === 'sides')
    return (
      <>
        <Pane {...props} label={t('compare.side.a')}>
          {(sheet) => <OneSide {...props} sheet={sheet} side="a" />}
        </Pane>
        <Pane {...props} label={t('compare.side.b')}>
          {(sheet) => <OneSide {...props} sheet={sheet} side="b" />}
        </Pane>
      </>
    );
  if (mode === 'overlay')
    return (
      <Pane {...props} label={t('compare.mode.overlay')}>
        {(sheet) => (
          <OneSide
            {...props}
            marked
            sheet={sheet}
            side={sheet.page < props.a.sizes.value.length ? 'a' : 'b'}
          />
        )}
      </Pane>
    );
  return (
    <Pane {...props} label={t('compare.mode.slider')}>
      {(sheet) => (
        <>
          <OneSide {...props} marked={false} sheet={sheet} side="a" />
          <div class="compare-over" style={{ clipPath: `inset(0 0 0 ${slid}%)` }}>
            <OneSide {...props} marked={false} sheet={sheet} side="b" />
          </div>
          <div class="compare-line" style={{ left: `${slid}%` }} />
        </>
      )}
    </Pane>
  );
}

interface PaneProps extends ComparedProps {
  readonly label: string;
  readonly children: (sheet: Sheet) => ComponentChildren;
}

function Pane({ a, b, view, label, comparer, children }: PaneProps) {
  const pan = usePan();
  return (
    <div class="compare-pane" data-kind={a.kind}>
      <SheetScroller
        label={label}
        view={view}
        sizes={commonSizes(a.sizes.value, b.sizes.value)}
        steps={a.kind === 'pdf' ? pageSteps : pictureSteps}
        onPointerDown={pan}
      >
        {(sheet) => (
          <>
            {children(sheet)}
            <DifferenceBadge found={comparer.differences.value.get(sheet.page)} />
          </>
        )}
      </SheetScroller>
    </div>
  );
}

interface OneSideProps extends ComparedProps {
  readonly sheet: Sheet;
  readonly side: SideName;
}

function OneSide(props: OneSideProps) {
  const { comparer, marked, mode, sheet, side } = props;
  const sheets = props[side];
  const size = sheets.sizes.value[sheet.page];
  if (size === undefined) return <p class="compare-none">{t('compare.none')}</p>;
  const box = { width: size.width * sheet.scale, height: size.height * sheet.scale };
  return (
    <>
      <div
        class="compare-sheet"
        data-faded={mode === 'overlay'}
        style={{ width: `${box.width}px`, height: `${box.height}px` }}
      >
        {sheets.picture === undefined ? (
          <SheetCanvas {...{ sheets, box }} page={sheet.page} ratio={sheet.ratio} urgency="page" />
        ) : (
          <img
            class="sheet-picture"
            src={sheets.picture.url}
            alt=""
            draggable={false}
            data-pixels={sheet.scale > 2}
          />
        )}
      </div>
      {marked && <Marks comparer={comparer} page={sheet.page} />}
    </>
  );
}
