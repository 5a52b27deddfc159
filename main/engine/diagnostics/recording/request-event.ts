/** Builds the log event of one request from the messages of the DevTools protocol. Pure. */
import { requestFailures, type RequestDetail, type RequestEvent } from '../../../log/events.ts';
import { isJobFile, displayUrl } from '../../requests/shown-address.ts';
import { outcomeOf, type RequestProblem, type RequestOutcome } from './network-errors.ts';
import {
  loggedHeaders,
  pageCalls,
  type RawHeaders,
  type CallFrame,
  type Initiator,
  type ResponseMessage,
  type StackTrace,
  type ResourceTiming,
} from './messages.ts';
import { roundToTenths } from '../../../log/debug-log.ts';

/** One request. Each address of a redirect chain is a separate request. */
export interface ProtocolRequest {
  /** The address, or the beginning of a long one. */
  readonly url: string;
  /** The address as the log shows it. */
  readonly shownUrl: string;
  readonly method: string;
  type: string | undefined;
  /** When Chromium sent the request, in seconds of Chromium's clock. */
  sentAt: number;
  /** When the request began, in milliseconds since the job began. */
  readonly began: number;
  /** The location in the page that caused the request. */
  readonly initiator: string | undefined;
  /** The headers as sent or, until they are known, as Chromium intends to send them. */
  requestHeaders: RawHeaders;
  responseHeaders: RawHeaders | undefined;
  response: ResponseMessage | undefined;
  cached: boolean;
  /** Bytes of the body received so far. */
  received: number;
  /** How the request ended; set while the request waits for webRequest's report of the response. */
  end?: RequestEnd;
}

/** A finished request as webRequest reported it. */
export interface WebRequestReport {
  readonly event: RequestEvent;
  /** Unmasked; the headers are masked when they are logged. */
  readonly requestHeaders?: RawHeaders | undefined;
  readonly responseHeaders?: RawHeaders | undefined;
}

export interface RequestEnd {
  /** When the request ended, in seconds of Chromium's clock; undefined while the request is pending. */
  readonly endedAt?: number;
  readonly bytes?: number;
  readonly redirected?: string;
  readonly problem?: RequestProblem;
  /** The job ended before the request. */
  readonly isPending?: true;
  /** Why the service refused the request. */
  readonly blocked?: string | undefined;
  /**
   * webRequest's report of the request. The DevTools protocol reports nothing while a frame swaps processes or is moved, and little
   * about workers.
   */
  readonly report?: WebRequestReport | undefined;
}

/** Job data used to build request events. */
export interface EventContext {
  /** Name of the job's custom_http_header. */
  readonly secretHeader: string | undefined;
  /** Where the job's own files come from, for messages about missing files. */
  readonly jobFilesSource: 'archive' | 'upload';
  /** The current time in milliseconds since the job began. */
  readonly now: number;
}

export function requestEvent(request: ProtocolRequest, end: RequestEnd, context: EventContext): RequestEvent {
  const { shownUrl, began, initiator, requestHeaders, responseHeaders, response } = request;
  const headers = responseHeaders ?? response?.headers ?? end.report?.responseHeaders;
  const detail: RequestDetail = {
    method: request.method,
    ...(request.type !== undefined && { type: request.type }),
    began,
    ...(response ? responseDetail(request, response, end) : responseSeen(end)),
    ...(end.redirected !== undefined && { redirected: displayUrl(end.redirected) }),
    ...outcomeOfRequest(request, end, context),
    ...(initiator !== undefined && { initiator }),
    requestHeaders: loggedHeaders(requestHeaders, context.secretHeader),
    ...(headers && { responseHeaders: loggedHeaders(headers, context.secretHeader) }),
  };
  return {
    kind: 'request',
    text: shownUrl,
    took: roundToTenths(durationOf(request, end, context)),
    detail,
  };
}

function durationOf(
  { sentAt, began }: ProtocolRequest,
  { endedAt, report }: RequestEnd,
  { now }: EventContext,
): number {
  return Math.max(0, endedAt === undefined ? (report?.event.took ?? now - began) : (endedAt - sentAt) * 1000);
}

function responseSeen({ report }: RequestEnd): Partial<RequestDetail> {
  if (report?.event.detail.status === undefined) return {};
  const { status, from, mime, protocol, bytes } = report.event.detail;
  return {
    status,
    ...(from !== undefined && { from }),
    ...(mime !== undefined && { mime }),
    ...(protocol !== undefined && { protocol }),
    ...(bytes !== undefined && { bytes }),
  };
}

