/** Tracks the requests of one job: which are open, which are logged, and why some were refused. */
import type { DebugLog } from '../../../log/debug-log.ts';
import type { Refusal } from '../../../network/proxy.ts';
import {
  seenRequestEvent,
  requestEvent,
  type End,
  type EventTerms,
  type SeenRequest,
  type OpenRequest,
} from './request-event.ts';

export interface RecordedJob extends Omit<EventTerms, 'now'> {
  readonly log: DebugLog;
  /** Returns the requests that the network guard has refused so far. */
  readonly refusals: () => readonly Refusal[];
  /** Whether the page has exceeded its request limit, so that further requests are refused. */
  readonly exceeded: () => boolean;
}

export interface Book {
  readonly job: RecordedJob;
  /** By the protocol's request id. */
  readonly open: Map<string, OpenRequest>;
  /** By address: how often a request was logged. */
  readonly written: Map<string, number>;
  /** By address: the requests that webRequest saw end. */
  readonly heard: Map<string, SeenRequest[]>;
  /** By address: ids of requests that have ended and wait for webRequest's report. */
  readonly unheard: Map<string, Set<string>>;
  /** How many more requests are recorded: a page may send requests forever. */
  left: number;
  /** `host:port` of each refusal that is logged with a request. */
  readonly explained: Set<string>;
}

const maxRequests = 10_000;

export function newBook(job: RecordedJob): Book {
  return {
    job,
    open: new Map(),
    written: new Map(),
    heard: new Map(),
    unheard: new Map(),
    left: maxRequests,
    explained: new Set(),
  };
}

/** Adds a request that webRequest saw end. Redirects are skipped: if the protocol reports a request, it also reports all its redirects. */
export function addSeenRequest(book: Book, url: string, one: SeenRequest): void {
  if (one.event.detail.redirected !== undefined) return;
  const key = withoutFragment(url);
  const { heard, open, unheard } = book;
  if (!heard.has(key) && heard.size >= maxRequests) return;
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
 * Logs a request that has ended, or waits for webRequest's report if the response is unknown. The protocol does not report the response of
 * a worker's own script, nor one that Chromium discarded because of its type (an HTML page in place of a missing image).
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

/** Logs a request that has ended. */
export function close(book: Book, id: string, end: End): void {
  const { job, open, written, heard } = book;
  const request = open.get(id);
  if (request === undefined) return;
  open.delete(id);
  const key = withoutFragment(request.url);
  const before = written.get(key) ?? 0;
  written.set(key, before + 1);
  const { secretHeader, home, log } = job;
  const seen = heard.get(key)?.[before];
  // One note covers all requests beyond the limit (limits-reached.ts).
  if (seen === undefined && isBeyondLimit(job, request, end)) return;
  const failed =
    end.problem !== undefined || (end.at === undefined && seen?.event.detail.failed !== undefined);
  const blocked = failed && request.response === undefined ? refusedBy(book, request.url) : undefined;
  log.write(requestEvent(request, { ...end, blocked, heard: seen }, { secretHeader, home, now: log.now }));
}

/** These are the only requests that webRequest refuses without reporting them. */
function isBeyondLimit({ exceeded }: RecordedJob, { response }: OpenRequest, { problem }: End): boolean {
  return response === undefined && problem?.error.includes('BLOCKED_BY_CLIENT') === true && exceeded();
}

const byPolicy = 'by the network policy';

/** Returns why a request was refused, by a rule of the job that webRequest reported or by the guard; undefined if it was not refused. */
function refusedBy({ job, heard, explained }: Book, url: string): string | undefined {
  const byRule = heard.get(withoutFragment(url))?.find(({ event }) => event.detail.blocked !== undefined);
  if (byRule !== undefined) return byRule.event.detail.blocked;
  const host = hostKeyOf(url);
  if (host === undefined || !job.refusals().some((refusal) => keyOf(refusal) === host)) return undefined;
  explained.add(host);
  return byPolicy;
}

/** Logs the requests that are still open, those that only webRequest reported, and refusals without a request. */
export function writeRest(book: Book): void {
  const { job, open, heard, written, explained } = book;
  for (const [id, { type = '', ended }] of [...open]) {
    const endless = /^(EventSource|Media|WebSocket|Ping)$/.test(type);
    close(book, id, ended ?? (endless ? {} : { underWay: true }));
  }
  for (const [key, events] of heard)
    for (const one of events.slice(written.get(key) ?? 0)) {
      const blocked = one.event.detail.failed === undefined ? undefined : refusedBy(book, key);
      job.log.write(seenRequestEvent(one, blocked, job.secretHeader));
    }
  const refusedHosts = new Set(job.refusals().map(keyOf));
  for (const host of refusedHosts)
    if (!explained.has(host)) job.log.write({ kind: 'request', text: host, detail: { blocked: byPolicy } });
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? url;
}

function hostKeyOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, port } = new URL(url);
  const defaultPort = /^(https|wss):$/.test(protocol) ? 443 : 80;
  return keyOf({ host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? defaultPort : Number(port) });
}

function keyOf({ host, port }: Pick<Refusal, 'host' | 'port'>): string {
  return `${host.toLowerCase()}:${port}`;
}
