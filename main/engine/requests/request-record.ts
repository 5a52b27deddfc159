/** Records the requests of a session during one job, and logs them. */
import { requestFailures, type RequestEvent } from '../../log/events.ts';
import {
  headerOf,
  noRules,
  type Credentials,
  type RequestHeaders,
  type RequestRules,
  type ResponseHeaders,
} from './request-rules.ts';
import { isJobFile, displayUrl } from './shown-address.ts';
import type { RequestOutcome } from '../diagnostics/recording/network-errors.ts';
import type { DebugLog } from '../../log/debug-log.ts';
import type { ProtocolRecording } from '../diagnostics/recording/recorder.ts';

export interface FailedRequest {
  readonly url: string;
  /** What happened, in words that follow the address in a message: `was answered with status 404`. */
  readonly how: string;
}

/** A challenge of HTTP authentication (RFC 9110, 11). */
export interface Challenge {
  readonly url: string;
  readonly isProxy: boolean;
  readonly host: string;
  readonly port: number;
  readonly realm: string;
}

/** The status and headers of a response. */
interface RequestResponse {
  readonly status: number;
  readonly statusLine: string;
  readonly responseHeaders: ResponseHeaders;
}

interface PendingRequest {
  readonly url: string;
  readonly began: number;
  readonly resourceType: string;
  /** The request headers as sent; set only while a debug log is recorded. */
  readonly headers?: RequestHeaders;
  /** Set when the response begins. Chromium may still discard the response. */
  readonly response?: RequestResponse;
}

/** The state of the requests of a session since the job began. */
export interface RequestRecord {
  readonly pending: Map<number, PendingRequest>;
  readonly failures: FailedRequest[];
  readonly answeredChallenges: Set<string>;
  /** Hosts that received the job's cookies or custom header. */
  readonly credentialHosts: Set<string>;
  readonly blockedByOption: Map<string, number>;
  /** Addresses with the scheme `platen:` to which sites redirected. Requests for them are refused. */
  readonly refusedRedirects: Set<string>;
  /** By address: the number of XHR and fetch requests that have ended. */
  readonly endedXhrCounts: Map<string, number>;
  /** By address: when scripts, style sheets and images arrived after the page's load event. */
  readonly arrivalTimes: Map<string, number>;
  readonly began: number;
  readonly logTarget: RequestLogTarget;
  readonly rules: RequestRules;
  /** Number of requests that the page may still make. */
  requestsLeft: number;
  touchedNetwork: boolean;
  /** The page's load event has fired. */
  hasLoaded: boolean;
  pageUrl: string;
  pageStatus: number;
  pageCharset: string | undefined;
}

/**
 * Matches addresses that pages may load: by scheme, and for `platen:` also by the host of job documents. The pattern may be
 * case-sensitive, because Chromium has normalized the address (WHATWG URL).
 */
const allowedSchemes = /^((https?|wss?|data|blob|about):|platen:\/\/job\/)/;
const networkSchemes = /^(https?|wss?):/;
const endlessTypes = new Set(['webSocket', 'ping', 'eventStream']);
const maxFailures = 100;
const trackedTypes: ReadonlySet<string> = new Set(['script', 'image', 'stylesheet']);
/** After this many responses from an address, another request for it counts as polling. */
const pollingThreshold = 2;

export function newRequestRecord(
  logTarget: RequestLogTarget = {},
  rules: RequestRules = noRules,
  maxRequests = Infinity,
): RequestRecord {
  return {
    pending: new Map(),
    failures: [],
    answeredChallenges: new Set(),
    credentialHosts: new Set(),
    blockedByOption: new Map(),
    refusedRedirects: new Set(),
    endedXhrCounts: new Map(),
    arrivalTimes: new Map(),
    began: performance.now(),
    logTarget,
    rules,
    requestsLeft: maxRequests,
    touchedNetwork: false,
    hasLoaded: false,
    pageUrl: '',
    pageStatus: 0,
    pageCharset: undefined,
  };
}

/**
 * Records the start of a request. Returns whether it is allowed: false for schemes that are never loaded, refused redirects,
 * requests that an option blocks, and requests beyond the limit. Requests beyond the limit are not logged, because their number is
 * unbounded.
 */
