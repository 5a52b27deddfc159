/** Keeps account of the requests of one job: which are open, which are written, why some were refused. */
import type { DebugLog } from '../../log/debug-log.ts';
import type { Refusal } from '../../network/proxy.ts';
import {
  heardEvent,
  requestEvent,
  type End,
  type EventTerms,
  type Heard,
  type OpenRequest,
} from './request-event.ts';

export interface RecordedJob extends Omit<EventTerms, 'now'> {
  readonly log: DebugLog;
  /** What the network guard has refused so far. */
  readonly refusals: () => readonly Refusal[];
  /** Whether the page made more requests than it may, and further ones are refused. */
  readonly exceeded: () => boolean;
}

export interface Book {
  readonly job: RecordedJob;
  /** By the protocol's id. */
  readonly open: Map<string, OpenRequest>;
  /** By address: how often it was written, and what webRequest has heard of it. */
  readonly written: Map<string, number>;
  readonly heard: Map<string, Heard[]>;
  /** By address: requests that are over, and wait for what webRequest has heard. */
  readonly unheard: Map<string, Set<string>>;
  /** Of requests; a page may ask for ever, and a log has no room for it. */
  left: number;
  /** `host:port` of refusals that a request was written for. */
  readonly explained: Set<string>;
}

const mostRequests = 10_000;

export function newBook(job: RecordedJob): Book {
  const known = { open: new Map(), written: new Map(), heard: new Map(), unheard: new Map() };
  return { job, ...known, explained: new Set(), left: mostRequests };
}

/** Where the protocol tells of a request at all, it tells of all its redirects. */
export function hear(book: Book, url: string, one: Heard): void {
  if (one.event.detail.redirected !== undefined) return;
  const key = withoutFragment(url);
  const { heard, open, unheard } = book;
  if (!heard.has(key) && heard.size >= mostRequests) return;
  const events = heard.get(key);
  if (events === undefined) heard.set(key, [one]);
  else events.push(one);
  for (const id of unheard.get(key) ?? []) {
    const ended = open.get(id)?.ended;
    if (ended !== undefined) close(book, id, ended);
  }
  unheard.delete(key);
}

/**
 * A request is over. Of a worker's own script the protocol does not tell what the answer was, nor of one that was thrown away
 * because it is another thing than was asked for (a page that says that an image is missing).
 */
export function finish(book: Book, id: string, end: End): void {
  const request = book.open.get(id);
  if (request === undefined) return;
  const key = withoutFragment(request.url);
  const isKnown =
    request.response !== undefined || (book.heard.get(key)?.length ?? 0) > (book.written.get(key) ?? 0);
  if (isKnown) close(book, id, end);
  else {
    request.ended = end;
    book.unheard.set(key, (book.unheard.get(key) ?? new Set()).add(id));
  }
}

/** Writes a request that is over. */
export function close(book: Book, id: string, end: End): void {
  const { job, open, written, heard } = book;
  const request = open.get(id);
  if (request === undefined) return;
  open.delete(id);
  const key = withoutFragment(request.url);
  const before = written.get(key) ?? 0;
  written.set(key, before + 1);
  const { secretHeader, home, log } = job;
  const also = heard.get(key)?.[before];
  // A note tells of them once (limits-reached.ts).
  if (also === undefined && isBeyondLimit(job, request, end)) return;
  const failed =
    end.problem !== undefined || (end.at === undefined && also?.event.detail.failed !== undefined);
  const blocked = failed && request.response === undefined ? refusedBy(book, request.url) : undefined;
  const known = { ...end, blocked, heard: also };
  log.write(requestEvent(request, known, { secretHeader, home, now: log.now }));
}

/** Of what webRequest itself refuses, it hears of all but this. */
function isBeyondLimit({ exceeded }: RecordedJob, { response }: OpenRequest, { problem }: End): boolean {
  return response === undefined && problem?.error.includes('BLOCKED_BY_CLIENT') === true && exceeded();
}

const byPolicy = 'by the network policy';

/** By a rule of the job, as webRequest has heard, or by the guard. */
function refusedBy({ job, heard, explained }: Book, url: string): string | undefined {
  const byRule = heard.get(withoutFragment(url))?.find(({ event }) => event.detail.blocked !== undefined);
  if (byRule !== undefined) return byRule.event.detail.blocked;
  const place = placeOf(url);
  if (place === undefined || !job.refusals().some((refusal) => keyOf(refusal) === place)) return undefined;
  explained.add(place);
  return byPolicy;
}

/** Writes what is still open, what only webRequest has heard of, and refusals that belong to no request. */
export function writeRest(book: Book): void {
  const { job, open, heard, written, explained } = book;
  for (const [id, { type = '', ended }] of [...open]) {
    const endless = /^(EventSource|Media|WebSocket|Ping)$/.test(type);
    close(book, id, ended ?? (endless ? {} : { underWay: true }));
  }
  for (const [key, events] of heard)
    for (const one of events.slice(written.get(key) ?? 0)) {
      const blocked = one.event.detail.failed === undefined ? undefined : refusedBy(book, key);
      job.log.write(heardEvent(one, blocked, job.secretHeader));
    }
  const rest = new Set(job.refusals().map(keyOf));
  for (const place of rest)
    if (!explained.has(place)) job.log.write({ kind: 'request', text: place, detail: { blocked: byPolicy } });
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? url;
}

function placeOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, port } = new URL(url);
  const usual = /^(https|wss):$/.test(protocol) ? 443 : 80;
  return keyOf({ host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? usual : Number(port) });
}

function keyOf({ host, port }: Pick<Refusal, 'host' | 'port'>): string {
  return `${host.toLowerCase()}:${port}`;
}
