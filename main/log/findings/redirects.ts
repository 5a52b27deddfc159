/** Follows redirects from request to request, to find those that lead nowhere. */
import type { EventOf } from '../select-events.ts';
import { address, figure } from './phrases.ts';

/** A way of redirects that no page makes on purpose; Chromium itself gives up after 20 (Fetch, 4.4). */
const tooMany = 10;
const mostKept = 25;

interface Way {
  /** Addresses from the first on, of a long way the first ones. */
  readonly way: readonly string[];
  /** The request it ends with, as far as the log goes. */
  readonly last: EventOf<'request'>;
}

/** Each request with those it was redirected by; most are ways of one address. */
export function waysOf(requests: readonly EventOf<'request'>[]): Way[] {
  const open = new Map<string, Way & { readonly way: string[] }>();
  const over: Way[] = [];
  for (const last of requests) {
    const way = open.get(last.text)?.way ?? [last.text];
    open.delete(last.text);
    const { redirected } = last.detail;
    if (redirected === undefined) over.push({ way, last });
    else {
      if (way.length < mostKept) way.push(redirected);
      open.set(redirected, { way, last });
    }
  }
  return [...over, ...open.values()];
}

/** Each loop as a sentence about the way it took. */
export function redirectLoops(requests: readonly EventOf<'request'>[]): string[] {
  const loops = waysOf(requests).filter(({ way, last }) => gaveUp(last.detail) || way.length > tooMany);
  return loops.map(({ way }) => described(way));
}

/** Whether a request failed because it was sent on and on. */
export function gaveUp({ failed }: EventOf<'request'>['detail']): boolean {
  return failed !== undefined && /redirect/i.test(failed);
}

function described(way: readonly string[]): string {
  const [first = ''] = way;
  const again = way.indexOf(first, 1);
  if (again > 0)
    return `${way
      .slice(0, again + 1)
      .map(address)
      .join(' → ')}, and so on without end`;
  if (way.length === 1) return `${address(first)} is redirected again and again`;
  return `${way.slice(0, 4).map(address).join(' → ')} → … (${figure(way.length - 1)} redirects)`;
}
