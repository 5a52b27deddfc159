/** Owns one CONNECT tunnel (RFC 9110, 9.3.6): https, wss and ws. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Between, Ends } from './client-identity.ts';
import { targetOfAuthority, type Target } from './host.ts';
import type { Route } from './route.ts';
import { ExceededError, RefusedError, type Traffic } from './traffic.ts';

export interface Asked {
  /** `host:port` as the browser wrote it. */
  readonly authority: string;
  readonly browser: Duplex;
  /** What the browser sent without waiting for the answer. */
  readonly head: Buffer;
}

interface Way {
  readonly route: Route;
  readonly traffic: Traffic;
  /** Stands between the two ends; undefined: bytes pass as they are. */
  readonly between?: Between | undefined;
}

/** Opens the tunnel and lets both sides talk until one is done. Whatever fails is answered with a status and no body. */
export async function tunnel({ authority, browser, head }: Asked, way: Way): Promise<void> {
  const { between, traffic } = way;
  const target = targetOfAuthority(authority);
  if (!target) {
    decline(browser, 400);
    return;
  }
  const server = await connect(target, way).catch((error: unknown) => {
    decline(browser, statusOf(error));
  });
  if (server === undefined) return;
  browser.write('HTTP/1.1 200 Connection established\r\n\r\n');
  if (head.length > 0) browser.unshift(head);
  try {
    const ends = { browser, server, target };
    const joined = (await between?.(ends)) ?? ends;
    // Whatever TLS is put over it, what goes over the network is counted below.
    for (const end of [joined.browser, joined.server])
      end.prependListener('data', () => {
        traffic.weigh(server);
      });
    join(joined);
  } catch {
    server.destroy();
    finish(browser, badCertificate);
  }
}

async function connect(target: Target, { route, traffic }: Way): Promise<Socket> {
  traffic.count();
  return route.connect(target);
}

/** A TLS alert (RFC 8446, 6.2): the browser shows an error of TLS, not of the network. */
const badCertificate = Buffer.from([0x15, 3, 3, 0, 2, 2, 42]);

function join({ browser, server }: Pick<Ends, 'browser' | 'server'>): void {
  browser.pipe(server).pipe(browser);
  server.once('close', () => {
    finish(browser);
  });
  browser.once('close', () => server.destroy());
  if (browser.destroyed) server.destroy();
}

/** 403 refused by the guard, or beyond a limit, 504 no answer in time, 502 everything else: no such name, connection refused, broken off. */
function statusOf(error: unknown): 403 | 502 | 504 {
  if (error instanceof RefusedError || error instanceof ExceededError) return 403;
  return error instanceof Error && 'code' in error && error.code === 'ETIMEDOUT' ? 504 : 502;
}

function decline(browser: Duplex, status: number): void {
  const reason = STATUS_CODES[status] ?? '';
  finish(browser, `HTTP/1.1 ${status} ${reason}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}

/** Lets the last bytes arrive: destroying now would reset the connection under them. Reads on, to see the browser's end. */
function finish(browser: Duplex, lastWords: string | Buffer = ''): void {
  browser.end(lastWords);
  browser.resume();
}
