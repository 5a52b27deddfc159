/** Exports the requests of a debug log as an HTTP Archive (HAR 1.2). */
import type { Header, JobEvent, LogEvent, RequestDetail, RequestEvent } from './events.ts';
import { beganAt } from './waterfall.ts';
import { roundToTenths } from './debug-log.ts';
import { parsedUrl } from '../fields/parsed-url.ts';

type LoggedRequest = RequestEvent & { readonly at: number };

/** Returns an archive of the requests; the format does not support console messages. Times are in milliseconds, -1 if unknown. */
export function harOf(events: readonly LogEvent[]): object {
  const job = events.find((event): event is JobEvent & { at: number } => event.kind === 'job');
  const received = Date.parse(job?.detail.received ?? '');
  const start = Number.isNaN(received) ? 0 : received;
  // An event without a method is not an HTTP request, but for example a connection that the network policy blocked.
  const requests = events.filter(
    (event): event is LoggedRequest => event.kind === 'request' && event.detail.method !== undefined,
  );
  const { platen = '', chromium = '' } = job?.detail.versions ?? {};
  return {
    log: {
      version: '1.2',
      creator: { name: 'Platen', version: platen },
      browser: { name: 'Chromium', version: chromium },
      pages: [
        {
          startedDateTime: new Date(start).toISOString(),
          id: pageId,
          title: requests[0]?.text ?? job?.text ?? '',
          pageTimings: { onContentLoad: -1, onLoad: -1 },
        },
      ],
      entries: [...requests].sort((a, b) => beganAt(a) - beganAt(b)).map((event) => entryOf(event, start)),
    },
  };
}

const pageId = 'page_1';

function entryOf(event: LoggedRequest, start: number): object {
  const { took = 0, detail } = event;
  const comment = commentOf(detail);
  const timings = timingsOf(took, detail);
  return {
    pageref: pageId,
    startedDateTime: new Date(start + beganAt(event)).toISOString(),
    // HAR defines the time as the sum of the timings.
    time: roundToTenths(Object.values(timings).reduce((sum, duration) => sum + Math.max(0, duration), 0)),
    request: requestOf(event),
    response: responseOf(detail),
    cache: {},
    timings,
    ...(detail.type !== undefined && { _resourceType: detail.type.toLowerCase() }),
    ...(detail.initiator !== undefined && { _initiator: { type: 'other', url: detail.initiator } }),
    ...(comment !== undefined && { comment }),
  };
}

function requestOf({ text, detail }: LoggedRequest): object {
  const { method, protocol, requestHeaders } = detail;
  const url = addressOf(text);
  return {
    method,
    url,
    httpVersion: versionOf(protocol),
    cookies: [],
    headers: headersOf(requestHeaders),
    queryString: [...(parsedUrl(url)?.searchParams ?? [])].map(([name, value]) => ({ name, value })),
    headersSize: -1,
    bodySize: -1,
  };
}

/** Returns an absolute URL, as HAR requires. For files of the upload, the log contains only their path, or its beginning. */
function addressOf(text: string): string {
  return /^([a-z][a-z0-9+.-]*:\/\/|data:|blob:|about:)/i.test(text)
    ? text.replace(/\s/g, '%20')
    : `platen://job/${encodeURI(text.toWellFormed())}`;
}

function responseOf({
  status = 0,
  mime = '',
  protocol,
  redirected,
  responseHeaders,
  bytes,
}: RequestDetail): object {
  return {
    status,
    statusText: '',
    httpVersion: versionOf(protocol),
    cookies: [],
    headers: headersOf(responseHeaders),
    // The size is unknown: the transferred bytes include headers and may be compressed.
    content: { size: -1, mimeType: mime },
    redirectURL: redirected === undefined ? '' : addressOf(redirected),
    headersSize: -1,
    bodySize: -1,
    ...(bytes !== undefined && { _transferSize: bytes }),
  };
}

function versionOf(protocol: string | undefined): string {
  return protocol === undefined ? '' : protocol.toUpperCase();
}

function headersOf(headers: readonly Header[] = []): readonly Header[] {
  return headers.map(({ name, value }) => ({ name, value }));
}

/** Returns the timings of a request. HAR requires `send`, `wait` and `receive`; without phases, the whole time is `wait`. */
function timingsOf(took: number, { phases }: RequestDetail): Readonly<Record<string, number>> {
  const unknown = { blocked: -1, dns: -1, connect: -1, ssl: -1 };
  if (phases === undefined) return { ...unknown, send: 0, wait: took, receive: 0 };
  const { connect, send, wait, receive } = phases;
  const remainder = took - connect - send - wait - receive;
  return {
    ...unknown,
    ...(remainder > 0 && { blocked: roundToTenths(remainder) }),
    connect,
    send,
    wait,
    receive,
  };
}

function commentOf({ blocked, failed, from }: RequestDetail): string | undefined {
  if (blocked !== undefined) return `blocked: ${blocked}`;
  if (failed !== undefined) return `failed: ${failed}`;
  return from === 'job' ? 'a file of the job' : undefined;
}
