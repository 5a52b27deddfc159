/**
 * Writes the requests of one job to its debug log. Also notes there which credentials were sent and how many requests each option
 * blocked.
 */
import type { DebugLog } from '../../log/debug-log.ts';
import { blockedByNetworkPolicy, requestFailures, type RequestEvent } from '../../log/events.ts';
import { firstHeaders, maxMethodLength } from '../diagnostics/recording/messages.ts';
import type { ProtocolRecording } from '../diagnostics/recording/recorder.ts';
import { headerOf, type RequestHeaders, type ResponseHeaders } from './request-rules.ts';
import { beginningOf, displayUrl, isEmptyPage } from './shown-address.ts';
import { parsedUrl } from '../../fields/parsed-url.ts';

interface RequestLogTarget {
  readonly log: DebugLog;
  /** Receives the requests while a debug log is recorded, and adds details from the DevTools protocol. */
  readonly recording: Pick<ProtocolRecording, 'addSeenRequest'> | undefined;
  /** Returns whether the network guard has refused the host of an address. */
  readonly isRefused: (url: string) => boolean;
  /** Where the job's files come from, for messages about missing files. */
  readonly jobFilesSource: 'archive' | 'upload';
}

/** A request as Electron describes it. */
export interface RequestDetails {
  readonly id: number;
  readonly url: string;
  readonly method: string;
  readonly resourceType: string;
  readonly referrer?: string;
  /** Also set for a request that failed after its response began, although Electron's types do not say so. */
  readonly statusCode?: number;
  /** Such as `HTTP/1.1 200 OK`. */
  readonly statusLine?: string;
  readonly responseHeaders?: ResponseHeaders | undefined;
}

/** How a request ended. */
interface RequestResult {
  /** Milliseconds from the start of the request to its end. */
  readonly took: number;
  /** The request headers as sent, if they are known. */
  readonly headers: RequestHeaders | undefined;
  readonly outcome: RequestEvent['detail'];
}

/** Minimum length of a cookie value that is hidden. Shorter values are usually settings, not session keys. */
const minCookieLength = 6;

export class RequestLog {
  readonly #log: DebugLog;
  readonly #recording: RequestLogTarget['recording'];
  readonly #isRefused: RequestLogTarget['isRefused'];
  readonly #jobFilesSource: RequestLogTarget['jobFilesSource'];
  /** Hosts that received the job's cookies or custom header. */
  readonly #credentialHosts = new Set<string>();
  readonly #blockedByOption = new Map<string, number>();

  constructor({ log, recording, isRefused, jobFilesSource }: RequestLogTarget) {
    this.#log = log;
    this.#recording = recording;
    this.#isRefused = isRefused;
    this.#jobFilesSource = jobFilesSource;
  }

  get includesHeaders(): boolean {
    return this.#recording !== undefined;
  }

  /** Writes a request that was not made. `blocked`: why. */
  writeRefused(details: RequestDetails, blocked: string): void {
    this.#write(details, { detail: { ...requestFields(details), blocked } });
  }

  /** Counts and writes a request that was not made because of an option. */
  writeBlocked(details: RequestDetails, option: string): void {
    this.#blockedByOption.set(option, (this.#blockedByOption.get(option) ?? 0) + 1);
    this.writeRefused(details, `by ${option}`);
  }

  writeRedirect(from: string, to: string): void {
    this.#write({ url: from }, { detail: { redirected: displayUrl(to) } });
  }

