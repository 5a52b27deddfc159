/** Writes requests, as Electron's webRequest describes them, to a job's debug log. */
import type { DebugLog } from '../../log/debug-log.ts';
import type { RequestEvent } from '../../log/events.ts';
import type { ProtocolRecording } from '../diagnostics/recording/recorder.ts';
import { headerOf, type RequestHeaders, type ResponseHeaders } from './request-rules.ts';
import { displayUrl } from './shown-address.ts';

/** Where requests are logged. Empty between jobs. */
export interface RequestLogTarget {
  readonly log?: DebugLog;
  /** Receives the requests while a debug log is recorded, and adds details from DevTools. */
  readonly recording?: Pick<ProtocolRecording, 'addSeenRequest'> | undefined;
}

export interface RequestDetails {
  readonly id: number;
  readonly url: string;
  readonly method: string;
  readonly resourceType: string;
  readonly referrer?: string;
  /** Also set for a request that failed after its response began; Electron's types do not say so. */
  readonly statusCode?: number;
  /** `HTTP/1.1 200 OK` */
  readonly statusLine?: string;
  readonly responseHeaders?: ResponseHeaders | undefined;
}

export function logRequest(
  { logTarget: { log, recording } }: { readonly logTarget: RequestLogTarget },
  facts: Pick<RequestDetails, 'url' | 'responseHeaders'> & {
    readonly headers?: RequestHeaders | undefined;
  },
  event: Pick<RequestEvent, 'took' | 'detail'>,
): void {
  if (log?.isRecorded !== true) return;
  const { url, headers: requestHeaders, responseHeaders = {} } = facts;
  const requestEvent: RequestEvent = { kind: 'request', text: displayUrl(url), ...event };
  if (recording === undefined) log.write(requestEvent);
  else
    recording.addSeenRequest(url, {
      event: requestEvent,
      requestHeaders,
      responseHeaders: joinValues(responseHeaders),
    });
}

export function requestFields({
  method,
  resourceType,
  referrer = '',
}: RequestDetails): Partial<RequestEvent['detail']> {
  const initiator = referrer === '' ? undefined : displayUrl(referrer);
  return {
    method,
    type: devToolsTypes[resourceType] ?? 'Other',
    ...(initiator !== undefined && { initiator }),
  };
}

/** Electron's resource types by their DevTools names. */
const devToolsTypes: Readonly<Record<string, string>> = {
  mainFrame: 'Document',
  subFrame: 'Document',
  stylesheet: 'Stylesheet',
  script: 'Script',
  image: 'Image',
  font: 'Font',
  xhr: 'XHR',
  media: 'Media',
  ping: 'Ping',
  webSocket: 'WebSocket',
};

export function responseFields({
  url,
  statusLine = '',
  responseHeaders = {},
}: RequestDetails): Partial<RequestEvent['detail']> {
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

/** Shorter values are usually settings, not session keys. */
const minCookieLength = 6;

/**
 * Masks the cookies that a server sets (RFC 6265, 5.2) in the log, in case the page prints them. Call it before the
 * page receives the response.
 */
export function hideCookies(
  { logTarget: { log } }: { readonly logTarget: RequestLogTarget },
  headers: ResponseHeaders,
): void {
  if (log?.isRecorded !== true) return;
  const values = (headerOf(headers, 'set-cookie') ?? []).map((line) => {
    const [pair = ''] = line.split(';', 1);
    return pair
      .slice(pair.indexOf('=') + 1)
      .trim()
      .replace(/^"|"$/g, '');
  });
  log.hideLimited(values.filter((value) => value.length >= minCookieLength));
}

/** Joins the values of each header to one string. */
function joinValues(headers: ResponseHeaders): RequestHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, values.join('\n')]));
}
