/** What is known of requests before anything is found: which brought nothing, which is the page's own, which came too late. */
import type { LogEvent, RequestDetail } from '../events.ts';
import { eventsOf, type EventOf } from '../select-events.ts';
import { gaveUp, waysOf } from './redirects.ts';

export type Request = EventOf<'request'>;

/** Addresses that are known to have brought nothing, so that nothing else need be said of them; with all that led to them. */
export function absentAddresses(events: readonly LogEvent[]): ReadonlySet<string> {
  const absent = waysOf(eventsOf(events, 'request')).filter(
    ({ last }) => isMissing(last) || gaveUp(last.detail) || last.detail.blocked !== undefined,
  );
  return new Set(absent.flatMap(({ way }) => way));
}

/** An answer that says so is missing, even where Chromium threw it away, for it was no image or style sheet (ORB, CORS). */
export function isMissing({ detail }: Request): boolean {
  if (isErrorStatus(detail)) return true;
  if (detail.blocked !== undefined || gaveUp(detail) || noFault.test(detail.failed ?? '')) return false;
  return detail.failed !== undefined;
}

export function isErrorStatus({ status = 0 }: RequestDetail): boolean {
  return status >= 400;
}

/** The page itself had no use for it any more, or it came too late. */
const noFault = /^(called off|was still on its way)$/;
const late = /^was still on its way$/;

export function isLate(request: Request): boolean {
  return late.test(request.detail.failed ?? '') && !isErrorStatus(request.detail);
}

/** The document that is converted, at the end of its redirects. */
export function pageOf(requests: readonly Request[]): Request | undefined {
  const first = requests.find(isDocument);
  if (first === undefined) return undefined;
  return waysOf(requests.filter(isDocument)).findLast(({ way }) => way[0] === first.text)?.last;
}

export function isDocument({ detail: { type = '' } }: Request): boolean {
  return documentTypes.has(type);
}

/** As DevTools and as webRequest name it. */
const documentTypes: ReadonlySet<string> = new Set(['Document', 'mainFrame']);
