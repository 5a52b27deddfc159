/**
 * The one owner of webRequest in a session: Electron keeps only the last listener of each event. It counts what is under
 * way, writes requests to the debug log, and cancels what has no business here. Which hosts may be reached is the
 * network guard's decision, below the browser.
 */
import type { Session } from 'electron';
import type { DebugLog, NewEvent } from '../log/debug-log.ts';

export interface Requests {
  /** Requests under way that a page may be waiting for; event streams and sockets never end, so they do not count. */
  readonly underWay: () => number;
  /** True once anything left for the network since `begin`. */
  readonly touchedNetwork: () => boolean;
  /** Addresses under way, for the log. */
  readonly pending: () => readonly string[];
  readonly begin: (log: DebugLog) => void;
}

const allowedSchemes = /^(https?|wss?|platen|data|blob|about):/;
const network = /^(https?|wss?):/;
const endless = new Set(['webSocket', 'ping']);

/** What is known of a session's requests since the job began. */
interface Traffic {
  readonly open: Map<number, { readonly url: string; readonly began: number }>;
  log: DebugLog | undefined;
  touched: boolean;
}

interface Facts {
  readonly id: number;
  readonly url: string;
  readonly resourceType: string;
}

export function watchRequests(session: Session): Requests {
  const traffic: Traffic = { open: new Map(), log: undefined, touched: false };
  listenTo(session, traffic);
  return {
    underWay: () => traffic.open.size,
    touchedNetwork: () => traffic.touched,
    pending: () => [...traffic.open.values()].map(({ url }) => shown(url)),
    begin(log) {
      traffic.open.clear();
      traffic.touched = false;
      traffic.log = log;
    },
  };
}

function listenTo({ webRequest }: Session, traffic: Traffic): void {
  const all = { urls: ['<all_urls>'] };
  webRequest.onBeforeRequest(all, (details, answer) => {
    answer({ cancel: !begins(traffic, details) });
  });
  webRequest.onBeforeRedirect(all, ({ id, redirectURL }) => {
    const url = traffic.open.get(id)?.url;
    if (url !== undefined) write(traffic, url, { detail: { redirected: shown(redirectURL) } });
  });
  webRequest.onCompleted(all, (details) => {
    const { statusCode: status, fromCache } = details;
    ends(traffic, details, { status, ...(fromCache && { from: 'cache' }) });
  });
  webRequest.onErrorOccurred(all, (details) => {
    ends(traffic, details, { failed: details.error });
  });
}

/** False for what is never loaded. */
function begins(traffic: Traffic, { id, url, resourceType }: Facts): boolean {
  if (!allowedSchemes.test(url)) {
    write(traffic, url, { detail: { blocked: 'this scheme is never loaded' } });
    return false;
  }
  traffic.touched ||= network.test(url);
  if (!endless.has(resourceType)) traffic.open.set(id, { url, began: performance.now() });
  return true;
}

function ends(
  traffic: Traffic,
  { id, url, resourceType: type }: Facts,
  outcome: Record<string, string | number>,
): void {
  const began = traffic.open.get(id)?.began ?? performance.now();
  traffic.open.delete(id);
  write(traffic, url, { took: Math.round(performance.now() - began), detail: { type, ...outcome } });
}

function write({ log }: Traffic, url: string, event: Pick<NewEvent, 'took' | 'detail'>): void {
  if (log?.recorded === true) log.write({ kind: 'request', text: shown(url), ...event });
}

/** Without credentials and at a readable length. */
function shown(url: string): string {
  const clean = url.replace(/^([a-z]+:\/\/)[^/@]*@/i, '$1');
  return clean.length > 300 ? `${clean.slice(0, 297)}...` : clean;
}