/** Returns the event of a request that only webRequest reported. */
export function reportedRequestEvent(
  { event, requestHeaders, responseHeaders }: WebRequestReport,
  blocked: string | undefined,
  secret: string | undefined,
): RequestEvent {
  const { failed, ...fields } = event.detail;
  const detail: RequestDetail = {
    ...fields,
    ...(blocked === undefined ? failed !== undefined && { failed } : { blocked }),
    ...(requestHeaders && { requestHeaders: loggedHeaders(requestHeaders, secret) }),
    ...(responseHeaders && { responseHeaders: loggedHeaders(responseHeaders, secret) }),
  };
  return { ...event, detail };
}

function responseDetail(
  request: ProtocolRequest,
  response: ResponseMessage,
  end: RequestEnd,
): Partial<RequestDetail> {
  const { status, mimeType, protocol, timing } = response;
  const from = originOf(request, response);
  const phases = from === 'network' && timing ? phasesOf(timing, end.endedAt) : undefined;
  const bytes = from === 'job' ? request.received : Math.max(0, end.bytes ?? response.encodedDataLength);
  return {
    status,
    ...(mimeType !== '' && { mime: mimeType }),
    from,
    bytes: from === 'cache' ? 0 : bytes,
    ...(from === 'network' && protocol !== undefined && { protocol }),
    ...(phases && { phases }),
  };
}

function originOf(
  { url, cached }: ProtocolRequest,
  response: ResponseMessage,
): NonNullable<RequestDetail['from']> {
  if (isJobFile(url)) return 'job';
  if (/^(data|blob|about):/i.test(url)) return 'data';
  return cached || response.fromDiskCache || response.fromPrefetchCache ? 'cache' : 'network';
}

/**
 * Returns the duration of each phase in milliseconds. `connect` is 0 if a connection was reused. `at`: when the request ended, in
 * seconds of Chromium's clock.
 */
function phasesOf(timing: ResourceTiming, at: number | undefined): NonNullable<RequestDetail['phases']> {
  const { requestTime, connectStart, connectEnd, sendStart, sendEnd, receiveHeadersEnd } = timing;
  const bodyEnd = at === undefined ? receiveHeadersEnd : (at - requestTime) * 1000;
  const duration = (from: number, to: number) => (from < 0 ? 0 : Math.max(0, roundToTenths(to - from)));
  return {
    connect: duration(connectStart, connectEnd),
    send: duration(sendStart, sendEnd),
    wait: duration(sendEnd, receiveHeadersEnd),
    receive: duration(receiveHeadersEnd, bodyEnd),
  };
}

function outcomeOfRequest(
  { url, response }: ProtocolRequest,
  end: RequestEnd,
  { jobFilesSource }: EventContext,
): RequestOutcome {
  if (end.blocked !== undefined) return { blocked: end.blocked };
  const status = response?.status ?? end.report?.event.detail.status ?? 0;
  if (isJobFile(url) && status === 404)
    return { failed: `${requestFailures.missingFile} in the ${jobFilesSource}` };
  if (end.isPending) return pendingOutcome(end);
  // Chromium cancels error responses that it cannot use; their status already says why the request failed.
  return end.problem === undefined || status >= 400 ? {} : outcomeOf(end.problem);
}

function pendingOutcome({ report }: RequestEnd): RequestOutcome {
  if (report === undefined) return { failed: requestFailures.pending };
  const { blocked, failed } = report.event.detail;
  return { ...(blocked !== undefined && { blocked }), ...(failed !== undefined && { failed }) };
}

/** Returns the location in the page that caused a request, such as `index.html:12`; undefined if it is unknown. */
export function initiatorLocation(initiator: Initiator | undefined): string | undefined {
  const frame = initiator?.stack && firstFrame(initiator.stack);
  if (frame !== undefined) return `${displayUrl(frame.url)}:${frame.lineNumber + 1}`;
  const { url = '', lineNumber } = initiator ?? {};
  if (url === '') return undefined;
  return lineNumber === undefined ? displayUrl(url) : `${displayUrl(url)}:${lineNumber + 1}`;
}

/** Returns the innermost call of the page's own scripts. If the stack has none, searches the stack that scheduled the callback. */
function firstFrame(stack: StackTrace): CallFrame | undefined {
  return pageCalls(stack).find(({ url }) => url !== '') ?? (stack.parent && firstFrame(stack.parent));
}
