/** Makes the event of one request out of what the protocol said of it. Pure. */
import type { RequestDetail, RequestEvent } from '../../log/events.ts';
import { isOwnFile, shown } from '../shown-address.ts';
import { outcomeOf, type LoadProblem, type Outcome } from './failure-words.ts';
import { shownHeaders, type RawHeaders } from './headers.ts';
import type { CallFrame, Initiator, ResponseMessage, StackTrace, Timing } from './messages.ts';

/** One request, of the first or of a later address of a chain. */
export interface OpenRequest {
  readonly url: string;
  readonly method: string;
  type: string | undefined;
  /** Seconds of Chromium's clock. */
  readonly sent: number;
  /** Milliseconds since the job began. */
  readonly began: number;
  readonly initiator: Initiator | undefined;
  /** As sent and as received where that is known, else as Chromium means to. */
  requestHeaders: RawHeaders;
  responseHeaders: RawHeaders | undefined;
  response: ResponseMessage | undefined;
  cached: boolean;
  /** Bytes of the contents so far. */
  received: number;
  /** It is over, and how it was answered is still to be heard. */
  ended?: End;
}

/** A request as webRequest saw it end. */
export interface Heard {
  readonly event: RequestEvent;
  /** As they came: they are masked where they are written. */
  readonly requestHeaders?: RawHeaders | undefined;
  readonly responseHeaders?: RawHeaders | undefined;
}

export interface End {
  /** Seconds of Chromium's clock; undefined: not yet. */
  readonly at?: number;
  readonly bytes?: number;
  readonly redirected?: string;
  readonly problem?: LoadProblem;
  /** The job is over, and the request is not. */
  readonly underWay?: true;
  /** Why it was refused, where others than Chromium know it. */
  readonly blocked?: string | undefined;
  /**
   * As webRequest saw it: Chromium tells nothing of the moment in which a frame gets another process or place, and not
   * everything of workers.
   */
  readonly heard?: Heard | undefined;
}

/** What events say that is the job's. */
export interface EventTerms {
  /** Name of the header that the job itself sends. */
  readonly secretHeader: string | undefined;
  /** What the job's own files are looked for in. */
  readonly home: 'archive' | 'upload';
  /** Milliseconds since the job began. */
  readonly now: number;
}

export function requestEvent(request: OpenRequest, end: End, terms: EventTerms): RequestEvent {
  const { url, began, initiator, requestHeaders, responseHeaders, response } = request;
  const asker = askerOf(initiator);
  const headers = responseHeaders ?? response?.headers ?? end.heard?.responseHeaders;
  const detail: RequestDetail = {
    ...{ method: request.method, ...(request.type !== undefined && { type: request.type }), began },
    ...(response ? answered(request, response, end) : heardOf(end)),
    ...(end.redirected !== undefined && { redirected: shown(end.redirected) }),
    ...outcome(request, end, terms),
    ...(asker !== undefined && { initiator: asker }),
    requestHeaders: shownHeaders(requestHeaders, terms.secretHeader),
    ...(headers && { responseHeaders: shownHeaders(headers, terms.secretHeader) }),
  };
  return { kind: 'request', text: shown(url), took: tenths(tookOf(request, end, terms)), detail };
}

function tookOf({ sent, began }: OpenRequest, { at, heard }: End, { now }: EventTerms): number {
  return Math.max(0, at === undefined ? (heard?.event.took ?? now - began) : (at - sent) * 1000);
}

function heardOf({ heard }: End): Partial<RequestDetail> {
  if (heard?.event.detail.status === undefined) return {};
  const { status, from, mime, protocol, bytes } = heard.event.detail;
  return {
    ...{ status, ...(from !== undefined && { from }), ...(mime !== undefined && { mime }) },
    ...{ ...(protocol !== undefined && { protocol }), ...(bytes !== undefined && { bytes }) },
  };
}

/** The event of a request that only webRequest has heard of. */
export function heardEvent(
  { event, requestHeaders, responseHeaders }: Heard,
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

function answered(request: OpenRequest, response: ResponseMessage, end: End): Partial<RequestDetail> {
  const { status, mimeType, protocol, timing } = response;
  const from = originOf(request, response);
  const phases = from === 'network' && timing ? phasesOf(timing, end.at) : undefined;
  const bytes = from === 'job' ? request.received : Math.max(0, end.bytes ?? response.encodedDataLength);
  return {
    ...{ status, ...(mimeType !== '' && { mime: mimeType }), from, bytes: from === 'cache' ? 0 : bytes },
    ...(from === 'network' && protocol !== undefined && { protocol }),
    ...(phases && { phases }),
  };
}

function originOf(
  { url, cached }: OpenRequest,
  response: ResponseMessage,
): NonNullable<RequestDetail['from']> {
  if (isOwnFile(url)) return 'job';
  if (/^(data|blob|about):/i.test(url)) return 'data';
  return cached || response.fromDiskCache || response.fromPrefetchCache ? 'cache' : 'network';
}

/** To the end of the headers by Chromium's marks; connecting is over where a connection was there already. */
function phasesOf(timing: Timing, at: number | undefined): NonNullable<RequestDetail['phases']> {
  const { requestTime, connectStart, connectEnd, sendStart, sendEnd, receiveHeadersEnd } = timing;
  const whole = at === undefined ? receiveHeadersEnd : (at - requestTime) * 1000;
  const lasting = (from: number, to: number) => (from < 0 ? 0 : Math.max(0, tenths(to - from)));
  return {
    connect: lasting(connectStart, connectEnd),
    send: lasting(sendStart, sendEnd),
    wait: lasting(sendEnd, receiveHeadersEnd),
    receive: lasting(receiveHeadersEnd, whole),
  };
}

function outcome({ url, response }: OpenRequest, end: End, { home }: EventTerms): Outcome {
  if (end.blocked !== undefined) return { blocked: end.blocked };
  const status = response?.status ?? end.heard?.event.detail.status ?? 0;
  if (isOwnFile(url) && status === 404) return { failed: `no such file in the ${home}` };
  if (end.underWay) return underWay(end);
  // Chromium calls off what it has no use for.
  return end.problem === undefined || status >= 400 ? {} : outcomeOf(end.problem);
}

function underWay({ heard }: End): Outcome {
  if (heard === undefined) return { failed: 'was still on its way' };
  const { blocked, failed } = heard.event.detail;
  return { ...(blocked !== undefined && { blocked }), ...(failed !== undefined && { failed }) };
}

/** `index.html:12` */
export function askerOf(initiator: Initiator | undefined): string | undefined {
  const frame = initiator?.stack && firstFrame(initiator.stack);
  if (frame !== undefined) return `${shown(frame.url)}:${frame.lineNumber + 1}`;
  const { url = '', lineNumber } = initiator ?? {};
  if (url === '') return undefined;
  return lineNumber === undefined ? shown(url) : `${shown(url)}:${lineNumber + 1}`;
}

/** Of the innermost call that is the page's own; it may have been made later than the one that asked for it. */
function firstFrame({ callFrames, parent }: StackTrace): CallFrame | undefined {
  return callFrames.find(({ url }) => url !== '') ?? (parent && firstFrame(parent));
}

function tenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
