/** One request as a row of the waterfall. The row expands to show details; in a page without scripts, the first cell expands. */
import { ChevronRight } from 'lucide-preact';
import { useId, useState } from 'preact/hooks';
import type { RequestDetail, EventOf } from '../../../main/log/events.ts';
import { statusLabel, failureReason, isProblem, phasesOf } from '../../../main/log/waterfall.ts';
import { duration, size, t } from '../../texts/text.ts';
import { useInteraction } from '../interaction.ts';
import { RequestDetails } from './request-details.tsx';
import { shortUrl } from './short-url.ts';
import { Bars } from '../timeline/time-bars.tsx';

type RowRequest = EventOf<'request'>;

export function RequestRow({ request, totalMs }: { readonly request: RowRequest; readonly totalMs: number }) {
  const isStatic = useInteraction() === undefined;
  const [open, setOpen] = useState(false);
  const id = useId();
  const { detail, took } = request;
  const bars = phasesOf(request).map(({ from, to, name }) => ({ from, to, kind: name }));
  return (
    <>
      <tr data-problem={isProblem(detail) ? '' : undefined}>
        <th scope="row">
          {isStatic ? (
            <details class="request-static">
              <summary>
                <Name request={request} />
              </summary>
              <RequestDetails request={request} />
            </details>
          ) : (
            <button
              type="button"
              class="explain-opener"
              aria-expanded={open}
              aria-controls={open ? id : undefined}
              title={request.text.slice(0, 500)}
              onClick={() => {
                setOpen(!open);
              }}
            >
              <ChevronRight size={14} aria-hidden="true" />
              <Name request={request} />
            </button>
          )}
          <Why detail={detail} />
        </th>
        <td>
          <Answer detail={detail} />
        </td>
        <td class="soft explain-wider">{detail.type}</td>
        <td class="end">{detail.bytes !== undefined && size(detail.bytes)}</td>
        <td class="end">{took !== undefined && duration(took)}</td>
        <td class="explain-time">
          <Bars bars={bars} totalMs={totalMs} />
        </td>
      </tr>
      {open && (
        <tr class="explain-opened">
          <td colSpan={6} id={id}>
            <RequestDetails request={request} />
          </td>
        </tr>
      )}
    </>
  );
}

function Name({ request: { text, detail } }: { readonly request: RowRequest }) {
  const { name, location } = shortUrl(text);
  const { method = 'GET' } = detail;
  return (
    <span class="cut">
      {method !== 'GET' && <code>{method} </code>}
      <bdi>{name}</bdi> {location !== '' && <bdi class="faint">{location}</bdi>}
    </span>
  );
}

/** A short reason below the URL. It makes a failure visible while the row is collapsed. */
function Why({ detail }: { readonly detail: RequestDetail }) {
  const why = detail.blocked ?? failureReason(detail);
  if (why === undefined) return null;
  return (
    <small class="explain-second explain-why" lang="en">
      <bdi>{why}</bdi>
    </small>
  );
}

function Answer({ detail }: { readonly detail: RequestDetail }) {
  const answer = statusLabel(detail);
  if (answer === undefined) return null;
  if (typeof answer === 'number') return <span class={isProblem(detail) ? 'explain-bad' : ''}>{answer}</span>;
  return <span class="explain-bad">{t(`explain.answer.${answer}`)}</span>;
}
