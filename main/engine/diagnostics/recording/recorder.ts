/**
 * Records a job's requests and console messages over the DevTools protocol, including those of workers and frames that have their
 * own protocol sessions. The protocol's domains stay enabled until a job without a recorded log begins; between jobs, their
 * messages are ignored. The Debugger domain stays disabled, so that no `debugger` statement stops a page.
 */
import type { WebContents } from 'electron';
import type { RuntimeDomain } from '../../devtools/evaluate.ts';
import { recordConsole } from './console.ts';
import {
  logEndedRequest,
  endRequest,
  addReportedRequest,
  newJobRequests,
  logRemaining,
  type RecordedJob,
  type JobRequests,
} from './request-book.ts';
import { isEmptyPage } from '../../requests/shown-address.ts';
import type * as Message from './messages.ts';
import type { WebRequestReport, ProtocolRequest } from './request-event.ts';

export interface ProtocolRecording {
  /** Resolves when recording has started: all later events are recorded. */
  readonly ready: Promise<void>;
  readonly addSeenRequest: NetworkRecorder['addSeenRequest'];
  /** Logs the remaining requests. If the renderer is responsive, first waits for messages that it has not sent yet. */
  readonly end: (isResponsive: boolean) => Promise<void>;
}

export interface Recorder {
  readonly record: (job: RecordedJob) => ProtocolRecording;
  /** Disables the protocol's domains. Call this before a job that is not recorded. */
  readonly disable: () => void;
}

type SendToSession = (method: string, parameters?: object, session?: string) => Promise<unknown>;

/** Chromium does not have to buffer response bodies, because they are not read. */
const networkOptions = { maxTotalBufferSize: 0, maxResourceBufferSize: 0 };
/** New targets (workers and frames) pause until their domains are enabled. */
const autoAttachOptions = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
/** Maximum wait for `flush`, which usually takes 1 ms. */
const flushTimeoutMs = 250;

/**
 * Returns the recorder of a window. Enabling and disabling the protocol's domains costs as much as recording a small page, so they
 * stay enabled between two recorded jobs.
 */
export function recorder({ debugger: debug }: WebContents, runtime: RuntimeDomain): Recorder {
  const send: SendToSession = async (method, parameters = {}, session) =>
    debug.sendCommand(method, parameters, session);
  let enabling: Promise<void> | undefined;
  return {
    record(job) {
      const network = recordNetwork(job);
      const recordMessage = recordConsole(job.log);
      const onMessage = (_event: unknown, method: string, message: unknown) => {
        if (method === 'Target.attachedToTarget') enableDomains(send, (message as AttachedTarget).sessionId);
        // The domains stay enabled even if the log is full: Electron 33 crashes when the session of a worker ends while the worker
        // sends messages.
        if (job.log.isFull) return;
        network.onMessage(method, message);
        recordMessage(method, message);
      };
      debug.on('message', onMessage);
      enabling ??= enableRecording(send, runtime);
      enabling.catch(() => {});
      return {
        ready: enabling,
        addSeenRequest: network.addSeenRequest,
        async end(isResponsive) {
          if (isResponsive) await waitAtMost(flushTimeoutMs, flush(send));
          debug.off('message', onMessage);
          network.end();
        },
      };
    },
    disable() {
      if (enabling !== undefined) disableRecording(send, runtime).catch(() => {});
      enabling = undefined;
    },
  };
}

interface AttachedTarget {
  readonly sessionId: string;
}

async function enableRecording(send: SendToSession, runtime: RuntimeDomain): Promise<void> {
  const commands = [send('Network.enable', networkOptions), send('Log.enable'), runtime('recording', true)];
  await Promise.all([...commands, send('Target.setAutoAttach', autoAttachOptions)]);
}

/**
 * Waits until Chromium has sent all earlier messages, by clearing the page's stored messages: Chromium answers these commands after
 * it has sent the messages.
 */
async function flush(send: SendToSession): Promise<void> {
  await Promise.all([send('Log.clear'), send('Runtime.discardConsoleEntries')]);
}

async function disableRecording(send: SendToSession, runtime: RuntimeDomain): Promise<void> {
  const off = { ...autoAttachOptions, autoAttach: false, waitForDebuggerOnStart: false };
  const commands = [send('Network.disable'), send('Log.disable'), runtime('recording', false)];
  await Promise.all([...commands, send('Target.setAutoAttach', off)]);
}

/**
 * Enables the domains in the session of a new target. Ignores errors: a worker has no Log domain, and the target may have ended.
 */
function enableDomains(send: SendToSession, session: string): void {
  const commands: readonly (readonly [string, object?])[] = [
    ['Network.enable', networkOptions],
    ['Runtime.enable'],
    ['Log.enable'],
    ['Target.setAutoAttach', autoAttachOptions],
    ['Runtime.runIfWaitingForDebugger'],
  ];
  for (const [method, parameters] of commands) send(method, parameters, session).catch(() => {});
}

async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)));
  await Promise.race([work.catch(() => {}), timeout]);
  clearTimeout(timer);
}

/**
 * Logs a job's requests, which the protocol's Network domain reports. Adds requests that only Electron's webRequest reports, and
 * why the job's rules or the network guard refused a request.
 */
