/**
 * The one owner of webRequest in a session: Electron keeps only the last listener of each event. It counts what is under
 * way, writes requests to the debug log, and cancels what has no business here. Which hosts may be reached is the
 * network guard's decision, below the browser.
 */
import type { Session } from 'electron';
import { withoutCredentials } from '../log/masking.ts';
import type { DebugLog, NewEvent } from '../log/debug-log.ts';

export interface Requests {
  /** Requests under way that a page may be waiting for; event streams and sockets never end, so they do not count. */
  readonly underWay: () => number;
  /** True once anything left for the network since `begin`. */
  readonly touchedNetwork: () => boolean;
  /** Addresses under way, for the log. */
  readonly pending: () => readonly string[];
  readonly begin: (log: DebugLog) => void;
  /** Events after this belong to no job. */
  readonly end: () => void;
}

const allowedSchemes = /^(https?|wss?|platen|data|blob|about):/;
const network = /^(https?|wss?):/;
const endless = new Set(['webSocket', 'ping']);

/** What is known of a session's requests since the job began. */
interface Traffic {
  readonly open: Map<number, { readonly url: string; readonly began: number; readonly endless: boolean }>;
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
    underWay: () => awaited(traffic).length,
    touchedNetwork: () => traffic.touched,
    pending: () => awaited(traffic).map(({ url }) => shown(url)),
    begin(log) {
      traffic.open.clear();
      traffic.touched = false;
      traffic.log = log;
    },
    end() {
      traffic.log = undefined;
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
    // The raw error of the page's own address would make the log a port scanner.
    ends(traffic, details, { failed: details.resourceType === 'mainFrame' ? 'not loaded' : details.error });
  });
}

/** False for what is never loaded. */
function begins(traffic: Traffic, { id, url, resourceType }: Facts): boolean {
  if (!allowedSchemes.test(url)) {
    write(traffic, url, { detail: { blocked: 'this scheme is never loaded' } });
    return false;
  }
  traffic.touched ||= network.test(url);
  traffic.open.set(id, { url, began: performance.now(), endless: endless.has(resourceType) });
  return true;
}

function ends(
  traffic: Traffic,
  { id, url, resourceType: type }: Facts,
  outcome: Record<string, string | number>,
): void {
  const request = traffic.open.get(id);
  // Of an earlier job.
  if (request === undefined) return;
  traffic.open.delete(id);
  write(traffic, url, { took: Math.round(performance.now() - request.began), detail: { type, ...outcome } });
}

function awaited({ open }: Traffic) {
  return [...open.values()].filter(({ endless: never }) => !never);
}

function write({ log }: Traffic, url: string, event: Pick<NewEvent, 'took' | 'detail'>): void {
  if (log?.recorded === true) log.write({ kind: 'request', text: shown(url), ...event });
}

/** Without credentials and at a readable length. */
function shown(url: string): string {
  const clean = withoutCredentials(url);
  return clean.length > 300 ? `${clean.slice(0, 297)}...` : clean;
}
