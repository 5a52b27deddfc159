/**
 * Handles all webRequest events of a session in one place, because Electron keeps only the last listener of each event. Counts and
 * logs requests, cancels forbidden requests, and applies the job's rules to the others. Which hosts may be reached is decided
 * outside the browser, by the network guard (network/proxy.ts).
 */
import { requestFailures } from '../../log/events.ts';
import type { Session, OnBeforeRequestListenerDetails } from 'electron';
import type { JobDocument } from './job-document.ts';
import { outcomeOf } from '../diagnostics/recording/network-errors.ts';
import {
  recordResponse,
  recordPageResponse,
  credentialsForChallenge,
  pendingRequests,
  beginRequest,
  failRequest,
  pendingRequestsExceptMedia,
  endRequest,
  recordFailure,
  hasPendingHttpRequests,
  pendingRequestsExceptPolling,
  newRequestRecord,
  markEventStream,
  logBlockedRequests,
  logSentCredentials,
  recordRedirect,
  recordSentHeaders,
  type Challenge,
  type FailedRequest,
  type RequestRecord,
  hideCookies,
  logRequest,
  type RequestLogTarget,
} from './request-record.ts';
import { noRules, type Credentials, type RequestRules, type ResponseHeaders } from './request-rules.ts';
import { isJobFile, displayUrl } from './shown-address.ts';

export type { Challenge, FailedRequest } from './request-record.ts';

export interface Requests {
  /** Returns the number of pending requests. Event streams and web sockets, which may never end, and pings do not count. */
  readonly pendingCount: () => number;
  /** Returns the number of pending style sheets, images and fonts: the types that a style sheet can request. */
  readonly pendingStyleResourceCount: () => number;
  /** Returns the addresses of pending scripts, style sheets, images, fonts and frames. */
  readonly pendingResourceUrls: () => readonly string[];
  /**
   * Returns the addresses of scripts, style sheets and images that arrived within the last `milliseconds` and after the page's load
   * event. The page may not have processed them yet.
   */
  readonly urlsArrivedWithin: (milliseconds: number) => readonly string[];
  /** Records that the page's load event has fired. */
  readonly noteLoaded: () => void;
  /** Returns whether any request has used the network since `begin`. */
  readonly touchedNetwork: () => boolean;
  /** Returns the addresses of pending requests, except polling requests, for the log. */
  readonly pendingUrls: () => readonly string[];
  /** Returns the failed requests of the current page, oldest first. */
  readonly failures: () => readonly FailedRequest[];
  /** Returns the status of the main frame's last response; 0 without a response. */
  readonly pageStatus: () => number;
  /** Returns the milliseconds since `begin`. */
  readonly elapsedMs: () => number;
  /** Records all pending requests except media as failed. Call this when they are no longer waited for. */
  readonly failPending: () => void;
  /**
   * Returns the credentials for a challenge; undefined if there are none, or if this challenge was already answered, because
   * retrying a wrong password would never end.
   */
  readonly credentialsFor: (challenge: Challenge) => Credentials | undefined;
  /** While `isRefusing` is true, cancels all new requests without logging them. */
  readonly setRefusing: (isRefusing: boolean) => void;
  /** Returns the character set that the main frame's response declares; undefined if it declares none. */
  readonly pageCharset: () => string | undefined;
  /** Returns whether TLS certificates are not verified. */
  readonly acceptsAnyCertificate: () => boolean;
  /** Returns whether requests were refused because the page exceeded its limit of requests. */
  readonly isLimitExceeded: () => boolean;
  /** Resolves when no HTTP request is pending. @throws Error if that takes more than three seconds */
  readonly waitUntilDrained: () => Promise<void>;
  /** Starts a job. From now on, requests are recorded for this job. */
  readonly begin: (logTarget: RequestLogTarget, rules: RequestRules) => void;
  /** Ends the job. Later requests are recorded for no job. */
  readonly end: () => void;
}

const styleResourceTypes: ReadonlySet<string> = new Set(['stylesheet', 'image', 'font']);

/**
 * Types of requests that page-settler.ts waits for. Requests of scripts (XHR, fetch) are not included, because the settling script
 * tracks them (page-scripts/settling.ts).
 */
const documentResourceTypes: ReadonlySet<string> = new Set([...styleResourceTypes, 'script', 'subFrame']);

