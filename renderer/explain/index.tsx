/** The index of an explanation's parts, which stays in sight; and the ways to the same log for others. */
import { Braces, Ellipsis, ExternalLink, FileDown } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useBridge, type Bridge } from '../bridge/bridge.ts';
import { Menu } from '../parts/menu.tsx';
import { tell } from '../parts/toasts.tsx';
import { t } from '../texts/text.ts';
import type { Part } from './part.ts';

interface IndexProps {
  readonly parts: readonly Part[];
  /** Of the log's page. */
  readonly link: string;
}

export function Index({ parts, link }: IndexProps) {
  const [current, setCurrent] = useState('findings');
  const bar = useRef<HTMLDivElement>(null);
  const ids = parts.map(({ id }) => id).join(' ');
  useEffect(() => watchParts(bar.current, setCurrent), [ids]);
  return (
    <div ref={bar} class="explain-index">
      <nav aria-label={t('explain.sections')}>
        {parts.map(({ id, title, count, tone }) => (
          <button
            key={id}
            type="button"
            aria-current={current === id ? 'true' : undefined}
            onClick={() => {
              goTo(bar.current, id);
            }}
          >
            {title}
            {count !== undefined && count > 0 && (
              <span class="explain-count" data-tone={tone}>
                {count}
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
        ...{ label, icon },
        onSelect: () => void open(bridge, address),
      }))}
    />
  );
}

/** The service sends what is for programs as files to save. */
async function open({ desk }: Bridge, address: string): Promise<void> {
  try {
    if (desk === undefined) window.open(address, '_blank', 'noopener');
    else await desk.openLink(address);
  } catch (problem) {
    tell(problem instanceof Error ? problem.message : String(problem), 'error');
  }
}

function goTo(bar: HTMLElement | null, id: string): void {
  const heading = bar?.parentElement?.querySelector<HTMLElement>(`#explain-${id}`);
  heading?.closest('section')?.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}

/** Tells which part is at the top of what is seen. */
function watchParts(bar: HTMLElement | null, tell: (id: string) => void): () => void {
  const sections = bar?.parentElement?.querySelectorAll<HTMLElement>('.explain-part') ?? [];
  const seen = new Set<Element>();
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries)
        if (isIntersecting) seen.add(target);
        else seen.delete(target);
      const first = [...sections].find((section) => seen.has(section));
      if (first?.dataset.part !== undefined) tell(first.dataset.part);
    },
    { rootMargin: '-15% 0px -65% 0px' },
  );
  for (const section of sections) watcher.observe(section);
  return () => {
    watcher.disconnect();
  };
}
