/** A server on all addresses of this machine that no conversion may reach, and a record of what reached it. */
import { createSocket } from 'node:dgram';
import type { Certificates } from './certificates.ts';
import { serveAnyProtocol } from './any-protocol.ts';

export interface Canary extends AsyncDisposable {
  /** The port number, the same for TCP and UDP. */
  readonly port: number;
  /** Protocol, sender and first bytes of each arrival. Empty in a test that passes. */
  readonly contacts: readonly string[];
}

/** The response of the canary; it appears in an output only if a page reached it. */
export const canaryText = 'sung-by-the-canary';

/** Listens on a free port or on the given one; rejects (EADDRINUSE, EACCES) if it cannot. */
export async function openCanary(certificate: Certificates['server'], port = 0): Promise<Canary> {
  const contacts: string[] = [];
  const tcp = await serveAnyProtocol(
    {
      onConnection: ({ remoteAddress }) => contacts.push(`TCP from ${String(remoteAddress)}`),
      onFirstBytes: (_socket, first) => contacts.push(`TCP: ${beginning(first)}`),
      onRequest(request, response) {
        contacts.push(`HTTP: ${String(request.method)} ${String(request.url)}`);
        const headers = { 'content-type': 'text/html', 'access-control-allow-origin': '*' };
        response.writeHead(200, headers).end(canaryText);
      },
      onUpgrade(request, socket) {
        contacts.push(`WebSocket: ${String(request.url)}`);
        socket.on('error', () => undefined).end();
      },
    },
    certificate,
    port,
  );
  const udp = await listenToUdp(tcp.port, (touch) => contacts.push(touch)).catch(async (error: unknown) => {
    await tcp[Symbol.asyncDispose]();
    throw error;
  });
  return {
    port: tcp.port,
    contacts,
    async [Symbol.asyncDispose]() {
      await Promise.all([tcp[Symbol.asyncDispose](), udp[Symbol.asyncDispose]()]);
    },
  };
}

async function listenToUdp(port: number, touched: (what: string) => void): Promise<AsyncDisposable> {
  const socket = createSocket({ type: 'udp6' });
  socket.on('message', (bytes, { address }) => {
    touched(`UDP from ${address}: ${beginning(bytes)}`);
  });
  await new Promise<void>((resolve, reject) => socket.on('error', reject).bind(port, '::', resolve));
  return {
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) =>
        socket.close(() => {
          resolve();
        }),
      ),
  };
}

function beginning(bytes: Buffer): string {
  return JSON.stringify(bytes.subarray(0, 80).toString('latin1'));
}
