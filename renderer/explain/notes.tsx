/** The notes of the job. The service writes them in English, and they are not translated. */
import type { LogEvent } from '../../main/log/events.ts';
import { eventsOf } from '../../main/log/events.ts';
import { duration, t } from '../texts/text.ts';
import type { ExplanationSection } from './section.ts';

export function notes(events: readonly LogEvent[]): ExplanationSection | undefined {
  const all = eventsOf(events, 'note');
  if (all.length === 0) return undefined;
  return {
    id: 'notes',
    title: t('explain.notes'),
    count: all.length,
    content: (
      <ol class="explain-notes">
        {all.map(({ at, text }, index) => (
          <li key={index}>
            <span class="faint">{duration(at)}</span>
            <bdi lang="en">{text}</bdi>
          </li>
        ))}
      </ol>
    ),
  };
}
