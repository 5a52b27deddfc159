/** Builds the log event of one request from the protocol's messages. Pure. */
import type { RequestDetail, RequestEvent } from '../../../log/events.ts';
import { isJobFile, shown } from '../../requests/shown-address.ts';
import { outcomeOf, type LoadProblem, type Outcome } from './failure-words.ts';
import {
  shownHeaders,
  pageCalls,
  type RawHeaders,
  type CallFrame,
  type Initiator,
  type ResponseMessage,
  type StackTrace,
  type Timing,
} from './messages.ts';

/** One request. Each address of a redirect chain is a request of its own. */
export interface OpenRequest {
  readonly url: string;
  readonly method: string;
  type: string | undefined;
  /** Seconds of Chromium's clock. */
  readonly sent: number;
  /** Milliseconds since the job began. */
  readonly began: number;
  readonly initiator: Initiator | undefined;
  /** The headers as sent, or, until they are known, as Chromium intends to send them. */
  requestHeaders: RawHeaders;
  responseHeaders: RawHeaders | undefined;
  response: ResponseMessage | undefined;
  cached: boolean;
  /** Bytes of the body received so far. */
  received: number;
  /** Set if the request has ended and waits for webRequest's report of the response. */
  ended?: End;
}

/** A request as webRequest saw it end. */
export interface SeenRequest {
  readonly event: RequestEvent;
  /** Not masked yet; they are masked when they are logged. */
  readonly requestHeaders?: RawHeaders | undefined;
  readonly responseHeaders?: RawHeaders | undefined;
}

export interface End {
  /** Seconds of Chromium's clock; undefined while the request is open. */
  readonly at?: number;
  readonly bytes?: number;
  readonly redirected?: string;
  readonly problem?: LoadProblem;
  /** The job has ended before the request. */
  readonly underWay?: true;
  /** Why the service refused the request. */
  readonly blocked?: string | undefined;
  /** webRequest's report. The protocol reports nothing while a frame changes its process or position, and not everything about workers. */
  readonly heard?: SeenRequest | undefined;
}

/** Facts of the job that events need. */
export interface EventTerms {
  /** Name of the header that the job itself sends. */
  readonly secretHeader: string | undefined;
  /** Where the job's own files come from. */
  readonly home: 'archive' | 'upload';
  /** Milliseconds since the job began. */
  readonly now: number;
}

export function requestEvent(request: OpenRequest, end: End, terms: EventTerms): RequestEvent {
  const { url, began, initiator, requestHeaders, responseHeaders, response } = request;
  const location = initiatorLocation(initiator);
  const headers = responseHeaders ?? response?.headers ?? end.heard?.responseHeaders;
  const detail: RequestDetail = {
    method: request.method,
    ...(request.type !== undefined && { type: request.type }),
    began,
    ...(response ? responseDetail(request, response, end) : responseSeen(end)),
    ...(end.redirected !== undefined && { redirected: shown(end.redirected) }),
    ...outcome(request, end, terms),
    ...(location !== undefined && { initiator: location }),
    requestHeaders: shownHeaders(requestHeaders, terms.secretHeader),
    ...(headers && { responseHeaders: shownHeaders(headers, terms.secretHeader) }),
  };
  return { kind: 'request', text: shown(url), took: tenths(tookOf(request, end, terms)), detail };
}

function tookOf({ sent, began }: OpenRequest, { at, heard }: End, { now }: EventTerms): number {
  return Math.max(0, at === undefined ? (heard?.event.took ?? now - began) : (at - sent) * 1000);
}

function responseSeen({ heard }: End): Partial<RequestDetail> {
  if (heard?.event.detail.status === undefined) return {};
  const { status, from, mime, protocol, bytes } = heard.event.detail;
  return {
    status,
    ...(from !== undefined && { from }),
    ...(mime !== undefined && { mime }),
    ...(protocol !== undefined && { protocol }),
    ...(bytes !== undefined && { bytes }),
  };
}

/** Returns the event of a request that only webRequest reported. */
export function seenRequestEvent(
  { event, requestHeaders, responseHeaders }: SeenRequest,
  blocked: string | undefined,
  secret: string | undefined,
): RequestEvent {
  const { failed, ...known } = event.detail;
  const detail: RequestDetail = {
    ...known,
    ...(blocked === undefined ? failed !== undefined && { failed } : { blocked }),
    ...(requestHeaders && { requestHeaders: shownHeaders(requestHeaders, secret) }),
    ...(responseHeaders && { responseHeaders: shownHeaders(responseHeaders, secret) }),
  };
  return { ...event, detail };
}

function responseDetail(request: OpenRequest, response: ResponseMessage, end: End): Partial<RequestDetail> {
  const { status, mimeType, protocol, timing } = response;
  const from = originOf(request, response);
  const phases = from === 'network' && timing ? phasesOf(timing, end.at) : undefined;
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
  { url, cached }: OpenRequest,
  response: ResponseMessage,
): NonNullable<RequestDetail['from']> {
  if (isJobFile(url)) return 'job';
  if (/^(data|blob|about):/i.test(url)) return 'data';
  return cached || response.fromDiskCache || response.fromPrefetchCache ? 'cache' : 'network';
}

/** Returns the duration of each phase. `connect` is 0 if a connection was reused. */
function phasesOf(timing: Timing, at: number | undefined): NonNullable<RequestDetail['phases']> {
  const { requestTime, connectStart, connectEnd, sendStart, sendEnd, receiveHeadersEnd } = timing;
  const bodyEnd = at === undefined ? receiveHeadersEnd : (at - requestTime) * 1000;
  const duration = (from: number, to: number) => (from < 0 ? 0 : Math.max(0, tenths(to - from)));
  return {
    connect: duration(connectStart, connectEnd),
    send: duration(sendStart, sendEnd),
    wait: duration(sendEnd, receiveHeadersEnd),
    receive: duration(receiveHeadersEnd, bodyEnd),
  };
}

function outcome({ url, response }: OpenRequest, end: End, { home }: EventTerms): Outcome {
  if (end.blocked !== undefined) return { blocked: end.blocked };
  const status = response?.status ?? end.heard?.event.detail.status ?? 0;
  if (isJobFile(url) && status === 404) return { failed: `no such file in the ${home}` };
  if (end.underWay) return underWay(end);
  // Chromium cancels error responses that it cannot use; their status already says why.
  return end.problem === undefined || status >= 400 ? {} : outcomeOf(end.problem);
}

function underWay({ heard }: End): Outcome {
  if (heard === undefined) return { failed: 'was still on its way' };
  const { blocked, failed } = heard.event.detail;
  return { ...(blocked !== undefined && { blocked }), ...(failed !== undefined && { failed }) };
}

/** Returns the location in the page that caused a request, such as `index.html:12`. */
function initiatorLocation(initiator: Initiator | undefined): string | undefined {
  const frame = initiator?.stack && firstFrame(initiator.stack);
  if (frame !== undefined) return `${shown(frame.url)}:${frame.lineNumber + 1}`;
  const { url = '', lineNumber } = initiator ?? {};
  if (url === '') return undefined;
  return lineNumber === undefined ? shown(url) : `${shown(url)}:${lineNumber + 1}`;
}

/** Returns the innermost call of the page's own scripts, or of the stack that scheduled it. */
function firstFrame(stack: StackTrace): CallFrame | undefined {
  return pageCalls(stack).find(({ url }) => url !== '') ?? (stack.parent && firstFrame(stack.parent));
}

function tenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
