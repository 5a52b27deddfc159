/**
 * A column of page thumbnails. Only thumbnails near the visible area are drawn. The column is one tab stop; arrow keys change the
 * page.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../texts/text.ts';
import { useElementSize } from '../element-size.ts';
import { SheetCanvas } from '../pages/sheet-canvas.tsx';
import type { Sheets } from '../pages/sheets.ts';

interface ThumbnailsProps {
  readonly count: number;
  readonly current: number;
  /** Returns the document that the page belongs to. */
  readonly sheetsAt: (page: number) => Sheets;
  readonly onChoose: (page: number) => void;
  /** Returns an element to show on a thumbnail, for example a mark for a difference. */
  readonly mark?: (page: number) => ComponentChildren;
}

/** The maximum size of a thumbnail, and the height of its slot including the page number, in CSS pixels. */
const pageWidth = 88;
const pageHeight = 116;
const slotHeight = 148;

export function Thumbnails(props: ThumbnailsProps) {
  const { count, current, onChoose } = props;
  const root = useRef<HTMLDivElement>(null);
  const viewport = useElementSize(root);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    if (viewport.height > 0) scrollToPage(root.current, current);
  }, [current, viewport.height > 0]);
  const onKeyDown = (event: KeyboardEvent) => {
    const target = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: count - 1 }[event.key];
    if (target === undefined || target < 0 || target >= count) return;
    event.preventDefault();
    onChoose(target);
  };
  const first = Math.max(0, Math.floor(top / slotHeight) - 1);
  const last = Math.min(count - 1, Math.ceil((top + viewport.height) / slotHeight));
  const pages = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  const mountedPages = pages.includes(current) ? pages : [...pages, current];
  return (
    <div
      ref={root}
      class="thumbnails"
      role="group"
      aria-label={t('viewer.sidebar.pages')}
      onKeyDown={onKeyDown}
      onScroll={(event) => {
        setTop(event.currentTarget.scrollTop);
      }}
    >
      <div class="thumbnails-all" style={{ blockSize: `${count * slotHeight}px` }}>
        {mountedPages.map((page) => (
          <Thumbnail key={page} {...props} page={page} ratio={viewport.ratio} />
        ))}
      </div>
    </div>
  );
}

function Thumbnail(props: ThumbnailsProps & { readonly page: number; readonly ratio: number }) {
  const { page, current, sheetsAt, onChoose, mark, ratio } = props;
  const button = useRef<HTMLButtonElement>(null);
  const isCurrent = page === current;
  useEffect(() => {
    // When an arrow key selects this thumbnail, the thumbnail takes the focus.
    if (isCurrent && document.activeElement?.closest('.thumbnails') != null)
      button.current?.focus({ preventScroll: true });
  }, [isCurrent]);
  const sheets = sheetsAt(page);
  const size = sheets.sizes.value[page] ?? { width: 1, height: 1 };
  const scale = Math.min(pageWidth / size.width, pageHeight / size.height);
  const box = {
    width: Math.max(4, Math.round(size.width * scale)),
    height: Math.max(4, Math.round(size.height * scale)),
  };
  return (
    <button
      ref={button}
      type="button"
      class="thumbnail"
      style={{ insetBlockStart: `${page * slotHeight}px` }}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={t('viewer.page.of', { page: page + 1 })}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={() => {
        onChoose(page);
      }}
    >
      <span class="thumbnail-page" style={{ width: `${box.width}px`, height: `${box.height}px` }}>
        <SheetCanvas sheets={sheets} page={page} box={box} ratio={ratio} urgency="thumbnail" />
        {mark?.(page)}
      </span>
      <span class="thumbnail-number">{page + 1}</span>
    </button>
  );
}

function scrollToPage(root: HTMLElement | null, page: number): void {
  if (root === null) return;
  const { scrollTop, clientHeight } = root;
  const start = page * slotHeight;
  if (start < scrollTop) root.scrollTop = start;
  else if (start + slotHeight > scrollTop + clientHeight) root.scrollTop = start + slotHeight - clientHeight;
}
