/** One sheet in the viewer: a canvas with a text layer and links, or an image. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useBridge } from '../../bridge/bridge.ts';
import { copyText } from '../../parts/copy-button.tsx';
import { showToast } from '../../parts/toasts.tsx';
import { t } from '../../texts/text.ts';
import { trackSelection } from '../pdf/text-layer.ts';
import { SheetCanvas } from './sheet-canvas.tsx';
import type { Sheet } from './sheet-scroller.tsx';
import type { PdfDocument, PdfLink, OpenedImage, Sheets, PdfDestination } from './sheets.ts';

interface SheetViewProps {
  readonly sheets: Sheets;
  readonly sheet: Sheet;
  readonly onDrawn?: () => void;
  readonly onTarget?: (target: PdfDestination) => void;
}

export function SheetView({ sheets, sheet, onDrawn, onTarget }: SheetViewProps) {
  const { page, box, ratio, scale } = sheet;
  if (sheets.image !== undefined) return <ImageSheet image={sheets.image} onDrawn={onDrawn} sheet={sheet} />;
  return (
    // pdf.js measures text in points; 72 points are 96 CSS pixels.
    <div class="sheet-page" style={{ '--total-scale-factor': String((scale * 96) / 72) }}>
      <SheetCanvas
        sheets={sheets}
        page={page}
        box={box}
        ratio={ratio}
        urgency="page"
        {...(onDrawn && { onDrawn })}
      />
      {sheets.pdf !== undefined && <TextLayer pdf={sheets.pdf} page={page} />}
      {sheets.pdf !== undefined && onTarget !== undefined && (
        <Links pdf={sheets.pdf} page={page} onTarget={onTarget} />
      )}
    </div>
  );
}

interface ImageSheetProps {
  readonly image: OpenedImage;
  readonly sheet: Sheet;
  readonly onDrawn: (() => void) | undefined;
}

function ImageSheet({ image, sheet, onDrawn }: ImageSheetProps) {
  return (
    <img
      class="sheet-image"
      src={image.url}
      alt={t('viewer.image', { width: image.size.width, height: image.size.height })}
      draggable={false}
      // Above 200 %, image pixels stay sharp instead of being smoothed.
      data-pixels={sheet.scale > 2}
      onLoad={onDrawn}
    />
  );
}

interface PageProps {
  readonly pdf: PdfDocument;
  readonly page: number;
}

function TextLayer({ pdf, page }: PageProps) {
  const layer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = layer;
    if (current === null) return undefined;
    const unmounted = new AbortController();
    pdf.renderText(page, current, unmounted.signal).catch(() => {
      // The page is visible, but its text cannot be read, so the user cannot select it.
    });
    const stopTracking = trackSelection(current);
    return () => {
      stopTracking();
      unmounted.abort();
      current.replaceChildren();
    };
  }, [pdf, page]);
  return <div ref={layer} class="sheet-text" />;
}

function Links({ pdf, page, onTarget }: PageProps & { readonly onTarget: (target: PdfDestination) => void }) {
  const [links, setLinks] = useState<readonly PdfLink[]>([]);
  useEffect(() => {
    let isCurrent = true;
    pdf.links(page).then(
      (found) => {
        if (isCurrent) setLinks(found);
      },
      () => {
        // If the links cannot be read, the page is shown without links.
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [pdf, page]);
  return (
    <>
      {links.map((link, index) => (
        <Link key={index} link={link} onTarget={onTarget} />
      ))}
    </>
  );
}

function Link({
  link,
  onTarget,
}: {
  readonly link: PdfLink;
  readonly onTarget: (target: PdfDestination) => void;
}) {
  const { environment } = useBridge();
  const { box, url, target, label = url ?? t('viewer.link') } = link;
  const percent = (value: number) => `${value * 100}%`;
  const style = {
    left: percent(box.x),
    top: percent(box.y),
    width: percent(box.width),
    height: percent(box.height),
  };
  if (url !== undefined && environment === 'browser')
    return (
      <a
        class="sheet-link"
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        title={url}
        aria-label={label}
        style={style}
      />
    );
  const follow = () => {
    if (url !== undefined) void copyAddress(url);
    else if (target !== undefined) onTarget(target);
  };
  return (
    <button
      type="button"
      class="sheet-link"
      title={url ?? label}
      aria-label={label}
      style={style}
      onClick={follow}
    />
  );
}

/** Copies the URL of an external link, because the tray window does not open external pages. */
async function copyAddress(url: string): Promise<void> {
  try {
    await copyText(url);
    showToast(t('viewer.link.copied', { url }));
  } catch (problem) {
    showToast(String(problem), 'error');
  }
}
