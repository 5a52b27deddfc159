/** The viewer of one document: toolbar, sidebar and sheets. The next document is prepared invisibly behind the sheets. */
import { signal } from '@preact/signals';
import { t } from '../../texts/text.ts';
import type { Sheets, PdfDestination } from './sheets.ts';
import { Sidebar } from '../sidebar/sidebar.tsx';
import { Toolbar } from '../toolbar.tsx';
import { onZoomKey } from '../zoom/zoom-control.tsx';
import type { DocumentView } from '../document-view.ts';
import { pageSteps, imageSteps } from '../zoom/zoom.ts';
import { useRef } from 'preact/hooks';
import { usePan } from '../zoom/pan.ts';
import { SheetScroller, type Sheet } from './sheet-scroller.tsx';
import { SheetView } from './sheet-view.tsx';

interface SheetsViewerProps {
  readonly shown: Sheets;
  readonly next: Sheets | undefined;
  readonly onNextDrawn: (next: Sheets) => void;
  readonly view: DocumentView;
  /** Saves the shown output. */
  readonly onSave: () => void;
}

/** Whether the sidebar is open. This is kept when another document is shown. */
const isSidebarOpen = signal(false);

export function SheetsViewer({ shown, next, onNextDrawn, view, onSave }: SheetsViewerProps) {
  const steps = shown.kind === 'pdf' ? pageSteps : imageSteps;
  const documents = next === undefined ? [shown] : [shown, next];
  return (
    <div
      class="viewer"
      onKeyDown={(event) => {
        onZoomKey(event, view, steps);
      }}
    >
      <Toolbar sheets={shown} view={view} steps={steps} onSave={onSave} isSidebarOpen={isSidebarOpen} />
      <div class="viewer-body">
        {shown.kind === 'pdf' && isSidebarOpen.value && <Sidebar key={shown.id} sheets={shown} view={view} />}
        <div class="viewer-window" data-kind={shown.kind}>
          {documents.map((sheets) => (
            <DocumentSheets
              key={sheets.id}
              label={t(sheets.kind === 'pdf' ? 'viewer.pages' : 'viewer.image.label')}
              sheets={sheets}
              view={view}
              isBackBuffer={sheets !== shown}
              onReady={() => {
                if (sheets === next) onNextDrawn(sheets);
              }}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

interface DocumentSheetsProps {
  readonly label: string;
  readonly sheets: Sheets;
  readonly view: DocumentView;
  readonly isBackBuffer: boolean;
  readonly onReady: () => void;
}

function DocumentSheets({ label, sheets, view, isBackBuffer, onReady }: DocumentSheetsProps) {
  const drawn = useRef(new Set<number>());
  const visible = useRef<readonly [number, number]>([0, -1]);
  const pan = usePan();
  const markDrawn = (sheet: Sheet) => {
    drawn.current.add(sheet.page);
    const [first, last] = visible.current;
    for (let page = first; page <= last; page += 1) if (!drawn.current.has(page)) return;
    onReady();
  };
  const goToTarget = async (target: PdfDestination) => {
    const position = await sheets.pdf?.positionOf(target);
    if (position !== undefined) view.position.value = position;
  };
  return (
    <SheetScroller
      label={label}
      view={view}
      isBackBuffer={isBackBuffer}
      sizes={sheets.sizes.value}
      onSeen={(first, last) => {
        visible.current = [first, last];
      }}
      steps={sheets.kind === 'pdf' ? pageSteps : imageSteps}
      {...(sheets.kind === 'image' && { onPointerDown: pan })}
    >
      {(sheet) => (
        <SheetView
          sheets={sheets}
          sheet={sheet}
          onDrawn={() => {
            markDrawn(sheet);
          }}
          onTarget={(target) => void goToTarget(target)}
        />
      )}
    </SheetScroller>
  );
}