interface TrackerOptions {
  readonly document: JobDocument;
  /** Maximum number of requests of a job; undefined for no limit. */
  readonly maxRequests?: number | undefined;
}

export function requestTracker(
  session: Session,
  { document, maxRequests = Infinity }: TrackerOptions,
): Requests {
  const state: TrackerState = { record: newRequestRecord(), isRefusing: false, document };
  addListeners(session, state);
  return {
    pendingCount: () => pendingRequests(state.record).length,
    pendingStyleResourceCount: () =>
      pendingRequests(state.record).filter(({ resourceType }) => styleResourceTypes.has(resourceType)).length,
    pendingResourceUrls: () =>
      pendingRequests(state.record)
        .filter(({ resourceType }) => documentResourceTypes.has(resourceType))
        .map(({ url }) => displayUrl(url)),
    urlsArrivedWithin: (milliseconds) =>
      [...state.record.arrivalTimes]
        .filter(([, at]) => performance.now() - at <= milliseconds)
        .map(([url]) => url),
    noteLoaded() {
      state.record.hasLoaded = true;
    },
    touchedNetwork: () => state.record.touchedNetwork,
    pendingUrls: () => pendingRequestsExceptPolling(state.record).map(({ url }) => displayUrl(url)),
    failures: () => state.record.failures,
    pageStatus: () => state.record.pageStatus,
    elapsedMs: () => performance.now() - state.record.began,
    failPending() {
      for (const { url } of pendingRequestsExceptMedia(state.record))
        recordFailure(state.record, url, requestFailures.pending);
    },
    credentialsFor: (challenge) => credentialsForChallenge(state.record, challenge),
    setRefusing(isRefusing) {
      state.isRefusing = isRefusing;
    },
    pageCharset: () => state.record.pageCharset,
    acceptsAnyCertificate: () => state.record.rules.acceptsAnyCertificate,
    isLimitExceeded: () => state.record.requestsLeft < 0,
    waitUntilDrained: () => waitUntilDrained(state),
    begin(logTarget, rules) {
      state.record = newRequestRecord(logTarget, rules, maxRequests);
      state.isRefusing = false;
      if (rules.changesDocumentHeaders) listenForHeaders(session.webRequest, state, allUrls);
    },
    end() {
      const { record } = state;
      state.isRefusing = false;
      logBlockedRequests(record);
      if (record.rules.changesDocumentHeaders) listenForHeaders(session.webRequest, state, networkUrls);
      // The empty pages have `platen:` addresses too, so refused redirects must not outlive the job.
      state.record = { ...record, logTarget: {}, rules: noRules, refusedRedirects: new Set() };
    },
  };
}

/** Once the network guard accepts no connections, pending requests fail within a few milliseconds. */
const drainTimeoutMs = 3000;

