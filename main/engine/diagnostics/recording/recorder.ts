/**
 * Records a job's requests and console messages over the DevTools protocol, including those of workers and frames with their own sessions.
 * The protocol's domains stay enabled until a job without a recorded log starts; between jobs their messages are ignored. The Debugger
 * domain stays off, so that no `debugger` statement stops a page.
 */
import type { WebContents } from 'electron';
import type { RuntimeDomain } from '../../devtools/evaluate.ts';
import { recordConsole } from './console.ts';
import {
  close,
  finish,
  addSeenRequest,
  newBook,
  writeRest,
  type RecordedJob,
  type Book,
} from './request-book.ts';
import { isEmptyPage } from '../../requests/shown-address.ts';
import type * as Message from './messages.ts';
import type { SeenRequest, OpenRequest } from './request-event.ts';

export interface Recording {
  /** Resolves when all later events are recorded. */
  readonly ready: Promise<void>;
  readonly hear: NetworkRecord['hear'];
  /** Writes the remaining requests. If the renderer is responsive, first waits for its outstanding messages. */
  readonly end: (isResponsive: boolean) => Promise<void>;
}

export interface Recorder {
  readonly record: (job: RecordedJob) => Recording;
  /** Turns the protocol's domains off. Call this before a job that is not recorded. */
  readonly rest: () => void;
}

type Send = (method: string, parameters?: object, session?: string) => Promise<unknown>;

/** Chromium need not buffer response bodies, because they are not read. */
const withoutBodies = { maxTotalBufferSize: 0, maxResourceBufferSize: 0 };
/** New targets pause until their domains are enabled. */
const attaching = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
/** Flushing usually takes 1 ms. */
const flushTimeoutMs = 250;

/** Turning the domains on and off costs as much as recording a small page, so they stay on between two recorded jobs. */
export function recorder({ debugger: debug }: WebContents, runtime: RuntimeDomain): Recorder {
  const send: Send = async (method, parameters = {}, session) =>
    debug.sendCommand(method, parameters, session);
  let on: Promise<void> | undefined;
  return {
    record(job) {
      const network = recordNetwork(job);
      const recordMessage = recordConsole(job.log);
      const onMessage = (_event: unknown, method: string, message: unknown) => {
        if (method === 'Target.attachedToTarget') enableDomains(send, (message as Attached).sessionId);
        // The domains stay on even if the log is full: Electron 33 crashes when a worker's session ends while it sends messages.
        if (job.log.full) return;
        network.take(method, message);
        recordMessage(method, message);
      };
      debug.on('message', onMessage);
      on ??= turnOn(send, runtime);
      on.catch(() => {});
      return {
        ready: on,
        hear: network.hear,
        async end(isResponsive) {
          if (isResponsive) await atMost(flushTimeoutMs, flush(send));
          debug.off('message', onMessage);
          network.end();
        },
      };
    },
    rest() {
      if (on !== undefined) turnOff(send, runtime).catch(() => {});
      on = undefined;
    },
  };
}

interface Attached {
  readonly sessionId: string;
}

async function turnOn(send: Send, runtime: RuntimeDomain): Promise<void> {
  const commands = [send('Network.enable', withoutBodies), send('Log.enable'), runtime('recording', true)];
  await Promise.all([...commands, send('Target.setAutoAttach', attaching)]);
}

/** Clears the stored messages of the page. When Chromium answers, it has sent all earlier messages. */
async function flush(send: Send): Promise<void> {
  await Promise.all([send('Log.clear'), send('Runtime.discardConsoleEntries')]);
}

async function turnOff(send: Send, runtime: RuntimeDomain): Promise<void> {
  const off = { ...attaching, autoAttach: false, waitForDebuggerOnStart: false };
  const commands = [send('Network.disable'), send('Log.disable'), runtime('recording', false)];
  await Promise.all([...commands, send('Target.setAutoAttach', off)]);
}

/** Ignores errors: a worker has no Log domain, and the target may have ended. */
function enableDomains(send: Send, session: string): void {
  const commands: readonly (readonly [string, object?])[] = [
    ['Network.enable', withoutBodies],
    ['Runtime.enable'],
    ['Log.enable'],
    ['Target.setAutoAttach', attaching],
    ['Runtime.runIfWaitingForDebugger'],
  ];
  for (const [method, parameters] of commands) send(method, parameters, session).catch(() => {});
}

async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)));
  await Promise.race([work.catch(() => {}), timeout]);
  clearTimeout(timer);
}

/**
 * Logs a job's requests from the messages of Chromium's Network domain. Electron's webRequest adds requests that the page's session does
 * not report; webRequest's rules and the network guard add why a request was refused.
 */
interface NetworkRecord {
  /** Processes one message of the protocol. */
  readonly take: (method: string, message: unknown) => void;
  /** Adds a request that webRequest saw end. It is logged if the protocol does not report it. */
  readonly hear: (url: string, heard: SeenRequest) => void;
  /** Logs the requests that are still open, and those that only webRequest or the guard know. */
  readonly end: () => void;
}

function recordNetwork(job: RecordedJob): NetworkRecord {
  const book = newBook(job);
  return {
    take(method, message) {
      handlers[method]?.(book, message as never);
    },
    hear(url, heard) {
      addSeenRequest(book, url, heard);
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
    book.open.set(requestId, openRequest(book, message, before));
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
    book.open.set(requestId, { ...openRequest(book, { ...message, timestamp: 0, wallTime: 0 }), began });
  },
  'Network.webSocketWillSendHandshakeRequest'({ open }, message: Message.SocketHandshake) {
    const { requestId, timestamp, request } = message;
    const socket = open.get(requestId);
    if (socket) open.set(requestId, { ...socket, sent: timestamp, requestHeaders: request.headers });
  },
  // A web socket is logged when it opens, because it may stay open.
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

function openRequest({ job }: Book, message: Message.WillBeSent, before?: OpenRequest): OpenRequest {
  const { request, type, timestamp, wallTime, initiator } = message;
  const elapsedMs = Date.now() - wallTime * 1000;
  return {
    url: request.url,
    method: request.method,
    type: type ?? before?.type,
    initiator,
    sent: timestamp,
    began: Math.max(0, Math.round((job.log.now - elapsedMs) * 10) / 10),
    requestHeaders: request.headers,
    responseHeaders: undefined,
    response: undefined,
    cached: false,
    received: 0,
  };
}
