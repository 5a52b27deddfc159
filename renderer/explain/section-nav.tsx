/** The sticky index of the explanation, with links to the debug log in other formats. */
import { Braces, Ellipsis, ExternalLink, FileDown } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useBridge, type Bridge } from '../bridge/bridge.ts';
import { Menu } from '../parts/menu.tsx';
import { showToast } from '../parts/toasts.tsx';
import { t } from '../texts/text.ts';
import type { ExplanationSection } from './section.ts';
import { headingId } from './sections.tsx';
import { messageOf } from '../../main/failure/failure.ts';

interface SectionNavProps {
  readonly parts: readonly ExplanationSection[];
  /** URL of the debug log page. */
  readonly link: string;
}

/** Time in milliseconds that scrolling takes after a click. */
const settling = 250;

export function SectionNav({ parts, link }: SectionNavProps) {
  const [current, setCurrent] = useState('findings');
  const bar = useRef<HTMLDivElement>(null);
  const several = parts.length > 1 ? parts : [];
  const ids = parts.map(({ id }) => id).join(' ');
  // The last sections cannot scroll to the top. After a click on one of them, the index keeps it selected.
  const held = useRef(0);
  const follow = (id: string) => {
    if (performance.now() > held.current) setCurrent(id);
  };
  useEffect(() => watchParts(bar.current, follow), [ids]);
  return (
    <div ref={bar} class="explain-index">
      <nav aria-label={t('explain.sections')}>
        {several.map(({ id, title, count, tone }) => (
          <button
            key={id}
            type="button"
            aria-current={current === id ? 'true' : undefined}
            onClick={() => {
              held.current = performance.now() + settling;
              setCurrent(id);
              goTo(bar.current, id);
            }}
          >
            {title}
            {count !== undefined && count > 0 && <span class="explain-count">{count}</span>}
            {tone && (
              <span class="explain-tone" data-tone={tone}>
                <span class="visually-hidden">{t(`explain.tone.${tone}`)}</span>
              </span>
            )}
          </button>
        ))}
      </nav>
      <Links link={link} />
    </div>
  );
}

function Links({ link }: { readonly link: string }) {
  const bridge = useBridge();
  const items = [
    { label: t('explain.open'), icon: ExternalLink, address: link },
    { label: t('explain.json'), icon: Braces, address: `${link}.json` },
    { label: t('explain.har'), icon: FileDown, address: `${link}.har` },
  ];
  return (
    <Menu
      label={t('explain.more')}
      icon={Ellipsis}
      items={items.map(({ label, icon, address }) => ({
        label,
        icon,
        onSelect: () => void open(bridge, address),
      }))}
    />
  );
}

/** The service sends JSON and HAR as downloads. */
async function open({ native }: Bridge, address: string): Promise<void> {
  try {
    if (native === undefined) window.open(address, '_blank', 'noopener');
    else await native.openLink(address);
  } catch (problem) {
    showToast(messageOf(problem), 'error');
  }
}

function goTo(bar: HTMLElement | null, id: string): void {
  const heading = bar?.parentElement?.querySelector<HTMLElement>(`#${headingId(id)}`);
  const section = heading?.closest('section');
  if (bar === null || !section) return;
  // Leaves room for the sticky index, which may take several lines.
  section.style.scrollMarginBlockStart = `${bar.offsetHeight}px`;
  section.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}

/** Reports the current section: the last one that starts above the lower edge of the index. */
function watchParts(bar: HTMLElement | null, onSectionRead: (id: string) => void): () => void {
  const look = () => {
    const sections = [...(bar?.parentElement?.querySelectorAll<HTMLElement>('.explain-part') ?? [])];
    const edge = (bar?.getBoundingClientRect().bottom ?? 0) + near;
    const read = sections.findLast((section) => section.getBoundingClientRect().top <= edge) ?? sections[0];
    if (read?.dataset.part !== undefined) onSectionRead(read.dataset.part);
  };
  // Scroll events do not bubble; capture catches those of any ancestor.
  document.addEventListener('scroll', look, { capture: true, passive: true });
  return () => {
    document.removeEventListener('scroll', look, { capture: true });
  };
}

/** Tolerance in pixels. */
const near = 32;