async function waitUntilDrained({ record }: TrackerState): Promise<void> {
  const deadline = performance.now() + drainTimeoutMs;
  while (hasPendingHttpRequests(record)) {
    if (performance.now() > deadline) throw new Error('requests of the job are still pending after its end');
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

interface TrackerState {
  readonly document: JobDocument;
  record: RequestRecord;
  isRefusing: boolean;
}

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

function addListeners({ webRequest }: Session, state: TrackerState): void {
  const limitPerTick = openTickLimiter(maxRequestsPerTick);
  webRequest.onBeforeRequest(allUrls, (details, answer) => {
    const isAllowed = !state.isRefusing && beginRequest(state.record, details);
    const response = isAllowed ? (guardJobFiles(details, state.document) ?? {}) : { cancel: true };
    limitPerTick(() => {
      answer(response);
    });
  });
  listenForHeaders(webRequest, state, networkUrls);
  webRequest.onBeforeSendHeaders(networkUrls, ({ id, url, requestHeaders }, answer) => {
    const changed = state.record.rules.changeRequestHeaders(url, requestHeaders);
    if (changed !== undefined) logSentCredentials(state.record, url);
    recordSentHeaders(state.record, id, changed ?? requestHeaders);
    answer(changed === undefined ? {} : { requestHeaders: changed });
  });
  webRequest.onBeforeRedirect(allUrls, ({ id, url: from, redirectURL }) => {
    recordRedirect(state.record, from, redirectURL);
    const url = state.record.pending.get(id)?.url;
    if (url === undefined) return;
    logRequest(state.record, { url }, { detail: { redirected: displayUrl(redirectURL) } });
  });
  webRequest.onCompleted(allUrls, (details) => {
    const { statusCode: status, fromCache, url } = details;
    if (status >= 400 && state.record.pending.has(details.id))
      recordFailure(state.record, url, `was answered with status ${status}`);
    endRequest(state.record, details, {
      status,
      from: fromCache ? 'cache' : isJobFile(url) ? 'job' : 'network',
    });
  });
  webRequest.onErrorOccurred(allUrls, (details) => {
    failRequest(state.record, details, outcomeOf({ error: details.error }));
  });
}

function listenForHeaders(
  webRequest: Session['webRequest'],
  state: TrackerState,
  filter: Electron.WebRequestFilter,
): void {
  webRequest.onHeadersReceived(filter, (details, answer) => {
    const { id, resourceType, statusCode, statusLine, responseHeaders = {} } = details;
    markEventStream(state.record, id, responseHeaders);
    recordResponse(state.record, id, { status: statusCode, statusLine, responseHeaders });
    hideCookies(state.record, responseHeaders);
    if (resourceType === 'mainFrame') recordPageResponse(state.record, statusCode, responseHeaders);
    const withoutPersistent = withoutPersistentHeaders(responseHeaders);
    const changed =
      state.record.rules.changeResponseHeaders(resourceType, withoutPersistent ?? responseHeaders) ??
      withoutPersistent;
    answer(changed === undefined ? {} : { responseHeaders: changed as Record<string, string[]> });
  });
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

type TickLimiter = (run: () => void) => void;

/**
 * Returns a function that runs at most `maxPerTick` callbacks in one turn of the event loop and defers the others, so that other
 * work proceeds in between.
 */
export function openTickLimiter(maxPerTick: number): TickLimiter {
  let deferred: (() => void)[] = [];
  let runCount = 0;
  const nextTick = () => {
    const due = deferred.slice(0, maxPerTick);
    deferred = deferred.slice(maxPerTick);
    runCount = due.length;
    if (runCount > 0) setImmediate(nextTick);
    for (const run of due) run();
  };
  return (run) => {
    if (runCount === maxPerTick) {
      deferred.push(run);
      return;
    }
    if (runCount === 0) setImmediate(nextTick);
    runCount += 1;
    run();
  };
}

// Protects a document's files from embedded frames and workers of other sites, because Chromium does not check CORS for custom
// schemes. Such a site cannot guess the document's folder, but a root-relative address (`/data.json`) does not contain the folder.

type Details = Pick<OnBeforeRequestListenerDetails, 'url' | 'resourceType' | 'frame'>;

/**
 * Returns how to change a request: undefined leaves the request unchanged; otherwise it is cancelled, or redirected into the
 * document's folder. Electron does not report the requests of workers here; `restrictToFolder` limits them once the page contains a
 * frame of another site.
 */
function guardJobFiles(
  { url, resourceType, frame }: Details,
  document: JobDocument,
): { readonly cancel: true } | { readonly redirectURL: string } | undefined {
  if (resourceType !== 'mainFrame' && documentTypes.has(resourceType) && /^https?:/.test(url))
    document.restrictToFolder();
  const redirectURL = document.folderUrl(url);
  if (redirectURL === undefined) return undefined;
  // A request that loads a document into a frame is safe: other sites cannot read that document.
  if (!documentTypes.has(resourceType) && belongsToOtherSite(frame)) return { cancel: true };
  return { redirectURL };
}

/** Resource types that can contain a document. */
const documentTypes: ReadonlySet<string> = new Set(['mainFrame', 'subFrame', 'object']);

/**
 * Returns true if the frame or one of its ancestors has an http(s) origin, or if the frame does not exist. A frame with an opaque
 * origin belongs to the site of its ancestors.
 */
function belongsToOtherSite(frame: Details['frame']): boolean {
  try {
    for (let ancestor = frame ?? null; ancestor !== null; ancestor = ancestor.parent)
      if (/^https?:/.test(ancestor.origin)) return true;
    return frame === undefined || frame === null;
  } catch {
    // The frame no longer exists.
    return true;
  }
}
