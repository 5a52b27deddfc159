/** One request: a line of the waterfall, and when it is opened, all that is known of it. */
import { ChevronRight } from 'lucide-preact';
import { useId, useState } from 'preact/hooks';
import type { RequestDetail } from '../../main/log/events.ts';
import type { EventOf } from '../../main/log/select-events.ts';
import { answerOf, faultOf, isProblem, phasesOf } from '../../main/log/waterfall.ts';
import { duration, size, t } from '../texts/text.ts';
import { RequestFacts } from './request-facts.tsx';
import { shortAddress } from './short-address.ts';
import { Bars } from './time-bars.tsx';

type Request = EventOf<'request'>;

export function RequestRow({ request, whole }: { readonly request: Request; readonly whole: number }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const { detail, took } = request;
  const parts = phasesOf(request).map(({ from, to, what }) => ({ from, to, look: what }));
  return (
    <>
      <tr data-problem={isProblem(detail) ? '' : undefined}>
        <th scope="row">
          <Name
            {...{ request, open, id }}
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
            <RequestFacts request={request} />
          </td>
        </tr>
      )}
    </>
  );
}

interface NameProps {
  readonly request: Request;
  readonly open: boolean;
  readonly id: string;
  readonly toggle: () => void;
}

function Name({ request: { text, detail }, open, id, toggle }: NameProps) {
  const { name, place } = shortAddress(text);
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

/** In a few words, below the address: nobody should have to open a line to learn that it failed. */
function Why({ detail }: { readonly detail: RequestDetail }) {
  const why = detail.blocked ?? faultOf(detail);
  if (why === undefined) return null;
  return (
    <small class="explain-second explain-why" lang="en">
      <bdi>{why}</bdi>
    </small>
  );
}

function Answer({ detail }: { readonly detail: RequestDetail }) {
  const answer = answerOf(detail);
  if (answer === undefined) return null;
  if (typeof answer === 'number') return <span class={isProblem(detail) ? 'explain-bad' : ''}>{answer}</span>;
  return <span class="explain-bad">{t(`explain.answer.${answer}`)}</span>;
}
