/** One request: a row of the waterfall that expands to its details. */
import { ChevronRight } from 'lucide-preact';
import { useId, useState } from 'preact/hooks';
import type { RequestDetail, EventOf } from '../../../main/log/events.ts';
import { statusLabel, failureReason, isProblem, phasesOf } from '../../../main/log/waterfall.ts';
import { duration, size, t } from '../../texts/text.ts';
import { RequestDetails } from './request-details.tsx';
import { shortUrl } from './short-url.ts';
import { Bars } from '../timeline/time-bars.tsx';

type RowRequest = EventOf<'request'>;

export function RequestRow({ request, whole }: { readonly request: RowRequest; readonly whole: number }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const { detail, took } = request;
  const parts = phasesOf(request).map(({ from, to, name }) => ({ from, to, look: name }));
  return (
    <>
      <tr data-problem={isProblem(detail) ? '' : undefined}>
        <th scope="row">
          <Name
            request={request}
            open={open}
            id={id}
            toggle={() => {
              setOpen(!open);
            }}
          />
          <Why detail={detail} />
        </th>
        <td>
          <Answer detail={detail} />
        </td>
        <td class="soft explain-wider">{detail.type}</td>
        <td class="end">{detail.bytes !== undefined && size(detail.bytes)}</td>
        <td class="end">{took !== undefined && duration(took)}</td>
        <td class="explain-time">
          <Bars parts={parts} whole={whole} />
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

interface NameProps {
  readonly request: RowRequest;
  readonly open: boolean;
  readonly id: string;
  readonly toggle: () => void;
}

function Name({ request: { text, detail }, open, id, toggle }: NameProps) {
  const { name, place } = shortUrl(text);
  const { method = 'GET' } = detail;
  return (
    <button
      type="button"
      class="explain-opener"
      aria-expanded={open}
      aria-controls={open ? id : undefined}
      title={text.slice(0, 500)}
      onClick={toggle}
    >
      <ChevronRight size={14} aria-hidden="true" />
      <span class="cut">
        {method !== 'GET' && <code>{method} </code>}
        <bdi>{name}</bdi> {place !== '' && <bdi class="faint">{place}</bdi>}
      </span>
    </button>
  );
}

/** A short reason below the URL, so that a failure is visible without expanding the row. */
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
