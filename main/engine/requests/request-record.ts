/**
 * Owns the requests of a session since its job began: which are pending, which have failed, and which the job's rules refuse.
 * Passes each request to the job's request log. A request belongs to the job whose document made it: before the service loads
 * the job's own document and after the job, only the window's empty pages may be requested.
 */
import { createHash } from 'node:crypto';
import type {
  OnBeforeRedirectListenerDetails,
  OnBeforeSendHeadersListenerDetails,
  OnCompletedListenerDetails,
  OnHeadersReceivedListenerDetails,
} from 'electron';
import { requestFailures, type RequestEvent } from '../../log/events.ts';
import {
  headerOf,
  isDocument,
  noRules,
  withHeader,
  type Credentials,
  type RequestHeaders,
  type RequestRules,
  type ResponseHeaders,
} from './request-rules.ts';
import { firstHeaders } from '../diagnostics/recording/messages.ts';
import { isEmptyPage, isJobFile, displayUrl } from './shown-address.ts';
import type { RequestOutcome } from '../diagnostics/recording/network-errors.ts';
import type { RequestDetails, RequestLog } from './request-log.ts';

export interface FailedRequest {
  readonly url: string;
  /** What happened, in words that follow the address in a message: `was answered with status 404`. */
  readonly how: string;
}

/** A challenge of HTTP authentication (RFC 9110, 11). */
export interface Challenge {
  readonly url: string;
  readonly isProxy: boolean;
  readonly host: string;
  readonly port: number;
  readonly realm: string;
}

/** The status and headers of a response. */
interface RequestResponse {
  readonly status: number;
  readonly statusLine: string;
  readonly responseHeaders: ResponseHeaders;
}

interface PendingRequest {
  readonly url: string;
  /** The address for display. It is computed once, because the addresses of all pending requests are read again and again. */
  readonly shownUrl: string;
  readonly began: number;
  readonly resourceType: string;
  /** The request headers as sent; set only while a debug log is recorded. */
  readonly headers?: RequestHeaders;
  /** Set when the response begins. Chromium may still discard the response. */
  readonly response?: RequestResponse;
  /** The request has been recorded as failed, because it took too long. */
  readonly isGivenUp?: true;
}

/**
 * Matches addresses that pages may load: by scheme, and for `platen:` also by the host of job documents. The pattern may be
 * case-sensitive, because Chromium has normalised the address (WHATWG URL).
 */
const allowedSchemes = /^((https?|wss?|data|blob|about):|platen:\/\/job\/)/;
const networkSchemes = /^(https?|wss?):/;
/** Matches addresses that lead to the network or to files of a job. An inline document may show its own data: images. */
const needsJob = /^(https?|wss?|platen):/;
const endlessTypes = new Set(['webSocket', 'ping', 'eventStream']);
const maxFailures = 100;
const trackedTypes: ReadonlySet<string> = new Set(['script', 'image', 'stylesheet']);
/** After this many responses from an address, another request for it counts as polling. */
const pollingThreshold = 2;

/** Maximum length of the address of a request, in characters. Servers accept far less. */
const maxAddressLength = 32_000;
/** Maximum length of an address that is kept until the end of the job. */
const maxKeptLength = 4000;
/** Characters of the response headers that are kept while a request is pending. */
const maxHeadersLength = 4000;

/** How the response of the main frame describes its content. */
export interface PageType {
  /** Such as `text/html`; empty if the response does not name it. */
  readonly type: string;
  /** Whether the response has `Content-Disposition: attachment`. */
  readonly isAttachment: boolean;
}

export class RequestRecord {
  readonly #began = performance.now();
  readonly #pending = new Map<number, PendingRequest>();
  readonly #failures: FailedRequest[] = [];
  /** Digests of the host, port and realm. */
  readonly #answeredChallenges = new Set<string>();
  /** Digests of addresses with the scheme `platen:` to which sites redirected. Requests for them are refused. */
  readonly #refusedRedirects = new Set<string>();
  readonly #jpegUrls = new Set<string>();
  /** By address: the number of XHR and fetch requests that have ended. */
  readonly #endedXhrCounts = new Map<string, number>();
  /** By address: when scripts, style sheets and images arrived after the page's load event. */
  readonly #arrivalTimes = new Map<string, number>();
  /** Undefined between jobs. */
  #log: RequestLog | undefined;
  #rules: RequestRules;
  /** Number of requests that the page may still make. */
  #requestsLeft: number;
  /** The service has begun to load the job's document, or a file of the job, and the job has not ended. */
  #isOpen = false;
  #touchedNetwork = false;
  /** The page's load event has fired. */
  #hasLoaded = false;
  /** Chromium refused the page, because it was compressed although the service had asked the server not to. */
  #isUndecodable = false;
  #acceptsCompressed = false;
  #pageUrl = '';
  #pageStatus = 0;
  #pageCharset: string | undefined;
  #pageType: PageType = { type: '', isAttachment: false };

