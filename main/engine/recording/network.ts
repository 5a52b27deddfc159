/**
 * Writes a job's requests as Chromium's Network domain tells of them. What its page's session is not told of, webRequest
 * has heard; and why a request was refused, webRequest's rules and the network guard know.
 */
import { isEmptyPage } from '../shown-address.ts';
import type * as Message from './messages.ts';
import type { Heard, OpenRequest } from './request-event.ts';
import { close, finish, hear, newBook, writeRest, type Book, type RecordedJob } from './request-book.ts';

export interface NetworkRecord {
  /** One message of the protocol. */
  readonly take: (method: string, message: unknown) => void;
  /** A request as webRequest saw it end; written when the protocol does not tell of it. */
  readonly hear: (url: string, heard: Heard) => void;
  /** Writes what is still open, and what only others know of. */
  readonly end: () => void;
}

export function recordNetwork(job: RecordedJob): NetworkRecord {
  const book = newBook(job);
  return {
    take(method, message) {
      handlers[method]?.(book, message as never);
    },
    hear(url, heard) {
      hear(book, url, heard);
    },
    end() {
      writeRest(book);
    },
  };
}

const handlers: Readonly<Record<string, (book: Book, message: never) => void>> = {
  'Network.requestWillBeSent'(book, message: Message.WillBeSent) {
    const { requestId, redirectResponse, request, timestamp: at } = message;
    const before = book.open.get(requestId);
    if (redirectResponse && before) {
      before.response = redirectResponse;
      close(book, requestId, { at, bytes: redirectResponse.encodedDataLength, redirected: request.url });
    }
    if (isEmptyPage(request.url) || (book.left -= 1) < 0) return;
    book.open.set(requestId, begun(book, message, before));
  },
  'Network.requestWillBeSentExtraInfo'({ open }, { requestId, headers }: Message.ExtraInfo) {
    const request = open.get(requestId);
    if (request !== undefined) request.requestHeaders = headers;
  },
  'Network.responseReceivedExtraInfo'({ open }, { requestId, headers }: Message.ExtraInfo) {
    const request = open.get(requestId);
    if (request !== undefined) request.responseHeaders = headers;
  },
  'Network.requestServedFromCache'({ open }, { requestId }: { requestId: string }) {
    const request = open.get(requestId);
    if (request !== undefined) request.cached = true;
  },
  'Network.responseReceived'({ open }, { requestId, response, type }: Message.ResponseReceived) {
    const request = open.get(requestId);
    if (request === undefined) return;
    request.response = response;
    request.type ??= type;
  },
  'Network.dataReceived'({ open }, { requestId, dataLength }: Message.DataReceived) {
    const request = open.get(requestId);
    if (request !== undefined) request.received += dataLength;
  },
  'Network.loadingFinished'(book, { requestId, timestamp, encodedDataLength }: Message.LoadingFinished) {
    finish(book, requestId, { at: timestamp, bytes: encodedDataLength });
  },
  'Network.loadingFailed'(book, message: Message.LoadingFailed) {
    const { requestId, timestamp: at, errorText, blockedReason, corsErrorStatus } = message;
    const problem = { error: errorText, reason: blockedReason, cors: corsErrorStatus !== undefined };
    finish(book, requestId, { at, problem });
  },
  'Network.webSocketCreated'(book, { requestId, url, initiator }: Message.SocketCreated) {
    const began = book.job.log.now;
    const request = { url, method: 'GET', headers: {} };
    const message = { requestId, request, type: 'WebSocket', ...(initiator && { initiator }) };
    book.open.set(requestId, { ...begun(book, { ...message, timestamp: 0, wallTime: 0 }), began });
  },
  'Network.webSocketWillSendHandshakeRequest'({ open }, message: Message.SocketHandshake) {
    const { requestId, timestamp, request } = message;
    const socket = open.get(requestId);
    if (socket) open.set(requestId, { ...socket, sent: timestamp, requestHeaders: request.headers });
  },
  // A socket that is open has no end that is worth waiting for.
  'Network.webSocketHandshakeResponseReceived'(book, message: Message.SocketAnswered) {
    const { requestId, timestamp: at, response } = message;
    const socket = book.open.get(requestId);
    if (socket) socket.response = { mimeType: '', encodedDataLength: 0, ...response };
    close(book, requestId, { at });
  },
  'Network.webSocketFrameError'(book, { requestId }: { requestId: string }) {
    close(book, requestId, { problem: { error: 'net::ERR_FAILED' } });
  },
};

function begun({ job }: Book, message: Message.WillBeSent, before?: OpenRequest): OpenRequest {
  const { request, type, timestamp, wallTime, initiator } = message;
  const ago = Date.now() - wallTime * 1000;
  return {
    ...{ url: request.url, method: request.method, type: type ?? before?.type, initiator },
    ...{ sent: timestamp, began: Math.max(0, Math.round((job.log.now - ago) * 10) / 10) },
    ...{ requestHeaders: request.headers, responseHeaders: undefined, response: undefined },
    ...{ cached: false, received: 0 },
  };
}
