/** The sidebar of the viewer: thumbnails of the pages, or the outline of the document. */
import { useEffect, useState } from 'preact/hooks';
import { Segments } from '../../parts/choice.tsx';
import { t } from '../../texts/text.ts';
import { Outline } from './outline.tsx';
import { goTo } from '../page-field.tsx';
import type { OutlineEntry, Sheets } from '../pages/sheets.ts';
import { Thumbnails } from './thumbnails.tsx';
import type { DocumentView } from '../document-view.ts';

interface SidebarProps {
  readonly sheets: Sheets;
  readonly view: DocumentView;
}

export function Sidebar({ sheets, view }: SidebarProps) {
  const [outline, setOutline] = useState<readonly OutlineEntry[]>([]);
  const [tab, setTab] = useState<'pages' | 'outline'>('pages');
  useEffect(() => {
    void sheets.pdf?.outline().then(setOutline, () => undefined);
  }, [sheets]);
  const thumbnails = (
    <Thumbnails
      count={sheets.sizes.value.length}
      current={view.page.value}
      sheetsAt={() => sheets}
      onChoose={(page) => {
        goTo(view, page);
      }}
    />
  );
  if (outline.length === 0) return <aside class="viewer-sidebar">{thumbnails}</aside>;
  return (
    <aside class="viewer-sidebar" data-wide>
      <div class="viewer-sidebar-head">
        <Segments
          label={t('viewer.sidebar')}
          value={tab}
          onChoose={setTab}
          choices={[
            { value: 'pages', label: t('viewer.sidebar.pages') },
            { value: 'outline', label: t('viewer.sidebar.outline') },
          ]}
        />
      </div>
      {tab === 'pages' ? thumbnails : <Outline items={outline} sheets={sheets} view={view} />}
    </aside>
  );
}