  /** `maxRequests`: maximum number of requests of the job. */
  constructor(log?: RequestLog, rules: RequestRules = noRules, maxRequests = Infinity) {
    this.#log = log;
    this.#rules = rules;
    this.#requestsLeft = maxRequests;
  }

  get elapsedMs(): number {
    return performance.now() - this.#began;
  }

  /** The rules of the job; `noRules` after its end. */
  get rules(): RequestRules {
    return this.#rules;
  }

  /** The pending requests, except event streams and WebSockets, which may never end, and pings. */
  get pending(): readonly PendingRequest[] {
    return [...this.#pending.values()].filter(({ resourceType }) => !endlessTypes.has(resourceType));
  }

  /** The pending requests except polling requests: a page that repeats a request lacks no content. */
  get pendingExceptPolling(): readonly PendingRequest[] {
    return this.pending.filter(({ url }) => (this.#endedXhrCounts.get(url) ?? 0) < pollingThreshold);
  }

  /** Whether HTTP requests are pending. WebSockets do not count, because Electron does not report when they end. */
  get hasPendingHttp(): boolean {
    return [...this.#pending.values()].some(({ url }) => /^https?:/.test(url));
  }

  /** The failed requests of the current page, oldest first. */
  get failures(): readonly FailedRequest[] {
    return this.#failures;
  }

  get touchedNetwork(): boolean {
    return this.#touchedNetwork;
  }

  /** Whether requests were refused because the page exceeded its limit of requests. */
  get isLimitExceeded(): boolean {
    return this.#requestsLeft < 0;
  }

  /** The status of the main frame's last response; 0 without a response. */
  get pageStatus(): number {
    return this.#pageStatus;
  }

  /** How the main frame's last response describes its content. */
  get pageType(): PageType {
    return this.#pageType;
  }

  /** The character set that the main frame's response declares; undefined if it declares none. */
  get pageCharset(): string | undefined {
    return this.#pageCharset;
  }

  /** Returns the addresses of scripts, style sheets and images that arrived after the load event, in the last `milliseconds`. */
  urlsArrivedWithin(milliseconds: number): readonly string[] {
    return [...this.#arrivalTimes]
      .filter(([, at]) => performance.now() - at <= milliseconds)
      .map(([url]) => url);
  }

  /** The addresses of the JPEG files that the page has loaded, except large ones. */
  get jpegUrls(): readonly string[] {
    return [...this.#jpegUrls];
  }

  /** Records that the page's load event has fired. */
  noteLoaded(): void {
    this.#hasLoaded = true;
  }

  /** Allows requests until the end of the job. Call this when the job's own document replaces the empty page of the window. */
  open(): void {
    this.#isOpen = true;
  }

  /**
   * Records the start of a request. Returns whether it is allowed: false for requests that are not the job's, schemes that are never
   * loaded, refused redirects, requests that an option blocks, and requests beyond the limit. Requests beyond the limit are not
   * logged, because their number is unbounded; nor are requests that are not the job's.
   */
  begin(details: RequestDetails): boolean {
    const { id, url, resourceType } = details;
    if (!this.#isOpen && needsJob.test(url) && !isEmptyPage(url)) return false;
    this.#requestsLeft -= 1;
    // Navigations of the main frame are not refused, because a refused navigation would replace the page with an error page. Their
    // number is bounded by load-page.ts and by Chromium's redirect limit.
    if (this.#requestsLeft < 0 && resourceType !== 'mainFrame') return false;
    // Addresses are kept until the end of the job.
    if (url.length > maxAddressLength && needsJob.test(url) && resourceType !== 'mainFrame') {
      this.#log?.writeRefused(
        { ...details, url: url.slice(0, 200) },
        `its address has more than ${maxAddressLength} characters`,
      );
      return false;
    }
    if (!allowedSchemes.test(url) || this.#isRefusedRedirect(url)) {
      this.#log?.writeRefused(details, 'this scheme is never loaded');
      return false;
    }
    const option = this.#rules.blockingOption({ url, resourceType, pageUrl: this.#pageUrl });
    if (option !== undefined) {
      this.#log?.writeBlocked(details, option);
      return false;
    }
    // The next response may be larger.
    this.#jpegUrls.delete(url);
    if (resourceType === 'mainFrame') this.#beginPage(url);
    this.#touchedNetwork ||= networkSchemes.test(url);
    this.#pending.set(id, { url, shownUrl: displayUrl(url), began: performance.now(), resourceType });
    return true;
  }

  /**
   * Records the request headers just before they are sent. Returns the headers as the job's rules change them; undefined if they
   * stay unchanged.
   */
  changeHeaders(details: OnBeforeSendHeadersListenerDetails): RequestHeaders | undefined {
    const { id, url, requestHeaders, resourceType } = details;
    const request = this.#pending.get(id);
    if (request === undefined) return undefined;
    const withJobHeaders = this.#rules.changeRequestHeaders(url, requestHeaders);
    if (withJobHeaders !== undefined) this.#log?.noteSentHeaders(url);
    const changed =
      this.#rules.readsDocuments && !this.#acceptsCompressed && isDocument(resourceType)
        ? withHeader(withJobHeaders ?? requestHeaders, 'Accept-Encoding', 'identity')
        : withJobHeaders;
    if (this.#log?.includesHeaders === true)
      this.#pending.set(id, { ...request, headers: firstHeaders(changed ?? requestHeaders) });
    return changed;
  }

  /** Records that Chromium could not decode a response. */
  noteUndecodable({ resourceType }: Pick<RequestDetails, 'resourceType'>): void {
    this.#isUndecodable ||= this.#rules.readsDocuments && resourceType === 'mainFrame';
  }

  /** Returns whether the page could not be decoded, and may be loaded once more without asking the server not to compress it. */
  acceptCompressed(): boolean {
    if (!this.#isUndecodable || this.#acceptsCompressed) return false;
    this.#acceptsCompressed = true;
    return true;
  }

  /** Records that a request is not continued, and why. */
  refuse(details: RequestDetails, why: string): void {
    if (this.#pending.delete(details.id)) this.#log?.writeRefused(details, why);
  }

  #isRefusedRedirect(url: string): boolean {
    return this.#refusedRedirects.size > 0 && this.#refusedRedirects.has(digestOf(url));
  }

  recordRedirect({ id, url: from, redirectURL: to }: OnBeforeRedirectListenerDetails): void {
    if (networkSchemes.test(from) && to.startsWith('platen:')) this.#refusedRedirects.add(digestOf(to));
    const request = this.#pending.get(id);
    if (request !== undefined) this.#log?.writeRedirect(request.url, to);
  }

  /** Records that a response has begun. Call this before the page receives the response. */
  recordResponse(details: OnHeadersReceivedListenerDetails): void {
    const { id, resourceType, statusCode: status, statusLine, responseHeaders = {} } = details;
    const request = this.#pending.get(id);
    if (request !== undefined)
      this.#pending.set(id, {
        ...request,
        // Only the content type of the response identifies an event stream (HTML, 9.2).
        ...(isEventStream(responseHeaders) && { resourceType: 'eventStream' }),
        response: { status, statusLine, responseHeaders: neededHeaders(responseHeaders) },
      });
    this.#log?.hideCookies(responseHeaders);
    if (resourceType !== 'mainFrame') return;
    this.#pageStatus = status;
    this.#pageCharset = charsetOf(responseHeaders);
    this.#pageType = pageTypeOf(responseHeaders);
  }

  /** Records a request whose response has arrived. */
  complete(details: OnCompletedListenerDetails): void {
    const { id, url, statusCode: status, fromCache, resourceType, responseHeaders = {} } = details;
    if (resourceType === 'image' && url.length <= maxKeptLength && isSmallJpeg(responseHeaders))
      this.#keepJpeg(url);
    if (status >= 400 && this.#pending.has(id)) this.#addFailure(url, `was answered with status ${status}`);
    this.#end(details, { status, from: fromCache ? 'cache' : isJobFile(url) ? 'job' : 'network' });
  }

  /**
   * Records a failed request. `outcome` is why the browser failed it. Chromium discards error pages of subresources and then
   * reports a failure, so for a status of 400 or more, the status is recorded as the reason.
   */
  fail(details: RequestDetails, outcome: RequestOutcome): void {
    const { id, url } = details;
    const request = this.#pending.get(id);
    if (request?.isGivenUp === true) {
      this.#end(details, { failed: requestFailures.pending });
      return;
    }
    const response = request?.response ?? jobFileResponse(details);
    const isRefusal = response !== undefined && response.status >= 400;
    if (isRefusal && this.#pending.has(id))
      this.#addFailure(url, `was answered with status ${response.status}`);
    // A request that the page or a navigation cancelled has not failed.
    else if (outcome.failed !== requestFailures.cancelled && this.#pending.has(id))
      this.#addFailure(url, requestFailures.unreachable);
    const from = isJobFile(url) ? 'job' : 'network';
    const status = response && ({ status: response.status, from } as const);
    this.#end({ ...details, ...response }, { ...status, ...(!isRefusal && outcome) });
  }

  /** Records the pending requests as failed, except media, because Chromium leaves the request of an unplayed video pending. */
  failPending(): void {
    for (const [id, request] of this.#pending) {
      const { url, resourceType, isGivenUp } = request;
      if (isGivenUp === true || resourceType === 'media' || endlessTypes.has(resourceType)) continue;
      this.#addFailure(url, requestFailures.pending);
      this.#pending.set(id, { ...request, isGivenUp: true });
    }
  }

  /**
   * Returns the credentials for a challenge; undefined if there are none, or if this challenge was already answered, because
   * retrying a wrong password would never end.
   */
  credentialsFor({ url, isProxy, host, port, realm }: Challenge): Credentials | undefined {
    const key = digestOf(`${host}:${port} ${realm}`);
    if (isProxy || !this.#isOpen || this.#answeredChallenges.has(key)) return undefined;
    const credentials = this.#rules.credentialsFor(url);
    if (credentials === undefined) return undefined;
    this.#answeredChallenges.add(key);
    this.#log?.noteSentPassword(`${host}:${port}`);
    return credentials;
  }

  /** Ends the job. Later requests are refused, except those for the empty pages. */
  endJob(): void {
    this.#log?.noteBlocked();
    this.#isOpen = false;
    this.#log = undefined;
    this.#rules = noRules;
    // The empty pages have `platen:` addresses too, so refused redirects must not outlive the job.
    this.#refusedRedirects.clear();
  }

  /** Resets the record for a new main-frame request, also after a redirect: failures of earlier addresses do not count. */
  #beginPage(url: string): void {
    this.#pageUrl = url;
    this.#pageStatus = 0;
    this.#hasLoaded = false;
    this.#failures.length = 0;
  }

  #keepJpeg(url: string): void {
    if (this.#jpegUrls.size < maxJpegs) this.#jpegUrls.add(url);
  }

  #addFailure(url: string, how: string): void {
    if (this.#failures.length < maxFailures) this.#failures.push({ url: displayUrl(url), how });
  }

  #end(details: RequestDetails, outcome: RequestEvent['detail']): void {
    const request = this.#pending.get(details.id);
    // The request began in an earlier job, or was not allowed.
    if (request === undefined) return;
    this.#pending.delete(details.id);
    const { url, resourceType, began, headers } = request;
    if (resourceType === 'xhr' && url.length <= maxKeptLength)
      this.#endedXhrCounts.set(url, (this.#endedXhrCounts.get(url) ?? 0) + 1);
    if (this.#hasLoaded && trackedTypes.has(resourceType) && url.length <= maxKeptLength)
      this.#arrivalTimes.set(url, performance.now());
    this.#log?.writeEnd(details, { took: Math.round(performance.now() - began), headers, outcome });
  }
}

/** Returns a short text that stands for one from a server, which may send thousands of 100 kB during a job. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/** Returns the first headers, and those that describe the body. They are kept while the request is pending. */
function neededHeaders(headers: ResponseHeaders): ResponseHeaders {
  const needed: Record<string, readonly string[]> = {};
  let room = maxHeadersLength;
  for (const name in headers) {
    const values = headers[name] ?? [];
    const length = values.reduce((sum, value) => sum + value.length, name.length);
    if (length > room && !/^content-(type|length)$/i.test(name)) continue;
    room -= length;
    needed[name] = values;
  }
  return needed;
}

const maxJpegs = 200;
/** A larger file would be read in a step of the main thread of more than 50 ms. */
const maxJpegBytes = 4_000_000;

/** Returns whether a response is a JPEG file of known size. A compressed response may be of any size. */
function isSmallJpeg(headers: ResponseHeaders): boolean {
  const length = headerOf(headers, 'content-length')?.[0];
  return (
    /^image\/(p?jpeg|jpg)\b/i.test(contentTypeOf(headers)) &&
    length !== undefined &&
    Number(length) <= maxJpegBytes &&
    headerOf(headers, 'content-encoding') === undefined
  );
}

function isEventStream(headers: ResponseHeaders): boolean {
  return /^text\/event-stream/i.test(contentTypeOf(headers));
}

function pageTypeOf(headers: ResponseHeaders): PageType {
  const disposition = headerOf(headers, 'content-disposition')?.[0] ?? '';
  return {
    type: contentTypeOf(headers).split(';', 1)[0]?.trim().toLowerCase().slice(0, 100) ?? '',
    isAttachment: /^\s*attachment\b/i.test(disposition),
  };
}

function charsetOf(headers: ResponseHeaders): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentTypeOf(headers))?.[1];
}

function contentTypeOf(headers: ResponseHeaders): string {
  return headerOf(headers, 'content-type')?.[0] ?? '';
}

/**
 * Returns the response to a failed request for one of the job's files, because Electron does not report when these responses begin.
 */
function jobFileResponse({
  url,
  statusCode,
  statusLine = '',
  responseHeaders,
}: RequestDetails): RequestResponse | undefined {
  if (!isJobFile(url) || statusCode === undefined || responseHeaders === undefined) return undefined;
  return { status: statusCode, statusLine, responseHeaders };
}
