/** What Chromium's DevTools protocol says of requests, as far as it is recorded. Times are seconds of Chromium's own clock. */
import type { RawHeaders } from './headers.ts';

export interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  /** Both from 0. */
  readonly lineNumber: number;
  readonly columnNumber: number;
}

export interface StackTrace {
  readonly callFrames: readonly CallFrame[];
  readonly parent?: StackTrace;
}

export interface Initiator {
  readonly url?: string;
  readonly lineNumber?: number;
  readonly stack?: StackTrace;
}

/** Milliseconds after `requestTime`, -1 for what there was not. */
export interface Timing {
  /** Seconds. */
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
  readonly timing?: Timing;
}

interface OfRequest {
  readonly requestId: string;
}

export interface WillBeSent extends OfRequest {
  readonly request: { readonly url: string; readonly method: string; readonly headers: RawHeaders };
  readonly type?: string;
  readonly timestamp: number;
  /** Seconds since 1970. */
  readonly wallTime: number;
  readonly initiator?: Initiator;
  /** The answer that led here. */
  readonly redirectResponse?: ResponseMessage;
}

export interface ExtraInfo extends OfRequest {
  readonly headers: RawHeaders;
}

export interface ResponseReceived extends OfRequest {
  readonly type?: string;
  readonly response: ResponseMessage;
}

export interface DataReceived extends OfRequest {
  readonly dataLength: number;
}

export interface LoadingFinished extends OfRequest {
  readonly timestamp: number;
  readonly encodedDataLength: number;
}

export interface LoadingFailed extends OfRequest {
  readonly timestamp: number;
  readonly errorText: string;
  readonly blockedReason?: string;
  readonly corsErrorStatus?: object;
}

export interface SocketCreated extends OfRequest {
  readonly url: string;
  readonly initiator?: Initiator;
}

export interface SocketHandshake extends OfRequest {
  readonly timestamp: number;
  readonly wallTime: number;
  readonly request: { readonly headers: RawHeaders };
}

export interface SocketAnswered extends OfRequest {
  readonly timestamp: number;
  readonly response: { readonly status: number; readonly headers: RawHeaders };
}

export interface SocketClosed extends OfRequest {
  readonly timestamp: number;
}
