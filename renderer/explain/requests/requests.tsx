/** The network requests as a waterfall: status, type, size and timing of each request. */
import type { LogEvent } from '../../../main/log/events.ts';
import type { EventOf } from '../../../main/log/events.ts';
import { isProblem, phasesOf, requestsByBegin } from '../../../main/log/waterfall.ts';
import { size, t } from '../../texts/text.ts';
import { useSearchableList } from '../searchable-list.tsx';
import type { ExplanationSection } from '../section.ts';
import { RequestRow } from './request-row.tsx';
import { TimeHead } from '../timeline/time-bars.tsx';

type ListedRequest = EventOf<'request'>;

export function requests(events: readonly LogEvent[]): ExplanationSection | undefined {
  const all = requestsByBegin(events);
  if (all.length === 0) return undefined;
  return {
    id: 'requests',
    title: t('explain.requests'),
    count: all.length,
    ...(all.some(({ detail }) => isProblem(detail)) && { tone: 'error' }),
    content: <Waterfall all={all} totalMs={Math.max(1, ...all.map(({ at }) => at))} />,
  };
}

function Waterfall({ all, totalMs }: { readonly all: readonly ListedRequest[]; readonly totalMs: number }) {
  const label = t('explain.requests.filter');
  const { found, shown, search, nothing, more } = useSearchableList({ all, wordsOf, label });
  return (
    <>
      <div class="explain-tools">
        {search}
        <Sum found={found} />
        <Legend shown={shown} />
      </div>
      {nothing || <Table shown={shown} totalMs={totalMs} />}
      {more}
    </>
  );
}

function wordsOf({ text, detail }: ListedRequest): string {
  const { type = '', status = '', mime = '', blocked = '', failed = '', method = '' } = detail;
  return [text, type, status, mime, blocked, failed, method].join(' ');
}

function Sum({ found }: { readonly found: readonly ListedRequest[] }) {
  const bytes = found.reduce((sum, { detail }) => sum + (detail.bytes ?? 0), 0);
  const problems = found.filter(({ detail }) => isProblem(detail)).length;
  return (
    <p class="soft">
      {t('explain.requests.sum', { count: found.length, problems })}
      {bytes > 0 && `, ${size(bytes)}`}
    </p>
  );
}

/** A legend of the colours that occur. */
function Legend({ shown }: { readonly shown: readonly ListedRequest[] }) {
  const kinds = new Set(shown.flatMap((request) => phasesOf(request).map(({ name }) => name)));
  const keys = (['connect', 'wait', 'receive', 'failed'] as const).filter((kind) => kinds.has(kind));
  return (
    <ul class="explain-legend">
      {keys.map((kind) => (
        <li key={kind}>
          <span class="explain-key" data-kind={kind} />
          {t(`explain.phase.${kind}`)}
        </li>
      ))}
    </ul>
  );
}

function Table({ shown, totalMs }: { readonly shown: readonly ListedRequest[]; readonly totalMs: number }) {
  return (
    <table class="explain-table requests">
      <thead>
        <tr>
          <th scope="col">{t('explain.address')}</th>
          <th scope="col">{t('explain.status')}</th>
          <th scope="col" class="explain-wider">
            {t('explain.type')}
          </th>
          <th scope="col" class="end">
            {t('explain.size')}
          </th>
          <th scope="col" class="end">
            {t('explain.took')}
          </th>
          <TimeHead totalMs={totalMs} />
        </tr>
      </thead>
      <tbody>
        {shown.map((request, index) => (
          <RequestRow key={index} request={request} totalMs={totalMs} />
        ))}
      </tbody>
    </table>
  );
}
