/** Follows redirects from request to request, to find those that lead nowhere. */
import type { EventOf } from '../select-events.ts';
import { address, figure } from './phrases.ts';

/** A way of redirects that no page makes on purpose; Chromium itself gives up after 20 (Fetch, 4.4). */
const tooMany = 10;
const mostKept = 25;

/** Each loop as a sentence about the way it took. */
export function redirectLoops(requests: readonly EventOf<'request'>[]): string[] {
  const ways = new Map<string, string[]>();
  const loops = new Set<string[]>();
  for (const { text, detail } of requests) {
    const way = ways.get(text) ?? [text];
    if (gaveUp(detail)) loops.add(way);
    if (detail.redirected === undefined) continue;
    ways.delete(text);
    if (way.length < mostKept) way.push(detail.redirected);
    if (way.length > tooMany) loops.add(way);
    ways.set(detail.redirected, way);
  }
  return [...loops].map(described);
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
