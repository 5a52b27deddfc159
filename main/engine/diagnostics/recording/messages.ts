/**
 * Types of the DevTools protocol's messages about requests, with the fields that are recorded. Times are seconds of Chromium's
 * clock.
 */
import { mask, withoutCredentials } from '../../../log/masking.ts';
import type { Header } from '../../../log/events.ts';
import { withDisplayUrls } from '../../requests/shown-address.ts';

export interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  /** Line and column start at 0. */
  readonly lineNumber: number;
  readonly columnNumber: number;
}

export interface StackTrace {
  readonly callFrames: readonly CallFrame[];
  readonly parent?: StackTrace;
}

/** Returns the calls of a stack, without calls of the service's page scripts (page-scripts/settling.ts). */
export function pageCalls({ callFrames }: StackTrace): readonly CallFrame[] {
  return callFrames.filter(({ url }) => !/^platen-[a-z]+$/.test(url));
}

export interface Initiator {
  readonly url?: string;
  readonly lineNumber?: number;
  readonly stack?: StackTrace;
}

/** Times of the phases of a request, in milliseconds after `requestTime`; -1 for a phase that did not occur. */
export interface ResourceTiming {
  /** Seconds of Chromium's clock. */
  readonly requestTime: number;
  readonly connectStart: number;
  readonly connectEnd: number;
  readonly sendStart: number;
  readonly sendEnd: number;
  readonly receiveHeadersEnd: number;
}

export interface ResponseMessage {
  readonly status: number;
  readonly mimeType: string;
  readonly protocol?: string;
  readonly headers: RawHeaders;
  readonly fromDiskCache?: boolean;
  readonly fromPrefetchCache?: boolean;
  readonly encodedDataLength: number;
  readonly timing?: ResourceTiming;
}

interface RequestMessage {
  readonly requestId: string;
}

export interface WillBeSent extends RequestMessage {
  readonly request: { readonly url: string; readonly method: string; readonly headers: RawHeaders };
  readonly type?: string;
  readonly timestamp: number;
  /** Seconds since 1970. */
  readonly wallTime: number;
  readonly initiator?: Initiator;
  /** The redirect response that led to this request. */
  readonly redirectResponse?: ResponseMessage;
}

export interface ExtraInfo extends RequestMessage {
  readonly headers: RawHeaders;
}

export interface ResponseReceived extends RequestMessage {
  readonly type?: string;
  readonly response: ResponseMessage;
}

export interface DataReceived extends RequestMessage {
  readonly dataLength: number;
}

export interface LoadingFinished extends RequestMessage {
  readonly timestamp: number;
  readonly encodedDataLength: number;
}

export interface LoadingFailed extends RequestMessage {
  readonly timestamp: number;
  readonly errorText: string;
  readonly blockedReason?: string;
  readonly corsErrorStatus?: object;
}

export interface SocketCreated extends RequestMessage {
  readonly url: string;
  readonly initiator?: Initiator;
}

export interface SocketHandshake extends RequestMessage {
  readonly timestamp: number;
  readonly wallTime: number;
  readonly request: { readonly headers: RawHeaders };
}

export interface SocketAnswered extends RequestMessage {
  readonly timestamp: number;
  readonly response: { readonly status: number; readonly headers: RawHeaders };
}

/** Headers as the protocol represents them: the values of headers with the same name are joined, separated by line feeds. */
export type RawHeaders = Readonly<Record<string, string>>;

/** The length of a request's method in the log. A page may send a method of any length. */
export const maxMethodLength = 100;

/** The total length of the names and values of headers that are kept for one message. */
const maxHeadersLength = 8000;

/** Returns the first headers. A server may send 250 kB of them for each of thousands of requests. */
export function firstHeaders(headers: RawHeaders): RawHeaders {
  const first: Record<string, string> = {};
  let room = maxHeadersLength;
  for (const name in headers) {
    const value = headers[name] ?? '';
    room -= name.length + value.length;
    if (room < 0) break;
    first[name] = value;
  }
  return first;
}

/** Names of headers that usually contain credentials. */
const secretName =
  /auth(?!ority)|cookie|token|secret|passw|credential|api-?key|access-?key|session|^proxy-(?!connection)/i;

const maxValueLength = 1000;

/** Returns the headers for the log, with secret values masked. `jobHeader` is the name of the job's custom_http_header. */
export function loggedHeaders(headers: RawHeaders, jobHeader: string | undefined): Header[] {
  const jobHeaderName = jobHeader?.toLowerCase();
  return Object.entries(headers).flatMap(([name, values]) => {
    const isSecret = secretName.test(name) || name.toLowerCase() === jobHeaderName;
    return values.split('\n').map((value) => ({ name, value: isSecret ? mask : maskedValue(value) }));
  });
}

/** Masks the addresses that headers such as Location and Referer contain. */
function maskedValue(value: string): string {
  return withoutCredentials(withDisplayUrls(value.slice(0, maxValueLength)));
}
