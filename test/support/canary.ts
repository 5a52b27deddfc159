/** A server on every address of this machine that no conversion may ever reach, and what reached it all the same. */
import { createSocket } from 'node:dgram';
import type { Certificates } from './certificates.ts';
import { serveAnyProtocol } from './any-protocol.ts';

export interface Canary extends AsyncDisposable {
  /** The same for TCP and UDP. */
  readonly port: number;
  /** What arrived, in words: protocol, sender and first bytes. Empty as long as all is well. */
  readonly touches: readonly string[];
}

/** What the canary answers with: nowhere in an output, unless a page got hold of it. */
export const canarySong = 'sung-by-the-canary';

/** On any free port, or on a certain one; rejects (EADDRINUSE, EACCES) where that cannot be had. */
export async function openCanary(certificate: Certificates['server'], port = 0): Promise<Canary> {
  const touches: string[] = [];
  const tcp = await serveAnyProtocol(
    {
      connected: ({ remoteAddress }) => touches.push(`TCP from ${String(remoteAddress)}`),
      heard: (_socket, first) => touches.push(`TCP: ${beginning(first)}`),
      answer(request, response) {
        touches.push(`HTTP: ${String(request.method)} ${String(request.url)}`);
        const headers = { 'content-type': 'text/html', 'access-control-allow-origin': '*' };
        response.writeHead(200, headers).end(canarySong);
      },
      upgrade(request, socket) {
        touches.push(`WebSocket: ${String(request.url)}`);
        socket.on('error', () => undefined).end();
      },
    },
    certificate,
    port,
  );
  const udp = await listenToUdp(tcp.port, (heard) => touches.push(heard)).catch(async (error: unknown) => {
    await tcp[Symbol.asyncDispose]();
    throw error;
  });
  return {
    port: tcp.port,
    touches,
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
