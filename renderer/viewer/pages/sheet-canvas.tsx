/** One sheet, drawn at the resolution of the screen. After a zoom, the old drawing stays until the new one is complete. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../texts/text.ts';
import type { SheetBox } from '../layout.ts';
import type { Sheets, DrawingPriority } from './sheets.ts';

interface SheetCanvasProps {
  readonly sheets: Sheets;
  readonly page: number;
  /** In CSS pixels. */
  readonly box: Pick<SheetBox, 'width' | 'height'>;
  readonly ratio: number;
  readonly urgency: DrawingPriority;
  readonly onDrawn?: () => void;
}

/**
 * The maximum number of pixels of a canvas. Each pixel takes four bytes, and Chromium allows 2^28 pixels. Larger sheets are drawn
 * at a lower resolution.
 */
const maxPixels = 32e6;

export function SheetCanvas({ sheets, page, box, ratio, urgency, onDrawn }: SheetCanvasProps) {
  const host = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const outdated = new AbortController();
    const canvas = canvasOf(box, ratio);
    sheets.draw(page, canvas, { urgency, signal: outdated.signal }).then(
      () => {
        if (outdated.signal.aborted) return;
        free(host.current);
        host.current?.replaceChildren(canvas);
        setFailed(false);
        onDrawn?.();
      },
      () => {
        if (outdated.signal.aborted) return;
        setFailed(true);
        onDrawn?.();
      },
    );
    return () => {
      outdated.abort();
    };
  }, [sheets, page, box.width, box.height, ratio]);
  useEffect(() => {
    const { current } = host;
    return () => {
      free(current);
      sheets.pdf?.release(page);
    };
  }, [sheets, page]);
  return (
    <>
      <div ref={host} class="sheet-canvas" aria-hidden="true" />
      {failed && urgency === 'page' && (
        <p class="sheet-failed">{t('viewer.page.broken', { page: page + 1 })}</p>
      )}
    </>
  );
}

function canvasOf(box: SheetCanvasProps['box'], ratio: number): HTMLCanvasElement {
  const pixelRatio = Math.min(ratio, Math.sqrt(maxPixels / (box.width * box.height)));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(box.width * pixelRatio));
  canvas.height = Math.max(1, Math.round(box.height * pixelRatio));
  return canvas;
}

/** Frees the memory of the canvases immediately, not at the next garbage collection. */
function free(host: HTMLElement | null): void {
  for (const canvas of host?.querySelectorAll('canvas') ?? []) canvas.width = 0;
}