export function beginRequest(record: RequestRecord, details: RequestDetails): boolean {
  const { id, url, resourceType } = details;
  record.requestsLeft -= 1;
  // Navigations of the main frame are not refused, because a refused navigation would replace the page with an error page. Their
  // number is bounded by load-page.ts and by Chromium's redirect limit.
  if (record.requestsLeft < 0 && resourceType !== 'mainFrame') return false;
  if (!allowedSchemes.test(url) || record.refusedRedirects.has(url)) {
    logRequest(record, details, {
      detail: { ...requestFields(details), blocked: 'this scheme is never loaded' },
    });
    return false;
  }
  const option = record.rules.blockingOption({ url, resourceType, pageUrl: record.pageUrl });
  if (option !== undefined) {
    record.blockedByOption.set(option, (record.blockedByOption.get(option) ?? 0) + 1);
    logRequest(record, details, { detail: { ...requestFields(details), blocked: `by ${option}` } });
    return false;
  }
  if (resourceType === 'mainFrame') beginPage(record, url);
  record.touchedNetwork ||= networkSchemes.test(url);
  record.pending.set(id, { url, began: performance.now(), resourceType });
  return true;
}

export function recordRedirect({ refusedRedirects }: RequestRecord, from: string, to: string): void {
  if (networkSchemes.test(from) && to.startsWith('platen:')) refusedRedirects.add(to);
}

/** Resets the record for a new main-frame request, also after a redirect: failures of earlier addresses do not count. */
function beginPage(record: RequestRecord, url: string): void {
  record.pageUrl = url;
  record.pageStatus = 0;
  record.hasLoaded = false;
  record.failures.length = 0;
}

export function recordFailure({ failures }: RequestRecord, url: string, how: string): void {
  if (failures.length < maxFailures) failures.push({ url: displayUrl(url), how });
}

export function endRequest(
  record: RequestRecord,
  details: RequestDetails,
  outcome: RequestEvent['detail'],
): void {
  const request = record.pending.get(details.id);
  // The request began in an earlier job, or was not allowed.
  if (request === undefined) return;
  record.pending.delete(details.id);
  if (request.resourceType === 'xhr')
    record.endedXhrCounts.set(request.url, (record.endedXhrCounts.get(request.url) ?? 0) + 1);
  if (record.hasLoaded && trackedTypes.has(request.resourceType))
    record.arrivalTimes.set(request.url, performance.now());
  const took = Math.round(performance.now() - request.began);
  const began = Math.max(0, Math.round((record.logTarget.log?.now ?? 0) - took));
  const detail = { ...requestFields(details), began, ...responseFields(details), ...outcome };
  logRequest(record, { ...details, headers: request.headers }, { took, detail });
}

/** Records that a response has begun. */
export function recordResponse({ pending }: RequestRecord, id: number, response: RequestResponse): void {
  const request = pending.get(id);
  if (request !== undefined) pending.set(id, { ...request, response });
}

/**
 * Records a failed request. `outcome` is why the browser failed it. Chromium discards error pages of subresources and then reports
 * a failure, so for a status of 400 or more, the status is recorded as the reason.
 */
export function failRequest(record: RequestRecord, details: RequestDetails, outcome: RequestOutcome): void {
  const response = record.pending.get(details.id)?.response ?? jobFileResponse(details);
  const isRefusal = response !== undefined && response.status >= 400;
  if (isRefusal && record.pending.has(details.id))
    recordFailure(record, details.url, `was answered with status ${response.status}`);
  // A request that the page or a navigation cancelled has not failed.
  else if (outcome.failed !== requestFailures.cancelled && record.pending.has(details.id))
    recordFailure(record, details.url, requestFailures.unreachable);
  const from = isJobFile(details.url) ? 'job' : 'network';
  const status = response && ({ status: response.status, from } as const);
  endRequest(record, { ...details, ...response }, { ...status, ...(!isRefusal && outcome) });
}

/**
 * Returns the response to a failed request for one of the job's files, because Electron does not report when these responses begin.
 */
function jobFileResponse({
  url,
  statusCode,
  statusLine = '',
  responseHeaders,
}: RequestDetails): RequestResponse | undefined {
  if (!isJobFile(url) || statusCode === undefined || responseHeaders === undefined) return undefined;
  return { status: statusCode, statusLine, responseHeaders };
}

/** Records the request headers just before they are sent, if a debug log is recorded. */
export function recordSentHeaders(
  { pending, logTarget }: RequestRecord,
  id: number,
  headers: RequestHeaders,
): void {
  const request = pending.get(id);
  if (request !== undefined && logTarget.recording !== undefined) pending.set(id, { ...request, headers });
}

