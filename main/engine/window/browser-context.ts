/**
 * A window's browser context: an in-memory session, its filtering proxy, and the handlers of its requests. Electron
 * never frees a session, so contexts outlive windows and are reused.
 */
import { randomUUID } from 'node:crypto';
import { app, session as sessions, type Session } from 'electron';
import type { ServiceLog } from '../../log/service-log.ts';
import type { Run } from '../../job/job.ts';
import type { Guard, TrafficLimit } from '../../network/proxy.ts';
import { openJobDocument, type JobDocument } from '../requests/job-document.ts';
import { RequestTracker } from '../requests/request-tracker.ts';
import { defaultIdentity, type ChromiumInfo } from '../devtools/user-agent.ts';

export interface BrowserContext {
  readonly session: Session;
  readonly guard: Guard;
  readonly document: JobDocument;
  readonly requests: RequestTracker;
  readonly logTarget: LogTarget;
}

/**
 * The log that a context writes to. It includes the job's id while a job uses the context, and while the context is cleaned after
 * the job.
 */
interface LogTarget {
  log: ServiceLog;
}

interface BrowserContextOptions extends Pick<BrowserContext, 'guard' | 'logTarget'> {
  /** Maximum number of requests of a job; undefined for no limit. */
  readonly maxRequests: number | undefined;
}

/**
 * Opens a context whose requests pass through the network guard. Permissions are denied for all sessions in
 * app/process/hardening.ts.
 */
export async function openBrowserContext({
  guard,
  logTarget,
  maxRequests,
}: BrowserContextOptions): Promise<BrowserContext> {
  // A name without "persist:" keeps the session in memory.
  const session = sessions.fromPartition(`context-${randomUUID()}`, { cache: true });
  // Without "<-loopback>" Chromium bypasses the proxy for loopback names.
  await session.setProxy({
    proxyRules: `http://127.0.0.1:${guard.port}`,
    proxyBypassRules: '<-loopback>',
  });
  const { userAgent, languages } = defaultIdentity(chromiumInfo());
  session.setUserAgent(userAgent, languages);
  const document = openJobDocument(session);
  const requests = new RequestTracker(session, { document, maxRequests });
  return { session, guard, document, requests, logTarget };
}

/** Returns the proxy that Chromium uses for all addresses, even loopback, in PAC format (`PROXY host:port`). */
export async function proxyOf({ session }: BrowserContext): Promise<string> {
  return session.resolveProxy('http://127.0.0.1/');
}

/** Returns the user agent and Chromium version of this Electron. */
export function chromiumInfo(): ChromiumInfo {
  return { userAgent: app.userAgentFallback, chrome: process.versions.chrome };
}

/**
 * Makes the network guard accept no further connections, and waits until the requests of a finished job have ended. Requests with
 * keepalive outlive their page, and their responses could set a cookie in the next job.
 * @throws Error if requests are still pending after three seconds
 */
export async function endRequests({ guard, requests }: BrowserContext): Promise<void> {
  guard.stopAccepting();
  await requests.waitUntilDrained();
}

/** Clears cookies and storage (web storage, IndexedDB, caches, service workers), whether scripts or responses set them. */
export async function clearStorage({ session }: BrowserContext): Promise<void> {
  await session.clearStorageData();
}

/**
 * Clears connections, caches, HTTP credentials, TLS sessions and resolved host names. HSTS is never stored, because
 * request-tracker.ts removes its header.
 */
export async function clearNetworkState({ session, guard }: BrowserContext): Promise<void> {
  guard.reset();
  await Promise.all([
    // Not clearCache, which keeps the CORS-preflight cache (Fetch, 4.9).
    session.clearData({ dataTypes: ['cache'] }),
    session.clearAuthCache(),
    session.closeAllConnections(),
  ]);
  forgetTlsSessions(session);
  await session.clearHostResolverCache();
}

/**
 * Clears TLS sessions, because a resumed session (RFC 8446, 2.2) reveals to a server that two jobs come from the same service.
 * Electron has no method for this, but Chromium clears them when its TLS settings change. Therefore this function disables an
 * unused cipher suite and enables it again.
 */
function forgetTlsSessions(session: Session): void {
  const ecdsaWithAes256CbcSha = 0xc00a;
  session.setSSLConfig({ disabledCipherSuites: [ecdsaWithAes256CbcSha] });
  session.setSSLConfig({ disabledCipherSuites: [] });
}

/** Returns which of the operator's limits (page-requests, page-size) the job's page has reached. */
export function limitsReached({
  guard,
  requests,
}: Pick<BrowserContext, 'guard' | 'requests'>): readonly TrafficLimit[] {
  return [
    ...new Set([...(requests.isLimitExceeded() ? (['page-requests'] as const) : []), ...guard.exceeded()]),
  ];
}

/**
 * Writes the limits that the page has reached, and a denial by the operating system, to the job's log and to the service log. The
 * denial is the same for all addresses, so it reveals nothing about the network.
 */
export function logNetworkProblems(context: BrowserContext, { log }: Run): void {
  const limits = limitsReached(context);
  for (const limit of limits)
    log.note(`${limitMessages[limit]} Content is missing from the output.`, {
      code: 'blocked-resource',
    });
  if (limits.length > 0) context.logTarget.log.warn({ limits }, 'a page reached its loading limits');
  if (!context.guard.isLocalNetworkDenied()) return;
  log.note(localNetworkDenied, { code: 'blocked-resource' });
  context.logTarget.log.error({ code: 'EHOSTUNREACH' }, localNetworkDenied);
}

/** Returns the message for a page, or for the file of an option, that reached the operator's limits. */
export function limitMessage(subject: string): string {
  return `${subject} was not fully loaded: it reached the operator's limit page-requests or page-size.`;
}

const localNetworkDenied =
  'macOS denies Platen the local network, so nothing was loaded from there; allow Platen in System Settings > Privacy & Security > Local Network.';

const limitMessages: Readonly<Record<TrafficLimit, string>> = {
  'page-requests':
    "The page made more requests than the operator's page-requests allows; further requests were refused.",
  'page-size': "The page loaded more than the operator's page-size allows; the rest was cut off.",
};
