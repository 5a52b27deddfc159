/**
 * Logs a job's requests, which the Network domain of the DevTools protocol reports. Adds requests that only Electron's webRequest
 * reports, and why the job's rules or the network guard refused a request.
 */
import { yieldingToEventLoop } from '../../../async/yielding.ts';
import type { DebugLog } from '../../../log/debug-log.ts';
import { blockedByNetworkPolicy } from '../../../log/events.ts';
import type { GuardRefusal } from '../../../network/proxy.ts';
import { beginningOf, displayUrl, isEmptyPage } from '../../requests/shown-address.ts';
import { firstHeaders, maxMethodLength } from './messages.ts';
import type * as Message from './messages.ts';
import {
  initiatorLocation,
  reportedRequestEvent,
  requestEvent,
  type RequestEnd,
  type EventContext,
  type WebRequestReport,
  type ProtocolRequest,
} from './request-event.ts';
import { parsedUrl } from '../../../fields/parsed-url.ts';

export interface RecordedJob extends Omit<EventContext, 'now'> {
  readonly log: DebugLog;
  /** Returns the requests that the network guard has refused so far. */
  readonly refusals: () => readonly GuardRefusal[];
  /** Returns whether the page has exceeded its request limit, so that further requests are refused. */
  readonly isLimitExceeded: () => boolean;
}

const maxRequests = 10_000;

export class NetworkRecorder {
  readonly #job: RecordedJob;
  /** The pending requests, by the protocol's request id. */
  readonly #pending = new Map<string, ProtocolRequest>();
  /** By address: the number of logged requests. */
  readonly #loggedCounts = new Map<string, number>();
  /** By address: the finished requests that webRequest reported. */
  readonly #reported = new Map<string, WebRequestReport[]>();
  /** By address: why a rule of the job refused a request. */
  readonly #blocked = new Map<string, string>();
  /** By address: ids of requests that have ended and wait for webRequest's report. */
  readonly #awaitingReport = new Map<string, Set<string>>();
  /** `host:port` of the network guard's refusals that were logged with a request. */
  readonly #loggedRefusals = new Set<string>();
  /** The refused hosts when there were so many refusals. */
  #refusals: { readonly count: number; readonly hosts: ReadonlySet<string> } = { count: 0, hosts: new Set() };
  #reportCount = 0;
  /** Number of further requests to record, limited because a page may send requests forever. */
  #remaining = maxRequests;