export function credentialsForChallenge(
  record: RequestRecord,
  { url, isProxy, host, port, realm }: Challenge,
): Credentials | undefined {
  const key = `${host}:${port} ${realm}`;
  if (isProxy || record.answeredChallenges.has(key)) return undefined;
  const credentials = record.rules.credentialsFor(url);
  if (credentials === undefined) return undefined;
  record.answeredChallenges.add(key);
  record.logTarget.log?.note(`http_auth_user_name and http_auth_password were sent to ${host}:${port}.`, {
    code: 'credentials-sent',
    options: ['http_auth_user_name', 'http_auth_password'],
  });
  return credentials;
}

export function logBlockedRequests({ blockedByOption, logTarget: { log } }: RequestRecord): void {
  for (const [option, count] of blockedByOption)
    log?.note(`${count} request${count === 1 ? ' was' : 's were'} not made because of ${option}.`, {
      code: 'blocked-resource',
      options: [option],
    });
}

export function logSentCredentials(
  { credentialHosts, logTarget: { log } }: RequestRecord,
  url: string,
): void {
  const host = new URL(url).host;
  if (log?.isRecorded !== true || credentialHosts.has(host)) return;
  credentialHosts.add(host);
  log.note(`The job's cookies or its custom_http_header were sent to ${host}.`, {
    code: 'credentials-sent',
    options: ['cookies', 'custom_http_header'],
  });
}

export function recordPageResponse(record: RequestRecord, status: number, headers: ResponseHeaders): void {
  record.pageStatus = status;
  record.pageCharset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentTypeOf(headers))?.[1];
}

/** Marks a request as an event stream, which only the content type of the response identifies (HTML, 9.2). */
export function markEventStream({ pending }: RequestRecord, id: number, headers: ResponseHeaders): void {
  const type = contentTypeOf(headers);
  const request = pending.get(id);
  if (request !== undefined && /^text\/event-stream/i.test(type))
    pending.set(id, { ...request, resourceType: 'eventStream' });
}

function contentTypeOf(headers: ResponseHeaders): string {
  return headerOf(headers, 'content-type')?.[0] ?? '';
}

/** Returns whether HTTP requests are pending. Web sockets do not count, because Electron does not report when they end. */
export function hasPendingHttpRequests({ pending }: RequestRecord): boolean {
  return [...pending.values()].some(({ url }) => /^https?:/.test(url));
}

/** Returns the pending requests, except event streams and web sockets, which may never end, and pings. */
export function pendingRequests({ pending }: RequestRecord): PendingRequest[] {
  return [...pending.values()].filter(({ resourceType }) => !endlessTypes.has(resourceType));
}

/** Returns the pending requests except polling requests: a page that repeats a request lacks no content. */
export function pendingRequestsExceptPolling(record: RequestRecord): PendingRequest[] {
  return pendingRequests(record).filter(
    ({ url }) => (record.endedXhrCounts.get(url) ?? 0) < pollingThreshold,
  );
}

/** Returns the pending requests except media, because Chromium leaves the request of an unplayed video pending. */
export function pendingRequestsExceptMedia(record: RequestRecord): PendingRequest[] {
  return pendingRequests(record).filter(({ resourceType }) => resourceType !== 'media');
}

/** Where requests are logged; empty between jobs. */
export interface RequestLogTarget {
  readonly log?: DebugLog;
  /** Receives the requests while a debug log is recorded, and adds details from the DevTools protocol. */
  readonly recording?: Pick<ProtocolRecording, 'addSeenRequest'> | undefined;
}

interface RequestDetails {
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

export function logRequest(
  { logTarget: { log, recording } }: { readonly logTarget: RequestLogTarget },
  request: Pick<RequestDetails, 'url' | 'responseHeaders'> & {
    readonly headers?: RequestHeaders | undefined;
  },
  event: Pick<RequestEvent, 'took' | 'detail'>,
): void {
  if (log?.isRecorded !== true) return;
  const { url, headers: requestHeaders, responseHeaders = {} } = request;
  const requestEvent: RequestEvent = { kind: 'request', text: displayUrl(url), ...event };
  if (recording === undefined) log.write(requestEvent);
  else
    recording.addSeenRequest(url, {
      event: requestEvent,
      requestHeaders,
      responseHeaders: joinValues(responseHeaders),
    });
}

function requestFields({
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

/** Minimum length of a cookie value that is hidden. Shorter values are usually settings, not session keys. */
const minCookieLength = 6;

/**
 * Hides the values of cookies that a server sets (RFC 6265, 5.2) in the debug log, where a console message may contain them. Call
 * this before the page receives the response.
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

/** Joins the values of each header into one string, separated by line feeds. */
function joinValues(headers: ResponseHeaders): RequestHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, values.join('\n')]));
}
