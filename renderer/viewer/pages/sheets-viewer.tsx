/** The viewer of one document: toolbar, thumbnails and sheets, with the next document being prepared behind them. */
import { signal } from '@preact/signals';
import { t } from '../../texts/text.ts';
import { WatchedSheets } from './watched-sheets.tsx';
import type { Savable } from '../save-output.ts';
import type { Sheets } from './sheets.ts';
import { Strip } from '../sidebar/sidebar.tsx';
import { Toolbar } from '../toolbar.tsx';
import { onZoomKey } from '../zoom/zoom-keys.ts';
import type { View } from '../view.ts';
import { pageSteps, pictureSteps } from '../zoom/zoom.ts';

interface SheetsViewerProps {
  readonly shown: Sheets;
  readonly next: Sheets | undefined;
  readonly onArrive: (next: Sheets) => void;
  readonly view: View;
  readonly save: Savable;
}

/** Whether the thumbnails are shown. Kept between documents. */
const stripOpen = signal(false);

export function SheetsViewer({ shown, next, onArrive, view, save }: SheetsViewerProps) {
  const steps = shown.kind === 'pdf' ? pageSteps : pictureSteps;
  const documents = next === undefined ? [shown] : [shown, next];
  return (
    <div
      class="viewer"
      onKeyDown={(event) => {
        onZoomKey(event, view, steps);
      }}
    >
      <Toolbar {...{ sheets: shown, view, steps, save }} strip={stripOpen} />
      <div class="viewer-body">
        {shown.kind === 'pdf' && stripOpen.value && <Strip key={shown.id} sheets={shown} view={view} />}
        <div class="viewer-window" data-kind={shown.kind}>
          {documents.map((sheets) => (
            <WatchedSheets
              key={sheets.id}
              label={t(sheets.kind === 'pdf' ? 'viewer.pages' : 'viewer.picture.label')}
              {...{ sheets, view }}
              behind={sheets !== shown}
              onReady={() => {
                if (sheets === next) onArrive(sheets);
              }}
            />
          ))}
        </div>
      </div>
    </div>
  );
}
