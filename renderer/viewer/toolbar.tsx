/** The toolbar of the viewer. A narrow toolbar hides some tools. */
import type { Signal } from '@preact/signals';
import {
  ArrowDownToLine,
  ArrowUpToLine,
  ChevronDown,
  ChevronUp,
  Download,
  Ellipsis,
  LockKeyhole,
  MoveHorizontal,
  PanelLeft,
  RectangleVertical,
  Scan,
} from 'lucide-preact';
import { IconButton } from '../parts/button.tsx';
import { Menu, type MenuItem } from '../parts/menu.tsx';
import { number, t } from '../texts/text.ts';
import { goTo, PageField } from './page-field.tsx';
import type { Sheets } from './pages/sheets.ts';
import type { DocumentView } from './document-view.ts';
import { ZoomControl } from './zoom/zoom-control.tsx';
import type { ZoomSteps, Zoom } from './zoom/zoom.ts';

interface ToolbarProps {
  readonly sheets: Sheets;
  readonly view: DocumentView;
  readonly steps: ZoomSteps;
  /** Saves the shown output. */
  readonly onSave: () => void;
  readonly isSidebarOpen: Signal<boolean>;
}

export function Toolbar(props: ToolbarProps) {
  const { sheets, view, steps, isSidebarOpen } = props;
  const pages = sheets.sizes.value.length;
  const { image, pdf } = sheets;
  return (
    <div class="viewer-tools" role="toolbar" aria-label={t('viewer.tools')}>
      {pdf !== undefined && (
        <IconButton
          icon={PanelLeft}
          label={t('viewer.sidebar')}
          aria-pressed={isSidebarOpen.value}
          onClick={() => {
            isSidebarOpen.value = !isSidebarOpen.value;
          }}
        />
      )}
      {pdf !== undefined && <PageTools view={view} pages={pages} />}
      {image !== undefined && (
        <span class="viewer-fact">
          {t('viewer.pixels', { width: number(image.size.width), height: number(image.size.height) })}
        </span>
      )}
      {pdf?.encrypted === true && (
        <span class="badge viewer-lock" title={t('viewer.encrypted')}>
          <LockKeyhole size={12} aria-hidden="true" />
          <span>{t('viewer.encrypted')}</span>
        </span>
      )}
      <div class="viewer-tools-space" />
      <ZoomControl view={view} steps={steps} />
      <Menu label={t('action.more')} icon={Ellipsis} items={useMenuItems(props)} />
    </div>
  );
}

function PageTools({ view, pages }: { readonly view: DocumentView; readonly pages: number }) {
  const page = view.page.value;
  const step = (count: number) => {
    goTo(view, page + count);
  };
  return (
    <>
      <div class="viewer-wide">
        <IconButton
          icon={ChevronUp}
          label={t('viewer.page.previous')}
          disabled={page <= 0}
          onClick={() => {
            step(-1);
          }}
        />
        <IconButton
          icon={ChevronDown}
          label={t('viewer.page.next')}
          disabled={page >= pages - 1}
          onClick={() => {
            step(1);
          }}
        />
      </div>
      <PageField view={view} pages={pages} />
    </>
  );
}

function useMenuItems({ sheets, view, onSave }: ToolbarProps): readonly MenuItem[] {
  const last = sheets.sizes.value.length - 1;
  const zoomTo = (zoom: Zoom) => () => {
    view.zoom.value = zoom;
  };
  const goToPage = (page: number) => () => {
    goTo(view, page);
  };
  const pages: readonly MenuItem[] = [
    { label: t('viewer.page.first'), icon: ArrowUpToLine, onSelect: goToPage(0) },
    { label: t('viewer.page.last'), icon: ArrowDownToLine, onSelect: goToPage(last) },
  ];
  return [
    ...(last > 0 ? pages : []),
    { label: t('viewer.zoom.width'), icon: MoveHorizontal, onSelect: zoomTo('width') },
    { label: t('viewer.zoom.page'), icon: RectangleVertical, onSelect: zoomTo('page') },
    { label: t('viewer.zoom.real'), icon: Scan, onSelect: zoomTo(1) },
    { label: t('viewer.save'), icon: Download, onSelect: onSave },
  ];
}