interface NetworkRecorder {
  /** Processes one message of the DevTools protocol. */
  readonly onMessage: (method: string, message: unknown) => void;
  /** Adds a finished request that webRequest reported. It is logged if the protocol does not report it. */
  readonly addSeenRequest: (url: string, seenRequest: WebRequestReport) => void;
  /** Logs the requests that are still pending, and those that only webRequest or the network guard reported. */
  readonly end: () => void;
}

function recordNetwork(job: RecordedJob): NetworkRecorder {
  const requests = newJobRequests(job);
  return {
    onMessage(method, message) {
      handlers[method]?.(requests, message as never);
    },
    addSeenRequest(url, seenRequest) {
      addReportedRequest(requests, url, seenRequest);
    },
    end() {
      logRemaining(requests);
    },
  };
}

const handlers: Readonly<Record<string, (requests: JobRequests, message: never) => void>> = {
  'Network.requestWillBeSent'(requests, message: Message.WillBeSent) {
    const { requestId, redirectResponse, request, timestamp: endedAt } = message;
    const previous = requests.pending.get(requestId);
    if (redirectResponse && previous) {
      previous.response = redirectResponse;
      logEndedRequest(requests, requestId, {
        endedAt,
        bytes: redirectResponse.encodedDataLength,
        redirected: request.url,
      });
    }
    if (isEmptyPage(request.url) || (requests.remaining -= 1) < 0) return;
    requests.pending.set(requestId, openRequest(requests, message, previous));
  },
  'Network.requestWillBeSentExtraInfo'({ pending }, { requestId, headers }: Message.ExtraInfo) {
    const request = pending.get(requestId);
    if (request !== undefined) request.requestHeaders = headers;
  },
  'Network.responseReceivedExtraInfo'({ pending }, { requestId, headers }: Message.ExtraInfo) {
    const request = pending.get(requestId);
    if (request !== undefined) request.responseHeaders = headers;
  },
  'Network.requestServedFromCache'({ pending }, { requestId }: { requestId: string }) {
    const request = pending.get(requestId);
    if (request !== undefined) request.cached = true;
  },
  'Network.responseReceived'({ pending }, { requestId, response, type }: Message.ResponseReceived) {
    const request = pending.get(requestId);
    if (request === undefined) return;
    request.response = response;
    request.type ??= type;
  },
  'Network.dataReceived'({ pending }, { requestId, dataLength }: Message.DataReceived) {
    const request = pending.get(requestId);
    if (request !== undefined) request.received += dataLength;
  },
  'Network.loadingFinished'(requests, { requestId, timestamp, encodedDataLength }: Message.LoadingFinished) {
    endRequest(requests, requestId, { endedAt: timestamp, bytes: encodedDataLength });
  },
  'Network.loadingFailed'(requests, message: Message.LoadingFailed) {
    const { requestId, timestamp: endedAt, errorText, blockedReason, corsErrorStatus } = message;
    const problem = { error: errorText, reason: blockedReason, cors: corsErrorStatus !== undefined };
    endRequest(requests, requestId, { endedAt, problem });
  },
  'Network.webSocketCreated'(requests, { requestId, url, initiator }: Message.SocketCreated) {
    const began = requests.job.log.now;
    const request = { url, method: 'GET', headers: {} };
    const message = { requestId, request, type: 'WebSocket', ...(initiator && { initiator }) };
    requests.pending.set(requestId, {
      ...openRequest(requests, { ...message, timestamp: 0, wallTime: 0 }),
      began,
    });
  },
  'Network.webSocketWillSendHandshakeRequest'({ pending }, message: Message.SocketHandshake) {
    const { requestId, timestamp, request } = message;
    const socket = pending.get(requestId);
    if (socket) pending.set(requestId, { ...socket, sentAt: timestamp, requestHeaders: request.headers });
  },
  // A web socket is logged when it opens, because it may stay open.
  'Network.webSocketHandshakeResponseReceived'(requests, message: Message.SocketAnswered) {
    const { requestId, timestamp: endedAt, response } = message;
    const socket = requests.pending.get(requestId);
    if (socket) socket.response = { mimeType: '', encodedDataLength: 0, ...response };
    logEndedRequest(requests, requestId, { endedAt });
  },
  'Network.webSocketFrameError'(requests, { requestId }: { requestId: string }) {
    logEndedRequest(requests, requestId, { problem: { error: 'net::ERR_FAILED' } });
  },
};

function openRequest(
  { job }: JobRequests,
  message: Message.WillBeSent,
  previous?: ProtocolRequest,
): ProtocolRequest {
  const { request, type, timestamp, wallTime, initiator } = message;
  const elapsedMs = Date.now() - wallTime * 1000;
  return {
    url: request.url,
    method: request.method,
    type: type ?? previous?.type,
    initiator,
    sentAt: timestamp,
    began: Math.max(0, Math.round((job.log.now - elapsedMs) * 10) / 10),
    requestHeaders: request.headers,
    responseHeaders: undefined,
    response: undefined,
    cached: false,
    received: 0,
  };
}
