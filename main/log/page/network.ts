/** The network section: a waterfall of the requests with status, type, size, origin, initiator and time. */
import type { Header, LogEvent, RequestDetail } from '../events.ts';
import type { EventOf } from '../select-events.ts';
import { answerOf, faultOf, isProblem, phasesOf, requestsByBegin, type Phase } from '../waterfall.ts';
import { bytes, milliseconds } from './figures.ts';
import { foreign, html, type Markup, type Section } from './markup.ts';
import { cutList, table, type Row } from './table.ts';
import { axis, bars, key, type Bar } from './time-axis.ts';

type Request = EventOf<'request'>;

const most = 400;

export function network(events: readonly LogEvent[]): Section | undefined {
  const requests = requestsByBegin(events);
  if (requests.length === 0) return undefined;
  const { first, more } = cutList(requests, most);
  const whole = Math.max(1, ...first.map(({ at }) => at), events.at(-1)?.at ?? 0);
  const columns = [
    { name: 'Address', look: 'name' },
    { name: 'Status', look: 'status' },
    { name: 'Size', look: 'number' },
    { name: 'Took ms', look: 'number' },
    { name: axis(whole), look: 'time' },
  ];
  const rows = first.map((request) => row(request, whole));
  const content = html`${legend(first)}${table({ label: 'Requests', columns, rows })}${more}`;
  return { id: 'network', title: 'Network', count: requests.length, content };
}

function legend(requests: readonly Request[]): Markup | undefined {
  if (!requests.some(({ detail }) => detail.phases !== undefined)) return undefined;
  const parts = [
    ['connect', 'connecting'],
    ['wait', 'waiting for the answer'],
    ['receive', 'receiving'],
    ['bad', 'failed'],
  ] as const;
  return html`<ul class="legend">
    ${parts.map(([look, what]) => html`<li>${key(look)}${what}</li>`)}
  </ul>`;
}

function row(request: Request, whole: number): Row {
  const { text, took, detail } = request;
  return {
    look: isProblem(detail) ? 'problem' : '',
    cells: [
      html`${method(detail)}${foreign(text, 400)}${about(detail)}${problem(detail)}${headers(detail)}`,
      String(answerOf(detail) ?? ''),
      detail.bytes === undefined ? '' : bytes(detail.bytes),
      took === undefined ? '' : milliseconds(took),
      bars(phasesOf(request).map(bar), whole),
    ],
  };
}

function method({ method = 'GET' }: RequestDetail): Markup | undefined {
  return method === 'GET' ? undefined : html`<code>${foreign(method, 20)}</code> `;
}

function about({ type, mime, from, protocol, initiator }: RequestDetail): Markup {
  const parts = [type, mime, from && origins[from], protocol, initiator && `requested by ${initiator}`];
  const said = parts.flatMap((part) => (part === undefined || part === '' ? [] : [part])).join(' · ');
  return html`<small class="about">${foreign(said, 500)}</small>`;
}

const origins: Readonly<Record<NonNullable<RequestDetail['from']>, string>> = {
  network: 'from the network',
  cache: 'from the cache',
  job: "one of the job's files",
  data: 'inside its address',
};

function problem(detail: RequestDetail): Markup {
  const { blocked, redirected } = detail;
  const failed = faultOf(detail);
  return html`${blocked === undefined ? undefined : line('Blocked', blocked)}${failed === undefined ? undefined : line('Failed', failed)}${
    redirected === undefined ? undefined : line('Redirected to', redirected)
  }`;
}

function line(word: string, why: string): Markup {
  return html`<small class="about why"><strong>${word}</strong> ${foreign(why, 500)}</small>`;
}

/** Shows headers of documents and failed requests only; the HAR has all of them. */
function headers(detail: RequestDetail): Markup | undefined {
  const { type, requestHeaders = [], responseHeaders = [] } = detail;
  if (!isProblem(detail) && type !== 'Document') return undefined;
  if (requestHeaders.length + responseHeaders.length === 0) return undefined;
  return html`<details>
    <summary>Headers</summary>
    <pre>
${requestHeaders.map(header)}
${responseHeaders.map(header)}</pre>
  </details>`;
}

function header({ name, value }: Header): Markup {
  return html`${foreign(`${name}: ${value}`, 1000)} `;
}

function bar({ from, to, what }: Phase): Bar {
  return { from, to, look: what === 'failed' ? 'bad' : what };
}
