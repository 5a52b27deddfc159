/** The network section: a waterfall of the requests with status, type, size, origin, initiator and time. */
import type { Header, LogEvent, RequestDetail, EventOf } from '../events.ts';
import {
  statusLabel,
  failureReason,
  isProblem,
  phasesOf,
  requestsByBegin,
  type Phase,
} from '../waterfall.ts';
import { bytes, milliseconds } from './figures.ts';
import { untrusted, html, type Markup, type Section } from './markup.ts';
import { cutList, table, type Row } from './table.ts';
import { axis, bars, legendKey, type TimeBar } from './time-axis.ts';

type NetworkRow = EventOf<'request'>;

const maxRows = 400;

export function network(events: readonly LogEvent[]): Section | undefined {
  const requests = requestsByBegin(events);
  if (requests.length === 0) return undefined;
  const { first, more } = cutList(requests, maxRows);
  const totalMs = Math.max(1, ...first.map(({ at }) => at), events.at(-1)?.at ?? 0);
  const columns = [
    { name: 'Address', className: 'name' },
    { name: 'Status', className: 'status' },
    { name: 'Size', className: 'number' },
    { name: 'Took ms', className: 'number' },
    { name: axis(totalMs), className: 'time' },
  ];
  const rows = first.map((request) => row(request, totalMs));
  const content = html`${legend(first)}${table({ label: 'Requests', columns, rows })}${more}`;
  return { id: 'network', title: 'Network', count: requests.length, content };
}

function legend(requests: readonly NetworkRow[]): Markup | undefined {
  if (!requests.some(({ detail }) => detail.phases !== undefined)) return undefined;
  const parts = [
    ['connect', 'connecting'],
    ['wait', 'waiting for the response'],
    ['receive', 'receiving'],
    ['bad', 'failed'],
  ] as const;
  return html`<ul class="legend">
    ${parts.map(([className, what]) => html`<li>${legendKey(className)}${what}</li>`)}
  </ul>`;
}

function row(request: NetworkRow, totalMs: number): Row {
  const { text, took, detail } = request;
  return {
    className: isProblem(detail) ? 'problem' : '',
    cells: [
      html`${method(detail)}${untrusted(text, 400)}${requestDetails(detail)}${problemLines(detail)}${headers(detail)}`,
      String(statusLabel(detail) ?? ''),
      detail.bytes === undefined ? '' : bytes(detail.bytes),
      took === undefined ? '' : milliseconds(took),
      bars(phasesOf(request).map(bar), totalMs),
    ],
  };
}

function method({ method = 'GET' }: RequestDetail): Markup | undefined {
  return method === 'GET' ? undefined : html`<code>${untrusted(method, 20)}</code> `;
}

function requestDetails({ type, mime, from, protocol, initiator }: RequestDetail): Markup {
  const parts = [type, mime, from && origins[from], protocol, initiator && `requested by ${initiator}`];
  const text = parts.flatMap((part) => (part === undefined || part === '' ? [] : [part])).join(' · ');
  return html`<small class="about">${untrusted(text, 500)}</small>`;
}

const origins: Readonly<Record<NonNullable<RequestDetail['from']>, string>> = {
  network: 'from the network',
  cache: 'from the cache',
  job: "from the job's files",
  data: 'from a data: URL',
};

function problemLines(detail: RequestDetail): Markup {
  const { blocked, redirected } = detail;
  const failed = failureReason(detail);
  return html`${blocked === undefined ? undefined : problemLine('Blocked', blocked)}${failed === undefined ? undefined : problemLine('Failed', failed)}${
    redirected === undefined ? undefined : problemLine('Redirected to', redirected)
  }`;
}

function problemLine(word: string, why: string): Markup {
  return html`<small class="about why"><strong>${word}</strong> ${untrusted(why, 500)}</small>`;
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
  return html`${untrusted(`${name}: ${value}`, 1000)} `;
}

function bar({ from, to, name }: Phase): TimeBar {
  return { from, to, className: name === 'failed' ? 'bad' : name };
}
