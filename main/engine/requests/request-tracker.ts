/**
 * Handles all webRequest events of a session in one place, because Electron keeps only the last listener of each event. Counts and
 * logs requests, cancels forbidden requests, and applies the job's rules to the others. Which hosts may be reached is decided
 * outside the browser, by the network guard (network/proxy.ts).
 */
import type {
  Session,
  OnBeforeRequestListenerDetails,
  OnBeforeSendHeadersListenerDetails,
  OnHeadersReceivedListenerDetails,
} from 'electron';
import type { Failure } from '../../failure/failure.ts';
import type { JobDocument } from './job-document.ts';
import { outcomeOf } from '../diagnostics/recording/network-errors.ts';
import type { RequestLog } from './request-log.ts';
import { canBeChanged, refusedRequest, refusedResponse, sizeOfHeaders } from './header-limits.ts';
import { RequestRecord, type Challenge, type FailedRequest, type PageType } from './request-record.ts';
import type { Credentials, RequestRules, ResponseHeaders } from './request-rules.ts';

const styleResourceTypes: ReadonlySet<string> = new Set(['stylesheet', 'image', 'font']);

/**
 * Types of requests that page-settler.ts waits for. Requests of scripts (XHR, fetch) are not included, because the settling script
 * tracks them (page-scripts/settling.ts).
 */
const documentResourceTypes: ReadonlySet<string> = new Set([...styleResourceTypes, 'script', 'subFrame']);

/** Once the network guard accepts no connections, pending requests fail within a few milliseconds. */
const drainTimeoutMs = 3000;

const allUrls = { urls: ['<all_urls>'] };

/**
 * A listener for response headers costs a millisecond for each request. Requests for the job's own files usually have no headers to
 * change.
 */
