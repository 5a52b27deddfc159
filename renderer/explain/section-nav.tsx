/** The sticky index of the explanation, with links to the debug log in other formats. */
import { Braces, Ellipsis, ExternalLink, FileCheck, FileDown } from 'lucide-preact';
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

/** After a click in the index, scroll events are ignored for this time. */
const scrollTimeMs = 250;

export function SectionNav({ parts, link }: SectionNavProps) {
  const [current, setCurrent] = useState('findings');
  const bar = useRef<HTMLDivElement>(null);
  const listedParts = parts.length > 1 ? parts : [];
  const ids = parts.map(({ id }) => id).join(' ');
  // The last sections cannot scroll to the top, so scrolling to one would select an earlier section. The clicked section stays
  // selected, because scroll events are ignored until this time.
  const ignoreScrollUntil = useRef(0);
  const follow = (id: string) => {
    if (performance.now() > ignoreScrollUntil.current) setCurrent(id);
  };
  useEffect(() => watchParts(bar.current, follow), [ids]);
  return (
    <div ref={bar} class="explain-index">
      <nav aria-label={t('explain.sections')}>
        {listedParts.map(({ id, title, count, tone }) => (
          <button
            key={id}
            type="button"
            aria-current={current === id ? 'true' : undefined}
            onClick={() => {
              ignoreScrollUntil.current = performance.now() + scrollTimeMs;
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
    { label: t('explain.recipe'), icon: FileCheck, address: `${link}.recipe.json` },
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

/** Opens the debug log. The service sends JSON and HAR as downloads. */
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
  // The sticky index, which may take several lines, must not cover the section.
  section.style.scrollMarginBlockStart = `${bar.offsetHeight}px`;
  section.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}

/**
 * Calls `onSectionRead` with the current section on each scroll event: the last section that starts above or just below the lower
 * edge of the index. Returns a function that stops this.
 */
function watchParts(bar: HTMLElement | null, onSectionRead: (id: string) => void): () => void {
  const reportCurrent = () => {
    const sections = [...(bar?.parentElement?.querySelectorAll<HTMLElement>('.explain-part') ?? [])];
    const edge = (bar?.getBoundingClientRect().bottom ?? 0) + toleranceInPixels;
    const read = sections.findLast((section) => section.getBoundingClientRect().top <= edge) ?? sections[0];
    if (read?.dataset.part !== undefined) onSectionRead(read.dataset.part);
  };
  // Scroll events do not bubble. A capturing listener gets the events of every scroll container.
  document.addEventListener('scroll', reportCurrent, { capture: true, passive: true });
  return () => {
    document.removeEventListener('scroll', reportCurrent, { capture: true });
  };
}

/** How far below the index the current section may start, in CSS pixels. */
const toleranceInPixels = 32;