  writeEnd(details: RequestDetails, { took, headers, outcome }: RequestResult): void {
    const began = Math.max(0, Math.round(this.#log.now - took));
    const detail = { ...requestFields(details), began, ...responseFields(details), ...outcome };
    this.#write({ ...details, headers }, { took, detail });
  }

  /** Notes that the job's cookies or custom header were sent; once for each host. */
  noteSentHeaders(url: string): void {
    const host = parsedUrl(url)?.host;
    if (host === undefined || !this.#log.isRecorded || this.#credentialHosts.has(host)) return;
    this.#credentialHosts.add(host);
    this.#log.note(`The job's cookies or its custom_http_header were sent to ${host}.`, {
      code: 'credentials-sent',
      options: ['cookies', 'custom_http_header'],
    });
  }

  noteSentPassword(host: string): void {
    this.#log.note(`http_auth_user_name and http_auth_password were sent to ${host}.`, {
      code: 'credentials-sent',
      options: ['http_auth_user_name', 'http_auth_password'],
    });
  }

  /** Notes how many requests each option has blocked. */
  noteBlocked(): void {
    for (const [option, count] of this.#blockedByOption)
      this.#log.note(`${count} request${count === 1 ? ' was' : 's were'} not made because of ${option}.`, {
        code: 'blocked-resource',
        options: [option],
      });
  }

  /**
   * Hides the values of cookies that a server sets (RFC 6265, 5.2) in the debug log, where a console message may contain them. Call
   * this before the page receives the response.
   */
  hideCookies(headers: ResponseHeaders): void {
    if (!this.#log.isRecorded) return;
    const values = (headerOf(headers, 'set-cookie') ?? []).map(cookieValue);
    this.#log.hideLimited(values.filter((value) => value.length >= minCookieLength));
  }

  /** Returns the event with the reason of the failure, as a recorded log has it. */
  #explained(url: string, event: RequestEvent): RequestEvent {
    const { failed, status, from } = event.detail;
    if (failed !== undefined && status === undefined && this.#isRefused(url)) return refusalOf(event);
    if (from !== 'job' || status !== 404) return event;
    const missing = `${requestFailures.missingFile} in the ${this.#jobFilesSource}`;
    return { ...event, detail: { ...event.detail, failed: missing } };
  }

  #write(
    request: Pick<RequestDetails, 'url' | 'responseHeaders'> & Partial<Pick<RequestResult, 'headers'>>,
    event: Pick<RequestEvent, 'took' | 'detail'>,
  ): void {
    const { url, headers: requestHeaders, responseHeaders = {} } = request;
    if (isEmptyPage(url)) return;
    const isKept = mayExplainWarning(event);
    if (!isKept && !this.#log.isRecorded) return;
    const requestEvent: RequestEvent = { kind: 'request', text: displayUrl(url), ...event };
    if (isKept) this.#log.keep(this.#explained(url, requestEvent));
    if (!this.#log.isRecorded) return;
    if (this.#recording === undefined) this.#log.write(requestEvent);
    else
      this.#recording.addSeenRequest(url, {
        event: requestEvent,
        requestHeaders,
        responseHeaders: firstHeaders(joinValues(responseHeaders)),
      });
  }
}

/** Returns whether warnings may follow from a request, or refer to it, such as to the page itself. */
function mayExplainWarning({ detail }: Pick<RequestEvent, 'detail'>): boolean {
  const { blocked, failed, status = 0, type } = detail;
  return blocked !== undefined || failed !== undefined || status >= 400 || type === 'Document';
}

/** Returns the event of a request that the network guard has refused. */
function refusalOf({ text, detail: { type } }: RequestEvent): RequestEvent {
  const detail = { ...(type !== undefined && { type }), blocked: blockedByNetworkPolicy };
  return { kind: 'request', text, detail };
}

/** Returns the value in a Set-Cookie header, without quotation marks. */
function cookieValue(header: string): string {
  const [pair = ''] = header.split(';', 1);
  return pair
    .slice(pair.indexOf('=') + 1)
    .trim()
    .replace(/^"|"$/g, '');
}

function requestFields({
  method,
  resourceType,
  referrer = '',
}: RequestDetails): Partial<RequestEvent['detail']> {
  const initiator = referrer === '' ? undefined : displayUrl(referrer);
  return {
    method: beginningOf(method, maxMethodLength),
    type: devToolsTypes[resourceType] ?? 'Other',
    ...(initiator !== undefined && { initiator }),
  };
}

/** The DevTools names of Electron's resource types. */
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

function responseFields({
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

/** Joins the values of each header into one string, separated by line feeds. */
function joinValues(headers: ResponseHeaders): RequestHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, values.join('\n')]));
}