const networkUrls = { urls: ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*'] };

/**
 * Maximum number of requests that start in one turn of the event loop. Each request causes further tasks of the main thread, which
 * take half a millisecond in all.
 */
const maxRequestsPerTick = 40;

interface RequestTrackerOptions {
  readonly document: JobDocument;
  /** Maximum number of requests of a job; undefined for no limit. */
  readonly maxRequests?: number | undefined;
}

export class RequestTracker {
  readonly #session: Session;
  readonly #document: JobDocument;
  readonly #maxRequests: number | undefined;
  readonly #tickLimiter = new TickLimiter(maxRequestsPerTick);
  /** The requests since the last `begin`. */
  #record = new RequestRecord();
  #isRefusing = false;
  #listensForRequests = false;
  /** Ends the job with a failure. */
  #abortJob: (why: Failure) => void = () => {};

  constructor(session: Session, { document, maxRequests }: RequestTrackerOptions) {
    this.#session = session;
    this.#document = document;
    this.#maxRequests = maxRequests;
    this.#addListeners();
  }

  /**
   * Starts a job. From now on, requests are recorded for this job. They are refused until `open` is called. `abortJob` is called if
   * a request or response exceeds limits that protect other jobs.
   */
  begin(log: RequestLog, rules: RequestRules, abortJob: (why: Failure) => void): void {
    this.#abortJob = abortJob;
    this.#record = new RequestRecord(log, rules, this.#maxRequests);
    this.#isRefusing = false;
    if (rules.changesDocumentHeaders) this.#listenForHeaders(allUrls);
    this.#listenForRequests(rules.changesRequestHeaders || log.includesHeaders);
  }

  /** Allows the job's requests. Call this when the service begins to load the job's document, or a file that an option names. */
  open(): void {
    this.#record.open();
  }

  /** Ends the job. Later requests are refused, except those for the window's empty pages. */
  end(): void {
    const { changesDocumentHeaders } = this.#record.rules;
    this.#isRefusing = false;
    this.#abortJob = () => {};
    this.#record.endJob();
    if (changesDocumentHeaders) this.#listenForHeaders(networkUrls);
  }

  /** While `isRefusing` is true, cancels all new requests without logging them. */
  setRefusing(isRefusing: boolean): void {
    this.#isRefusing = isRefusing;
  }

  /** Resolves when no HTTP request is pending. @throws Error if that takes more than three seconds */
  async waitUntilDrained(): Promise<void> {
    const record = this.#record;
    const deadline = performance.now() + drainTimeoutMs;
    while (record.hasPendingHttp) {
      if (performance.now() > deadline)
        throw new Error('requests of the job are still pending after its end');
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  /** Returns the number of pending requests. Event streams and WebSockets, which may never end, and pings do not count. */
  pendingCount(): number {
    return this.#record.pending.length;
  }

  /** Returns the number of pending style sheets, images and fonts: the types that a style sheet can request. */
  pendingStyleResourceCount(): number {
    return this.#record.pending.filter(({ resourceType }) => styleResourceTypes.has(resourceType)).length;
  }

  /** Returns the addresses of pending scripts, style sheets, images, fonts and frames. */
  pendingResourceUrls(): readonly string[] {
    return this.#record.pending
      .filter(({ resourceType }) => documentResourceTypes.has(resourceType))
      .map(({ shownUrl }) => shownUrl);
  }

  /** Returns the addresses of pending requests, except polling requests, for the log. */
  pendingUrls(): readonly string[] {
    return this.#record.pendingExceptPolling.map(({ shownUrl }) => shownUrl);
  }

  /** Returns the types of the pending requests, as Electron names them. */
  pendingTypes(): ReadonlySet<string> {
    return new Set(this.#record.pending.map(({ resourceType }) => resourceType));
  }

  /** Records all pending requests except media as failed. Call this when they are no longer waited for. */
  failPending(): void {
    this.#record.failPending();
  }

  /**
   * Returns the addresses of scripts, style sheets and images that arrived within the last `milliseconds` and after the page's load
   * event. The page may not have processed them yet.
   */
  urlsArrivedWithin(milliseconds: number): readonly string[] {
    return this.#record.urlsArrivedWithin(milliseconds);
  }

  /** Returns the addresses of the JPEG files that the page has loaded, except large ones. */
  jpegUrls(): readonly string[] {
    return this.#record.jpegUrls;
  }

  /** Records that the page's load event has fired. */
  noteLoaded(): void {
    this.#record.noteLoaded();
  }

  /** Returns the milliseconds since `begin`. */
  elapsedMs(): number {
    return this.#record.elapsedMs;
  }

  /** Returns whether any request has used the network since `begin`. */
  touchedNetwork(): boolean {
    return this.#record.touchedNetwork;
  }

  /** Returns whether requests were refused because the page exceeded its limit of requests. */
  isLimitExceeded(): boolean {
    return this.#record.isLimitExceeded;
  }

  /** Returns the failed requests of the current page, oldest first. */
  failures(): readonly FailedRequest[] {
    return this.#record.failures;
  }

  /** Returns whether the page may be loaded once more (RequestRecord). */
  acceptCompressed(): boolean {
    return this.#record.acceptCompressed();
  }

  /** Returns how the main frame's last response describes its content. */
  pageType(): PageType {
    return this.#record.pageType;
  }

  /** Returns the status of the main frame's last response; 0 without a response. */
  pageStatus(): number {
    return this.#record.pageStatus;
  }

  /** Returns the character set that the main frame's response declares; undefined if it declares none. */
  pageCharset(): string | undefined {
    return this.#record.pageCharset;
  }

  /** Returns whether TLS certificates are not verified. */
  acceptsAnyCertificate(): boolean {
    return this.#record.rules.acceptsAnyCertificate;
  }

  /**
   * Returns the credentials for a challenge; undefined if there are none, or if this challenge was already answered, because
   * retrying a wrong password would never end.
   */
  credentialsFor(challenge: Challenge): Credentials | undefined {
    return this.#record.credentialsFor(challenge);
  }

  #addListeners(): void {
    const { webRequest } = this.#session;
    webRequest.onBeforeRequest(allUrls, (details, answer) => {
      const response = this.#responseTo(details);
      this.#tickLimiter.run(() => {
        answer(response);
      });
    });
    this.#listenForHeaders(networkUrls);
    webRequest.onBeforeRedirect(allUrls, (details) => {
      this.#record.recordRedirect(details);
    });
    webRequest.onCompleted(allUrls, (details) => {
      this.#record.complete(details);
    });
    webRequest.onErrorOccurred(allUrls, (details) => {
      if (details.error.includes('CONTENT_DECODING')) this.#record.noteUndecodable(details);
      this.#record.fail(details, outcomeOf({ error: details.error }));
    });
  }

  #responseTo(details: OnBeforeRequestListenerDetails): Electron.CallbackResponse {
    const isAllowed = !this.#isRefusing && this.#record.begin(details);
    return isAllowed ? (this.#document.guardFiles(details) ?? {}) : { cancel: true };
  }

  /**
   * Listens for request headers only for jobs that need them, because Electron converts all headers of a request before it calls a
   * listener (docs/decisions/0068-what-pages-send.md).
   */
  #listenForRequests(isNeeded: boolean): void {
    if (isNeeded === this.#listensForRequests) return;
    this.#listensForRequests = isNeeded;
    const { webRequest } = this.#session;
    if (!isNeeded) webRequest.onBeforeSendHeaders(null);
    else
      webRequest.onBeforeSendHeaders(networkUrls, (details, answer) => {
        answer(this.#changedRequest(details));
      });
  }

  /** Listens for the response headers of these addresses only. */
  #listenForHeaders(filter: Electron.WebRequestFilter): void {
    this.#session.webRequest.onHeadersReceived(filter, (details, answer) => {
      answer(this.#changedResponse(details));
    });
  }

  #changedRequest(details: OnBeforeSendHeadersListenerDetails): Electron.BeforeSendResponse {
    const size = sizeOfHeaders(details.requestHeaders);
    const failure = refusedRequest(size);
    if (failure !== undefined) return this.#abort(failure);
    const changed = this.#record.changeHeaders(details);
    if (changed === undefined) return {};
    return canBeChanged(size) ? { requestHeaders: changed } : this.#refuse(details);
  }

  #changedResponse(details: OnHeadersReceivedListenerDetails): Electron.HeadersReceivedResponse {
    const size = sizeOfHeaders(details.responseHeaders ?? {});
    const failure = refusedResponse(size);
    if (failure !== undefined) return this.#abort(failure);
    const changed = this.#changedHeaders(details);
    if (changed === undefined) return {};
    return canBeChanged(size)
      ? { responseHeaders: changed as Record<string, string[]> }
      : this.#refuse(details);
  }

  #abort(why: Failure): { cancel: true } {
    this.#abortJob(why);
    return { cancel: true };
  }

  #refuse(details: OnBeforeSendHeadersListenerDetails | OnHeadersReceivedListenerDetails): { cancel: true } {
    this.#record.refuse(details, 'its headers are too long to be changed');
    return { cancel: true };
  }

  /** Records the response. Returns the headers that the page receives instead; undefined if they stay unchanged. */
  #changedHeaders(details: OnHeadersReceivedListenerDetails): ResponseHeaders | undefined {
    const { resourceType, responseHeaders = {} } = details;
    this.#record.recordResponse(details);
    const withoutPersistent = withoutPersistentHeaders(responseHeaders);
    const changed = this.#record.rules.changeResponseHeaders(
      resourceType,
      withoutPersistent ?? responseHeaders,
    );
    return changed ?? withoutPersistent;
  }
}

