/** The pages of two outputs: side by side, as an overlay of the differences on the first output, or with a slider between both. */
import type { ComponentChildren } from 'preact';
import { numberFormat, t } from '../texts/text.ts';
import { usePan } from '../viewer/zoom/pan.ts';
import { SheetCanvas } from '../viewer/pages/sheet-canvas.tsx';
import { SheetScroller, type Sheet } from '../viewer/pages/sheet-scroller.tsx';
import type { Sheets } from '../viewer/pages/sheets.ts';
import type { DocumentView } from '../viewer/document-view.ts';
import { pageSteps, imageSteps } from '../viewer/zoom/zoom.ts';
import type { Comparer } from './comparer.ts';
import { commonSizes, type SideName, type PageDifference } from './difference.ts';
import { useEffect, useRef } from 'preact/hooks';

export type ComparisonMode = 'sides' | 'overlay' | 'slider';

interface ComparedProps {
  readonly a: Sheets;
  readonly b: Sheets;
  readonly comparer: Comparer;
  readonly view: DocumentView;
  readonly mode: ComparisonMode;
  readonly marked: boolean;
  /** The visible share of the first output in slider mode, in percent. */
  readonly sliderPosition: number;
}

export function ComparedSheets(props: ComparedProps) {
  const { mode, sliderPosition } = props;
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
          <div class="compare-over" style={{ clipPath: `inset(0 0 0 ${sliderPosition}%)` }}>
            <OneSide {...props} marked={false} sheet={sheet} side="b" />
          </div>
          <div class="compare-line" style={{ left: `${sliderPosition}%` }} />
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
        steps={a.kind === 'pdf' ? pageSteps : imageSteps}
        onPointerDown={pan}
      >
        {(sheet) => (
          <>
            {children(sheet)}
            <DifferenceBadge difference={comparer.differences.value.get(sheet.page)} />
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
        {sheets.image === undefined ? (
          <SheetCanvas sheets={sheets} box={box} page={sheet.page} ratio={sheet.ratio} urgency="page" />
        ) : (
          <img
            class="sheet-image"
            src={sheets.image.url}
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

interface MarksProps {
  readonly comparer: Comparer;
  readonly page: number;
}

/** The mask is drawn at each of these offsets (in pixels), so that even a single differing pixel is visible. */
const markOffsets = [-2, 0, 2];

function Marks({ comparer, page }: MarksProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const found = comparer.differences.value.get(page)?.kind;
  useEffect(() => {
    let isCurrent = true;
    if (found === 'differs')
      void comparer.mask(page).then((mask) => {
        if (isCurrent && mask !== undefined && canvas.current !== null) draw(canvas.current, mask);
      });
    return () => {
      isCurrent = false;
    };
  }, [comparer, page, found]);
  return found === 'differs' ? <canvas ref={canvas} class="compare-marks" aria-hidden="true" /> : null;
}

function draw(canvas: HTMLCanvasElement, mask: ImageBitmap): void {
  canvas.width = mask.width;
  canvas.height = mask.height;
  const context = canvas.getContext('2d');
  if (context === null) return;
  for (const x of markOffsets) for (const y of markOffsets) context.drawImage(mask, x, y);
  // The style sheet sets the colour; only the alpha channel of the mask is used.
  context.globalCompositeOperation = 'source-in';
  context.fillStyle = getComputedStyle(canvas).color;
  context.fillRect(0, 0, canvas.width, canvas.height);
}

function DifferenceBadge({ difference }: { readonly difference: PageDifference | undefined }) {
  if (difference === undefined) return null;
  return (
    <span class="badge compare-badge" data-kind={difference.kind}>
      {differenceText(difference)}
    </span>
  );
}

function differenceText(difference: PageDifference): string {
  switch (difference.kind) {
    case 'identical':
      return t('compare.identical');
    case 'unknown':
      return t('compare.unknown');
    case 'only':
      return t(`compare.only.${difference.side}`);
    case 'differs':
      return t(difference.resized ? 'compare.resized' : 'compare.differs', {
        share: shareText(difference.share),
      });
  }
}

/** Formats a share as percent. A share below 0.01 % becomes `< 0.01 %`. */
function shareText(share: number): string {
  const format = numberFormat({ style: 'percent', maximumSignificantDigits: 2 });
  return share < 0.0001 ? `< ${format.format(0.0001)}` : format.format(share);
}
