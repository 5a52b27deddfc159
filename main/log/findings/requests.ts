/** Classifies the requests of a log (missing, pending, the page itself) and follows their redirects. */
import { type LogEvent, type RequestDetail, eventsOf, requestFailures, type EventOf } from '../events.ts';
import { formatNumber, shortAddress } from './phrases.ts';

export type RequestFacts = EventOf<'request'>;

/**
 * Returns the addresses whose resources did not load, and all addresses that redirected to them. Other findings report these
 * resources, so they are not reported as broken images. The addresses have no fragments.
 */
export function missingAddresses(events: readonly LogEvent[]): ReadonlySet<string> {
  const absent = redirectChains(eventsOf(events, 'request')).filter(
    ({ last }) => isMissing(last) || hasTooManyRedirects(last.detail) || last.detail.blocked !== undefined,
  );
  return new Set(absent.flatMap(({ addresses }) => addresses.map(withoutFragment)));
}

/** A fragment names a part of a resource, which is loaded without it. Electron reports it with a request, DevTools does not. */
export function withoutFragment(address: string): string {
  return address.split('#', 1)[0] ?? '';
}

/** Returns whether a resource is missing. An error status counts even if Chromium discarded the response, as with ORB and CORS. */
export function isMissing({ detail }: RequestFacts): boolean {
  if (isErrorStatus(detail)) return true;
  if (
    detail.blocked !== undefined ||
    hasTooManyRedirects(detail) ||
    harmlessFailures.includes(detail.failed ?? '')
  )
    return false;
  return detail.failed !== undefined;
}

export function isErrorStatus({ status = 0 }: RequestDetail): boolean {
  return status >= 400;
}

/** Failures that are not problems: the page cancelled the request, or the request was pending at the end of the job. */
const harmlessFailures: readonly string[] = [requestFailures.cancelled, requestFailures.pending];

/** Returns whether the request was pending at the end of the job. */
export function isPending(request: RequestFacts): boolean {
  return request.detail.failed === requestFailures.pending && !isErrorStatus(request.detail);
}

/** Returns the request for the document that is converted, after all redirects. */
export function pageOf(requests: readonly RequestFacts[]): RequestFacts | undefined {
  const first = requests.find(isDocument);
  if (first === undefined) return undefined;
  return redirectChains(requests.filter(isDocument)).findLast(({ addresses }) => addresses[0] === first.text)
    ?.last;
}

function isDocument({ detail: { type = '' } }: RequestFacts): boolean {
  return documentTypes.has(type);
}

/** The type is `Document` in DevTools and `mainFrame` in webRequest. */
const documentTypes: ReadonlySet<string> = new Set(['Document', 'mainFrame']);

/** A longer chain is reported as a loop; Chromium itself stops after 20 redirects (Fetch, 4.4). */
const maxChainLength = 10;
const maxStoredAddresses = 25;

interface RedirectChain {
  /** In the order of the redirects, at most 25. */
  readonly addresses: readonly string[];
  /** The last request of the chain in the log. */
  readonly last: EventOf<'request'>;
}

/** Returns the redirect chains, each from its first to its last request. A request without redirects is a chain of one address. */
function redirectChains(requests: readonly EventOf<'request'>[]): RedirectChain[] {
  const open = new Map<string, RedirectChain & { readonly addresses: string[] }>();
  const complete: RedirectChain[] = [];
  for (const last of requests) {
    const addresses = open.get(last.text)?.addresses ?? [last.text];
    open.delete(last.text);
    const { redirected } = last.detail;
    if (redirected === undefined) complete.push({ addresses, last });
    else {
      if (addresses.length < maxStoredAddresses) addresses.push(redirected);
      open.set(redirected, { addresses, last });
    }
  }
  return [...complete, ...open.values()];
}

/** Returns a description of each redirect loop, which lists the loop's addresses. */
export function redirectLoops(requests: readonly EventOf<'request'>[]): string[] {
  const loops = redirectChains(requests).filter(
    ({ addresses, last }) => hasTooManyRedirects(last.detail) || addresses.length > maxChainLength,
  );
  return loops.map(({ addresses }) => describeChain(addresses));
}

/** Returns whether Chromium stopped following the redirects of a request because there were too many. */
function hasTooManyRedirects({ failed }: EventOf<'request'>['detail']): boolean {
  return failed === requestFailures.tooManyRedirects;
}

function describeChain(addresses: readonly string[]): string {
  const [first = ''] = addresses;
  const repeatedAt = addresses.indexOf(first, 1);
  if (repeatedAt > 0)
    return `${addresses
      .slice(0, repeatedAt + 1)
      .map(shortAddress)
      .join(' → ')}, and so on`;
  if (addresses.length === 1) return `${shortAddress(first)} redirects to itself`;
  return `${addresses.slice(0, 4).map(shortAddress).join(' → ')} → … (${formatNumber(addresses.length - 1)} redirects)`;
}