/** Returns the headers without `persistentHeaders`; undefined if the response has none of them. */
function withoutPersistentHeaders(headers: ResponseHeaders): ResponseHeaders | undefined {
  const names = Object.keys(headers);
  const keptNames = names.filter((name) => !persistentHeaders.has(name.toLowerCase()));
  if (keptNames.length === names.length) return undefined;
  return Object.fromEntries(keptNames.map((name) => [name, headers[name] ?? []]));
}

/**
 * Response headers that make the browser store something beyond the job. Electron can clear neither HSTS nor pending reports of the
 * Reporting API.
 */
const persistentHeaders: ReadonlySet<string> = new Set([
  'strict-transport-security', // RFC 6797
  'public-key-pins', // RFC 7469
  'expect-ct', // RFC 9163
  'alt-svc', // RFC 7838
  'nel', // W3C Network Error Logging
  'report-to',
  'reporting-endpoints', // W3C Reporting
  'use-as-dictionary', // RFC 9842
]);

/**
 * Runs at most `maxPerTick` callbacks in one turn of the event loop and defers the others, so that other work proceeds in between.
 */
export class TickLimiter {
  readonly #maxPerTick: number;
  #deferred: (() => void)[] = [];
  /** Number of callbacks that have run in this turn. */
  #runCount = 0;

  constructor(maxPerTick: number) {
    this.#maxPerTick = maxPerTick;
  }

  run(callback: () => void): void {
    if (this.#runCount === this.#maxPerTick) {
      this.#deferred.push(callback);
      return;
    }
    if (this.#runCount === 0) this.#awaitNextTick();
    this.#runCount += 1;
    callback();
  }

  #awaitNextTick(): void {
    setImmediate(() => {
      this.#runDeferred();
    });
  }

  #runDeferred(): void {
    const due = this.#deferred.slice(0, this.#maxPerTick);
    this.#deferred = this.#deferred.slice(this.#maxPerTick);
    this.#runCount = due.length;
    if (this.#runCount > 0) this.#awaitNextTick();
    for (const callback of due) callback();
  }
}
