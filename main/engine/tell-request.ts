/** What a job's log is told of a request as Electron's webRequest describes it. */
import type { DebugLog } from '../log/debug-log.ts';
import type { RequestEvent } from '../log/events.ts';
import type { Recording } from './recording/recorder.ts';
import { headerOf, type RequestHeaders, type ResponseHeaders } from './request-rules.ts';
import { shown } from './shown-address.ts';

/** Who is told of requests. */
export interface Told {
  readonly log?: DebugLog;
  /** Writes the requests of pages, and knows more of them. */
  readonly recording?: Pick<Recording, 'hear'> | undefined;
}

export interface Facts {
  readonly id: number;
  readonly url: string;
  readonly method: string;
  readonly resourceType: string;
  readonly referrer?: string;
  /** Of one that broke off, too, if its answer had begun; Electron's types do not say so. */
  readonly statusCode?: number;
  /** `HTTP/1.1 200 OK` */
  readonly statusLine?: string;
  readonly responseHeaders?: ResponseHeaders | undefined;
}

export function write(
  { told: { log, recording } }: { readonly told: Told },
  facts: Pick<Facts, 'url' | 'responseHeaders'> & {
    readonly headers?: RequestHeaders | undefined;
  },
  event: Pick<RequestEvent, 'took' | 'detail'>,
): void {
  if (log?.recorded !== true) return;
  const { url, headers: requestHeaders, responseHeaders = {} } = facts;
  const whole: RequestEvent = { kind: 'request', text: shown(url), ...event };
  if (recording === undefined) log.write(whole);
  else recording.hear(url, { event: whole, requestHeaders, responseHeaders: joined(responseHeaders) });
}

export function asked({ method, resourceType, referrer = '' }: Facts): Partial<RequestEvent['detail']> {
  const initiator = referrer === '' ? undefined : shown(referrer);
  return { method, type: types[resourceType] ?? 'Other', ...(initiator !== undefined && { initiator }) };
}

/** DevTools' names of what Electron's webRequest tells apart. */
const types: Readonly<Record<string, string>> = {
  ...{ mainFrame: 'Document', subFrame: 'Document', stylesheet: 'Stylesheet', script: 'Script' },
  ...{ image: 'Image', font: 'Font', xhr: 'XHR', media: 'Media', ping: 'Ping', webSocket: 'WebSocket' },
};

export function answered({
  url,
  statusLine = '',
  responseHeaders = {},
}: Facts): Partial<RequestEvent['detail']> {
  if (!/^https?:/i.test(url)) return {};
  const mime = headerOf(responseHeaders, 'content-type')?.[0]?.split(';')[0]?.trim();
  const length = headerOf(responseHeaders, 'content-length')?.[0];
  const protocol = /^HTTP\/\S+/i.exec(statusLine)?.[0].toLowerCase();
  return {
    ...(mime !== undefined && { mime }),
    ...(length !== undefined && /^\d+$/.test(length) && { bytes: Number(length) }),
    ...(protocol !== undefined && { protocol }),
  };
}

/** A shorter value is more often a choice of the reader's than the key to a session. */
const shortestCookie = 6;

/** What a server sets (RFC 6265, 5.2) stands in no log, should its page print it; called before the page has it. */
export function hideCookies({ told: { log } }: { readonly told: Told }, headers: ResponseHeaders): void {
  if (log?.recorded !== true) return;
  const values = (headerOf(headers, 'set-cookie') ?? []).map((line) => {
    const [pair = ''] = line.split(';', 1);
    return pair
      .slice(pair.indexOf('=') + 1)
      .trim()
      .replace(/^"|"$/g, '');
  });
  log.hideSome(values.filter((value) => value.length >= shortestCookie));
}

/** One value a name. */
function joined(headers: ResponseHeaders): RequestHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, values.join('\n')]));
}
