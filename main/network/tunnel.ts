/** Opens one CONNECT tunnel (RFC 9110, 9.3.6) for https, wss or ws. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TunnelEnds, TunnelWrapper } from './client-identity.ts';
import { targetOfAuthority, type HostAndPort } from './host-name.ts';
import type { Route } from './route.ts';
import { closeSignal, ExceededError, RefusedError, type Traffic } from './traffic.ts';

interface ConnectRequest {
  /** The target as `host:port`, from the CONNECT request. */
  readonly authority: string;
  readonly browser: Duplex;
  /** Bytes that the browser sent before the response. */
  readonly head: Buffer;
}

interface TunnelContext {
  readonly route: Route;
  readonly traffic: Traffic;
  /** Wraps both ends before bytes are relayed; undefined to relay the bytes unchanged. */
  readonly wrapEnds?: TunnelWrapper | undefined;
}

/** Opens the tunnel and relays bytes until one side closes. If the tunnel cannot be opened, responds with a status and no body. */
export async function openTunnel(
  { authority, browser, head }: ConnectRequest,
  context: TunnelContext,
): Promise<void> {
  const { wrapEnds, traffic } = context;
  const target = targetOfAuthority(authority);
  if (!target) {
    respondAndClose(browser, 400);
    return;
  }
  const server = await connect(target, browser, context).catch((error: unknown) => {
    respondAndClose(browser, statusOf(error));
  });
  if (server === undefined) return;
  browser.write('HTTP/1.1 200 Connection established\r\n\r\n');
  if (head.length > 0) browser.unshift(head);
  try {
    const ends = { browser, server, target };
    const wrapped = (await wrapEnds?.(ends)) ?? ends;
    // Counts the bytes of the TCP socket, below any TLS layer.
    for (const end of [wrapped.browser, wrapped.server])
      end.prependListener('data', () => {
        traffic.countBytes(server);
      });
    relay(wrapped);
  } catch {
    server.destroy();
    endGracefully(browser, badCertificateAlert);
  }
}

async function connect(
  target: HostAndPort,
  browser: Duplex,
  { route, traffic }: TunnelContext,
): Promise<Socket> {
  traffic.countRequest();
  return route.connect(target, closeSignal(browser));
}

/** The TLS alert `bad_certificate` (RFC 8446, 6.2). With it, the browser reports a TLS error instead of a network error. */
const badCertificateAlert = Buffer.from([0x15, 3, 3, 0, 2, 2, 42]);

function relay({ browser, server }: Pick<TunnelEnds, 'browser' | 'server'>): void {
  browser.pipe(server).pipe(browser);
  server.once('close', () => {
    endGracefully(browser);
  });
  browser.once('close', () => server.destroy());
  if (browser.destroyed) server.destroy();
}

/** Returns 403 for a refusal or an exceeded limit, 504 for a timeout, and 502 for other errors such as an unknown name. */
function statusOf(error: unknown): 403 | 502 | 504 {
  if (error instanceof RefusedError || error instanceof ExceededError) return 403;
  return error instanceof Error && 'code' in error && error.code === 'ETIMEDOUT' ? 504 : 502;
}

function respondAndClose(browser: Duplex, status: number): void {
  const reason = STATUS_CODES[status] ?? '';
  endGracefully(browser, `HTTP/1.1 ${status} ${reason}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}

/**
 * Sends the last bytes, then ends the connection; destroying it could discard them. Keeps reading to notice when the browser
 * closes the connection.
 */
function endGracefully(browser: Duplex, lastBytes: string | Buffer = ''): void {
  browser.end(lastBytes);
  browser.resume();
}
