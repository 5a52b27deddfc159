/** All events in the order of the log, in a closed details element. */
import type { LogEvent } from '../../main/log/events.ts';
import type { ExplanationSection } from '../explain/section.ts';
import { duration, t } from '../texts/text.ts';

const maxEvents = 500;
const maxDetailLength = 600;

export function allEvents(events: readonly LogEvent[]): ExplanationSection {
  return {
    id: 'events',
    title: 'All events',
    count: events.length,
    content: (
      <details>
        <summary>Show all events</summary>
        <table class="explain-table explain-even">
          <thead>
            <tr>
              <th scope="col" class="end">
                At
              </th>
              <th scope="col">Kind</th>
              <th scope="col">Event</th>
            </tr>
          </thead>
          <tbody>
            {events.slice(0, maxEvents).map((event, index) => (
              <EventRow key={index} event={event} />
            ))}
          </tbody>
        </table>
        {events.length > maxEvents && (
          <p class="soft">{t('explain.moreInJson', { count: events.length - maxEvents })}</p>
        )}
      </details>
    ),
  };
}

function EventRow({ event }: { readonly event: LogEvent }) {
  const { at, kind, text } = event;
  const detail = detailText(event);
  return (
    <tr>
      <td class="end">{duration(at)}</td>
      <td class="soft">{kind}</td>
      <td>
        <bdi>{text}</bdi>
        {detail !== '{}' && (
          <small class="explain-second">
            <code>
              <bdi>{detail}</bdi>
            </code>
          </small>
        )}
      </td>
    </tr>
  );
}

function detailText({ kind, detail }: LogEvent): string {
  // The image has its own section.
  const shown = kind === 'screenshot' ? { ...detail, data: `(${detail.data.length} characters)` } : detail;
  const text = JSON.stringify(shown);
  return text.length <= maxDetailLength ? text : `${text.slice(0, maxDetailLength)}…`;
}
