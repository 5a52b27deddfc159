/** Compares two open outputs: toolbar, thumbnails with marks, and pages. */
import { useComputed, useSignal } from '@preact/signals';
import { FileQuestion } from 'lucide-preact';
import { useEffect, useMemo } from 'preact/hooks';
import { Empty } from '../parts/empty.tsx';
import { t } from '../texts/text.ts';
import { goTo } from '../viewer/page-field.tsx';
import type { Sheets } from '../viewer/pages/sheets.ts';
import { Thumbnails } from '../viewer/sidebar/thumbnails.tsx';
import { newDocumentView, type DocumentView } from '../viewer/document-view.ts';
import { onZoomKey } from '../viewer/zoom/zoom-control.tsx';
import { pageSteps, imageSteps } from '../viewer/zoom/zoom.ts';
import { ComparedSheets, type ComparisonMode } from './compared-sheets.tsx';
import { switchSide, CompareToolbar } from './compare-toolbar.tsx';
import { openComparer, type Comparer } from './comparer.ts';
import { commonSizes, isDifference, nextDifference } from './difference.ts';

interface ComparisonProps {
  readonly a: Sheets;
  readonly b: Sheets;
  readonly mode: ComparisonMode;
}

export function Comparison(props: ComparisonProps) {
  if (props.a.kind === props.b.kind) return <SameKind {...props} />;
  return (
    <Empty icon={FileQuestion} title={t('compare.kinds.title')}>
      {t('compare.kinds.sentence')}
    </Empty>
  );
}

/** The zoom and position for each kind of output. They are kept when the user chooses another output. */
const views: Readonly<Record<Sheets['kind'], DocumentView>> = {
  pdf: newDocumentView(),
  image: newDocumentView(),
};

function SameKind({ a, b, mode }: ComparisonProps) {
  const view = views[a.kind];
  const comparer = useMemo(() => openComparer(a, b, view), [a, b]);
  useEffect(() => comparer.close, [comparer]);
  const sliderPosition = useSignal(50);
  const marked = useSignal(true);
  const pages = commonSizes(a.sizes.value, b.sizes.value).length;
  const jump = (step: 1 | -1) => {
    const page = nextDifference(comparer.differences.value, view.page.peek(), step);
    if (page !== undefined) goTo(view, page);
  };
  const steps = a.kind === 'pdf' ? pageSteps : imageSteps;
  const onKeyDown = (event: KeyboardEvent) => {
    onZoomKey(event, view, steps);
    if (isTyping(event)) return;
    if (event.key.toLowerCase() === 'n') jump(event.shiftKey ? -1 : 1);
    if (event.key.toLowerCase() === 'b' && mode === 'slider') switchSide(sliderPosition);
  };
  return (
    <div class="viewer" onKeyDown={onKeyDown}>
      <CompareToolbar
        view={view}
        pages={pages}
        steps={steps}
        comparer={comparer}
        mode={mode}
        sliderPosition={sliderPosition}
        marked={marked}
        onJump={jump}
      />
      <div class="viewer-body">
        {pages > 1 && <DifferenceThumbnails a={a} b={b} comparer={comparer} view={view} pages={pages} />}
        <div class="compare-panes" data-mode={mode}>
          <ComparedSheets
            a={a}
            b={b}
            comparer={comparer}
            view={view}
            mode={mode}
            marked={marked.value}
            sliderPosition={sliderPosition.value}
          />
        </div>
      </div>
    </div>
  );
}

interface DifferenceThumbnailsProps {
  readonly a: Sheets;
  readonly b: Sheets;
  readonly comparer: Comparer;
  readonly view: DocumentView;
  readonly pages: number;
}

function DifferenceThumbnails({ a, b, comparer, view, pages }: DifferenceThumbnailsProps) {
  const differing = useComputed(
    () =>
      new Set(
        [...comparer.differences.value].filter(([, found]) => isDifference(found)).map(([page]) => page),
      ),
  );
  return (
    <aside class="viewer-sidebar">
      <Thumbnails
        count={pages}
        current={view.page.value}
        sheetsAt={(page) => (page < b.sizes.value.length ? b : a)}
        onChoose={(page) => {
          goTo(view, page);
        }}
        mark={(page) => differing.value.has(page) && <span class="compare-dot" title={t('compare.marked')} />}
      />
    </aside>
  );
}

function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return (
    ctrlKey ||
    metaKey ||
    altKey ||
    (target as HTMLElement).closest('input:not([type=range]), select') !== null
  );
}