  /** The messages that are recorded, by method. */
  readonly #handlers: Readonly<Record<string, (message: never) => void>> = {
    'Network.requestWillBeSent': (message: Message.WillBeSent) => {
      this.#onWillBeSent(message);
    },
    'Network.requestWillBeSentExtraInfo': ({ requestId, headers }: Message.ExtraInfo) => {
      this.#update(requestId, { requestHeaders: firstHeaders(headers) });
    },
    'Network.responseReceivedExtraInfo': ({ requestId, headers }: Message.ExtraInfo) => {
      this.#update(requestId, { responseHeaders: firstHeaders(headers) });
    },
    'Network.requestServedFromCache': ({ requestId }: { requestId: string }) => {
      this.#update(requestId, { cached: true });
    },
    'Network.responseReceived': ({ requestId, response, type }: Message.ResponseReceived) => {
      this.#update(requestId, {
        response: { ...response, headers: firstHeaders(response.headers) },
        type: this.#pending.get(requestId)?.type ?? type,
      });
    },
    'Network.dataReceived': ({ requestId, dataLength }: Message.DataReceived) => {
      this.#update(requestId, { received: (this.#pending.get(requestId)?.received ?? 0) + dataLength });
    },
    'Network.loadingFinished': ({ requestId, timestamp, encodedDataLength }: Message.LoadingFinished) => {
      this.#end(requestId, { endedAt: timestamp, bytes: encodedDataLength });
    },
    'Network.loadingFailed': (message: Message.LoadingFailed) => {
      const { requestId, timestamp: endedAt, errorText, blockedReason, corsErrorStatus } = message;
      const problem = { error: errorText, reason: blockedReason, cors: corsErrorStatus !== undefined };
      this.#end(requestId, { endedAt, problem });
    },
    'Network.webSocketCreated': (message: Message.SocketCreated) => {
      this.#onSocketCreated(message);
    },
    'Network.webSocketWillSendHandshakeRequest': (message: Message.SocketHandshake) => {
      const { requestId, timestamp, request } = message;
      this.#update(requestId, { sentAt: timestamp, requestHeaders: firstHeaders(request.headers) });
    },
    // A WebSocket is logged when it opens, because it may stay open.
    'Network.webSocketHandshakeResponseReceived': (message: Message.SocketAnswered) => {
      const { requestId, timestamp: endedAt, response } = message;
      const headers = firstHeaders(response.headers);
      this.#update(requestId, { response: { mimeType: '', encodedDataLength: 0, ...response, headers } });
      this.#logEnded(requestId, { endedAt });
    },
    'Network.webSocketClosed': ({ requestId }: { requestId: string }) => {
      this.#logEnded(requestId, {});
    },
    'Network.webSocketFrameError': ({ requestId }: { requestId: string }) => {
      this.#logEnded(requestId, { problem: { error: 'net::ERR_FAILED' } });
    },
  };

  constructor(job: RecordedJob) {
    this.#job = job;
  }

  /** Processes one message of the DevTools protocol. */
  onMessage(method: string, message: unknown): void {
    this.#handlers[method]?.(message as never);
  }

  /**
   * Adds a finished request that webRequest reported. It is logged if the protocol does not report it. Redirects are skipped: if
   * the protocol reports a request, it also reports all its redirects.
   */
  addSeenRequest(url: string, seenRequest: WebRequestReport): void {
    if (seenRequest.event.detail.redirected !== undefined) return;
    const key = withoutFragment(beginningOf(url, maxAddressLength));
    if (this.#job.log.isFull || this.#reportCount >= maxRequests) return;
    this.#reportCount += 1;
    const { blocked } = seenRequest.event.detail;
    if (blocked !== undefined && !this.#blocked.has(key)) this.#blocked.set(key, blocked);
    const reports = this.#reported.get(key);
    if (reports === undefined) this.#reported.set(key, [seenRequest]);
    else reports.push(seenRequest);
    for (const id of this.#awaitingReport.get(key) ?? []) {
      const ended = this.#pending.get(id)?.end;
      if (ended !== undefined) this.#logEnded(id, ended);
    }
    this.#awaitingReport.delete(key);
  }

  /** Logs the requests that are still pending, those that only webRequest reported, and refusals without a request. */
  async end(): Promise<void> {
    await this.#logPending();
    await this.#logReported();
    this.#logRefusals();
  }

  #onWillBeSent(message: Message.WillBeSent): void {
    const { requestId, redirectResponse, request, timestamp: endedAt } = message;
    const previous = this.#pending.get(requestId);
    if (redirectResponse && previous) {
      previous.response = { ...redirectResponse, headers: firstHeaders(redirectResponse.headers) };
      this.#logEnded(requestId, {
        endedAt,
        bytes: redirectResponse.encodedDataLength,
        redirected: request.url,
      });
    }
    if (isEmptyPage(request.url) || (this.#remaining -= 1) < 0) return;
    this.#pending.set(requestId, openRequest(this.#job, message, previous));
  }

  #onSocketCreated({ requestId, url, initiator }: Message.SocketCreated): void {
    if ((this.#remaining -= 1) < 0) return;
    const request = { url, method: 'GET', headers: {} };
    const message = { requestId, request, type: 'WebSocket', ...(initiator && { initiator }) };
    this.#pending.set(requestId, {
      ...openRequest(this.#job, { ...message, timestamp: 0, wallTime: 0 }),
      began: this.#job.log.now,
    });
  }

  /** Updates a pending request. Does nothing if the request has ended or is not recorded. */
  #update(id: string, changes: Partial<ProtocolRequest>): void {
    const request = this.#pending.get(id);
    if (request !== undefined) Object.assign(request, changes);
  }

  /**
   * Logs a request that has ended. If the response is unknown, first waits for webRequest's report. The protocol does not report
   * the response to the request for a worker's own script, nor one that Chromium discarded because of its type (an HTML page in
   * place of a missing image).
   */
  #end(id: string, end: RequestEnd): void {
    const request = this.#pending.get(id);
    if (request === undefined) return;
    const key = withoutFragment(request.url);
    const isKnown = request.response !== undefined || this.#nextReport(key) !== undefined;
    if (isKnown) this.#logEnded(id, end);
    else {
      request.end = end;
      this.#awaitingReport.set(key, (this.#awaitingReport.get(key) ?? new Set()).add(id));
    }
  }

  /** Logs a request that has ended. */
  #logEnded(id: string, end: RequestEnd): void {
    const request = this.#pending.get(id);
    if (request === undefined) return;
    this.#pending.delete(id);
    const key = withoutFragment(request.url);
    const report = this.#nextReport(key);
    this.#loggedCounts.set(key, (this.#loggedCounts.get(key) ?? 0) + 1);
    // One note covers all requests beyond the limit (lease.ts).
    if (report === undefined && isBeyondLimit(this.#job, request, end)) return;
    const failed =
      end.problem !== undefined || (end.endedAt === undefined && report?.event.detail.failed !== undefined);
    const blocked = failed && request.response === undefined ? this.#refusedBy(request.url) : undefined;
    const { secretHeader, jobFilesSource, log } = this.#job;
    log.write(
      requestEvent(request, { ...end, blocked, report }, { secretHeader, jobFilesSource, now: log.now }),
    );
  }

  /** Returns webRequest's report of the next request to an address that is logged; undefined if it has not arrived. */
  #nextReport(key: string): WebRequestReport | undefined {
    return this.#reported.get(key)?.[this.#loggedCounts.get(key) ?? 0];
  }

  /**
   * Returns why a request was refused, by a rule of the job that webRequest reported or by the network guard; undefined if it was
   * not refused.
   */
  #refusedBy(url: string): string | undefined {
    const byRule = this.#blocked.get(withoutFragment(url));
    if (byRule !== undefined) return byRule;
    const key = hostKeyOf(url);
    if (key === undefined || !this.#refusedHosts().has(key)) return undefined;
    this.#loggedRefusals.add(key);
    return blockedByNetworkPolicy;
  }

  /** Returns the hosts that the network guard has refused. */
  #refusedHosts(): ReadonlySet<string> {
    const refusals = this.#job.refusals();
    if (refusals.length !== this.#refusals.count)
      this.#refusals = { count: refusals.length, hosts: new Set(refusals.map(keyOf)) };
    return this.#refusals.hosts;
  }

  /** In steps, because a page may have thousands of pending requests, each with kilobytes of headers. */
  async #logPending(): Promise<void> {
    for await (const [id, { type = '', end }] of yieldingToEventLoop([...this.#pending])) {
      if (this.#job.log.isFull) return;
      const endless = /^(EventSource|Media|WebSocket|Ping)$/.test(type);
      this.#logEnded(id, end ?? (endless ? {} : { isPending: true }));
    }
  }

  /** Logs the requests that only webRequest reported. */
  async #logReported(): Promise<void> {
    const { log, secretHeader } = this.#job;
    for await (const [key, reports] of yieldingToEventLoop(this.#reported))
      for (const report of reports.slice(this.#loggedCounts.get(key) ?? 0)) {
        if (log.isFull) return;
        const blocked = report.event.detail.failed === undefined ? undefined : this.#refusedBy(key);
        log.write(reportedRequestEvent(report, blocked, secretHeader));
      }
  }

  /** Logs the refusals of the network guard that no request explains. */
  #logRefusals(): void {
    for (const host of this.#refusedHosts())
      if (!this.#loggedRefusals.has(host))
        this.#job.log.write({ kind: 'request', text: host, detail: { blocked: blockedByNetworkPolicy } });
  }
}

function openRequest(
  { log }: RecordedJob,
  message: Message.WillBeSent,
  previous?: ProtocolRequest,
): ProtocolRequest {
  const { request, type, timestamp, wallTime, initiator } = message;
  const elapsedMs = Date.now() - wallTime * 1000;
  return {
    url: beginningOf(request.url, maxAddressLength),
    shownUrl: displayUrl(request.url),
    method: beginningOf(request.method, maxMethodLength),
    type: type ?? previous?.type,
    initiator: initiatorLocation(initiator),
    sentAt: timestamp,
    began: Math.max(0, Math.round((log.now - elapsedMs) * 10) / 10),
    requestHeaders: firstHeaders(request.headers),
    responseHeaders: undefined,
    response: undefined,
    cached: false,
    received: 0,
  };
}

/** Returns whether the request exceeded the page's request limit. Only such requests are refused without a report by webRequest. */
function isBeyondLimit(
  { isLimitExceeded }: RecordedJob,
  { response }: ProtocolRequest,
  { problem }: RequestEnd,
): boolean {
  return response === undefined && problem?.error.includes('BLOCKED_BY_CLIENT') === true && isLimitExceeded();
}

/** An address is kept until the job ends, and a page may request thousands of addresses of a megabyte. */
const maxAddressLength = 4000;

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? url;
}

function hostKeyOf(url: string): string | undefined {
  const parsed = parsedUrl(url);
  if (parsed === undefined) return undefined;
  const { protocol, hostname, port } = parsed;
  const defaultPort = /^(https|wss):$/.test(protocol) ? 443 : 80;
  return keyOf({ host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? defaultPort : Number(port) });
}

function keyOf({ host, port }: Pick<GuardRefusal, 'host' | 'port'>): string {
  return `${host.toLowerCase()}:${port}`;
}
