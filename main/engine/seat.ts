/**
 * Where a window sits: a session in memory, its filtering proxy, and what serves and watches its requests. Electron never
 * frees a session, so seats outlive windows: a new window takes a free seat, and there are never more than were needed at once.
 */
import { randomUUID } from 'node:crypto';
import { app, session as sessions, type Session } from 'electron';
import type { ServiceLog } from '../log/service-log.ts';
import type { Guard } from '../network/proxy.ts';
import { openJobDocument, type JobDocument } from './job-document.ts';
import { watchRequests, type Requests } from './requests.ts';
import { usualIdentity, type Runtime } from './user-agent.ts';

export interface Seat {
  readonly session: Session;
  readonly guard: Guard;
  readonly document: JobDocument;
  readonly requests: Requests;
  readonly journal: Journal;
}

/** Where to tell what happens on a seat: with the job's id while it is a job's, and while it is cleaned after it. */
export interface Journal {
  log: ServiceLog;
}

interface SeatParts extends Pick<Seat, 'guard' | 'journal'> {
  /** How many a job may make; undefined: any number. */
  readonly mostRequests: number | undefined;
}

/** Opens a seat behind a guard of its own. What no session is granted is the application's (app/hardening.ts). */
export async function openSeat({ guard, journal, mostRequests }: SeatParts): Promise<Seat> {
  // A name without "persist:" keeps the session in memory.
  const session = sessions.fromPartition(`seat-${randomUUID()}`, { cache: true });
  // "<-loopback>": without it Chromium goes past the proxy for loopback names.
  await session.setProxy({
    proxyRules: `http://127.0.0.1:${guard.port}`,
    proxyBypassRules: '<-loopback>',
  });
  const { userAgent, languages } = usualIdentity(runtime());
  session.setUserAgent(userAgent, languages);
  const document = openJobDocument(session);
  const requests = watchRequests(session, { document, most: mostRequests });
  return { session, guard, document, requests, journal };
}

/** The way to any address, loopback ones too, as Chromium would write it for a proxy script. */
export async function proxyOf({ session }: Seat): Promise<string> {
  return session.resolveProxy('http://127.0.0.1/');
}

/** What this Electron calls itself. */
export function runtime(): Runtime {
  return { userAgent: app.userAgentFallback, chrome: process.versions.chrome };
}

/**
 * The requests of a job that is over: those a page has asked to be kept alive outlive it, wait for one another, and their
 * answers could set a cookie in the next job. @throws Error when they do not end
 */
export async function endRequests({ guard, requests }: Seat): Promise<void> {
  guard.shut();
  await requests.drained();
}

/** What scripts may have stored. */
export async function wipeStorage({ session }: Seat): Promise<void> {
  await session.clearStorageData();
}

/** What the network has left: connections, caches, passwords, TLS sessions; HSTS never comes in (lasting-headers.ts). */
export async function wipeNetwork({ session, guard }: Seat): Promise<void> {
  guard.reset();
  await Promise.all([
    // Not clearCache, which leaves what other sites have allowed (Fetch, 4.9: the CORS-preflight cache).
    session.clearData({ dataTypes: ['cache'] }),
    session.clearAuthCache(),
    session.closeAllConnections(),
  ]);
  forgetTlsSessions(session);
  await session.clearHostResolverCache();
}

/**
 * A server could tell by a resumed session (RFC 8446, 2.2) that two jobs are of one service. Chromium forgets them when its
 * TLS settings change, and Electron has no other call for it: so one cipher suite nobody uses goes, and comes back.
 */
function forgetTlsSessions(session: Session): void {
  const ecdsaWithAes256CbcSha = 0xc00a;
  session.setSSLConfig({ disabledCipherSuites: [ecdsaWithAes256CbcSha] });
  session.setSSLConfig({ disabledCipherSuites: [] });
}
