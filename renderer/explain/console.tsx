/** The console messages of the page, with their source positions and stack traces. */
import { Bug, CircleAlert, CircleX, Info, TriangleAlert, type LucideIcon } from 'lucide-preact';
import { type ConsoleEvent, type LogEvent, eventsOf, type EventOf } from '../../main/log/events.ts';
import { duration, t } from '../texts/text.ts';
import { useSearchableList } from './searchable-list.tsx';
import type { ExplanationSection } from './section.ts';

type Level = ConsoleEvent['detail']['level'];

export function consoleLines(events: readonly LogEvent[]): ExplanationSection | undefined {
  const lines = eventsOf(events, 'console');
  if (lines.length === 0) return undefined;
  const levels = new Set(lines.map(({ detail }) => detail.level));
  const tone = levels.has('error') || levels.has('exception') ? 'error' : 'warning';
  return {
    id: 'console',
    title: t('explain.console'),
    count: lines.length,
    ...((tone === 'error' || levels.has('warning')) && { tone }),
    content: <Lines lines={lines} />,
  };
}

function Lines({ lines }: { readonly lines: readonly EventOf<'console'>[] }) {
  const label = t('explain.console.filter');
  const { shown, search, nothing, more } = useSearchableList({ all: lines, wordsOf, label });
  return (
    <>
      {search !== undefined && <div class="explain-tools">{search}</div>}
      {nothing}
      <ul class="console-lines">
        {shown.map((line, index) => (
          <ConsoleLine key={index} line={line} />
        ))}
      </ul>
      {more}
    </>
  );
}

function wordsOf({ text, detail }: EventOf<'console'>): string {
  return `${detail.level} ${detail.source} ${text}`;
}

const icons: Readonly<Record<Level, LucideIcon>> = {
  debug: Bug,
  info: Info,
  warning: TriangleAlert,
  error: CircleAlert,
  exception: CircleX,
};

function ConsoleLine({ line: { at, text, detail } }: { readonly line: EventOf<'console'> }) {
  const { level, stack = [] } = detail;
  const Icon = icons[level];
  return (
    <li data-level={level}>
      <Icon size={14} aria-hidden="true" />
      <div class="console-said">
        <span class="visually-hidden">{t(`explain.level.${level}`)}: </span>
        <bdi class="mono">{text}</bdi>
        {stack.length > 0 && (
          <details>
            <summary>{t('explain.stack')}</summary>
            <pre>{stack.join('\n')}</pre>
          </details>
        )}
      </div>
      <div class="console-place">
        <bdi title={placeOf(detail)}>{placeOf(detail)}</bdi>
        <span class="faint">{duration(at)}</span>
      </div>
    </li>
  );
}

function placeOf({ source, line, column }: ConsoleEvent['detail']): string {
  if (line === 0) return source;
  return [source, line, ...(column === undefined ? [] : [column])].join(':');
}
