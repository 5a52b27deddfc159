/** Tracks the requests of one job: which are pending, which are logged, and why some were refused. */
import type { DebugLog } from '../../../log/debug-log.ts';
import { blockedByNetworkPolicy } from '../../../log/events.ts';
import type { GuardRefusal } from '../../../network/proxy.ts';
import {
  reportedRequestEvent,
  requestEvent,
  type RequestEnd,
  type EventContext,
  type WebRequestReport,
  type ProtocolRequest,
} from './request-event.ts';

export interface RecordedJob extends Omit<EventContext, 'now'> {
  readonly log: DebugLog;
  /** Returns the requests that the network guard has refused so far. */
  readonly refusals: () => readonly GuardRefusal[];
  /** Returns whether the page has exceeded its request limit, so that further requests are refused. */
  readonly isLimitExceeded: () => boolean;
}

export interface JobRequests {
  readonly job: RecordedJob;
  /** The pending requests, by the protocol's request id. */
  readonly pending: Map<string, ProtocolRequest>;
  /** By address: the number of logged requests. */
  readonly logged: Map<string, number>;
  /** By address: the finished requests that webRequest reported. */
  readonly reported: Map<string, WebRequestReport[]>;
  /** By address: ids of requests that have ended and wait for webRequest's report. */
  readonly awaitingReport: Map<string, Set<string>>;
  /** Number of further requests to record, limited because a page may send requests forever. */
  remaining: number;
  /** `host:port` of the network guard's refusals that were logged with a request. */
  readonly loggedRefusals: Set<string>;
}

const maxRequests = 10_000;

export function newJobRequests(job: RecordedJob): JobRequests {
  return {
    job,
    pending: new Map(),
    logged: new Map(),
    reported: new Map(),
    awaitingReport: new Map(),
    remaining: maxRequests,
    loggedRefusals: new Set(),
  };
}

/**
 * Adds a finished request that webRequest reported. Redirects are skipped: if the protocol reports a request, it also reports all
 * its redirects.
 */
export function addReportedRequest(requests: JobRequests, url: string, seenRequest: WebRequestReport): void {
  if (seenRequest.event.detail.redirected !== undefined) return;
  const key = withoutFragment(url);
  const { reported, pending, awaitingReport } = requests;
  if (!reported.has(key) && reported.size >= maxRequests) return;
  const events = reported.get(key);
  if (events === undefined) reported.set(key, [seenRequest]);
  else events.push(seenRequest);
  for (const id of awaitingReport.get(key) ?? []) {
    const ended = pending.get(id)?.end;
    if (ended !== undefined) logEndedRequest(requests, id, ended);
  }
  awaitingReport.delete(key);
}

/**
 * Logs a request that has ended. If the response is unknown, first waits for webRequest's report. The protocol does not report the
 * response to the request for a worker's own script, nor one that Chromium discarded because of its type (an HTML page in place of
 * a missing image).
 */
export function endRequest(requests: JobRequests, id: string, end: RequestEnd): void {
  const request = requests.pending.get(id);
  if (request === undefined) return;
  const key = withoutFragment(request.url);
  const isKnown =
    request.response !== undefined ||
    (requests.reported.get(key)?.length ?? 0) > (requests.logged.get(key) ?? 0);
  if (isKnown) logEndedRequest(requests, id, end);
  else {
    request.end = end;
    requests.awaitingReport.set(key, (requests.awaitingReport.get(key) ?? new Set()).add(id));
  }
}

/** Logs a request that has ended. */
export function logEndedRequest(requests: JobRequests, id: string, end: RequestEnd): void {
  const { job, pending, logged, reported: seenByAddress } = requests;
  const request = pending.get(id);
  if (request === undefined) return;
  pending.delete(id);
  const key = withoutFragment(request.url);
  const loggedBefore = logged.get(key) ?? 0;
  logged.set(key, loggedBefore + 1);
  const { secretHeader, jobFilesSource, log } = job;
  const report = seenByAddress.get(key)?.[loggedBefore];
  // One note covers all requests beyond the limit (lease.ts).
  if (report === undefined && isBeyondLimit(job, request, end)) return;
  const failed =
    end.problem !== undefined || (end.endedAt === undefined && report?.event.detail.failed !== undefined);
  const blocked = failed && request.response === undefined ? refusedBy(requests, request.url) : undefined;
  log.write(
    requestEvent(request, { ...end, blocked, report }, { secretHeader, jobFilesSource, now: log.now }),
  );
}

/** Returns whether the request exceeded the page's request limit. Only such requests are refused without a report by webRequest. */
function isBeyondLimit(
  { isLimitExceeded }: RecordedJob,
  { response }: ProtocolRequest,
  { problem }: RequestEnd,
): boolean {
  return response === undefined && problem?.error.includes('BLOCKED_BY_CLIENT') === true && isLimitExceeded();
}

/**
 * Returns why a request was refused, by a rule of the job that webRequest reported or by the network guard; undefined if it was not
 * refused.
 */
function refusedBy({ job, reported, loggedRefusals }: JobRequests, url: string): string | undefined {
  const byRule = reported.get(withoutFragment(url))?.find(({ event }) => event.detail.blocked !== undefined);
  if (byRule !== undefined) return byRule.event.detail.blocked;
  const key = hostKeyOf(url);
  if (key === undefined || !job.refusals().some((refusal) => keyOf(refusal) === key)) return undefined;
  loggedRefusals.add(key);
  return blockedByNetworkPolicy;
}

/** Logs the requests that are still pending, those that only webRequest reported, and refusals without a request. */
export function logRemaining(requests: JobRequests): void {
  const { job, pending, reported, logged, loggedRefusals } = requests;
  for (const [id, { type = '', end }] of [...pending]) {
    const endless = /^(EventSource|Media|WebSocket|Ping)$/.test(type);
    logEndedRequest(requests, id, end ?? (endless ? {} : { isPending: true }));
  }
  for (const [key, events] of reported)
    for (const seenRequest of events.slice(logged.get(key) ?? 0)) {
      const blocked = seenRequest.event.detail.failed === undefined ? undefined : refusedBy(requests, key);
      job.log.write(reportedRequestEvent(seenRequest, blocked, job.secretHeader));
    }
  const refusedHosts = new Set(job.refusals().map(keyOf));
  for (const host of refusedHosts)
    if (!loggedRefusals.has(host))
      job.log.write({ kind: 'request', text: host, detail: { blocked: blockedByNetworkPolicy } });
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

function keyOf({ host, port }: Pick<GuardRefusal, 'host' | 'port'>): string {
  return `${host.toLowerCase()}:${port}`;
}
