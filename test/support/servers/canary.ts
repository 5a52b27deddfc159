/** A server on all addresses of this machine that no conversion may reach, with a record of everything that it receives. */
import { createSocket } from 'node:dgram';
import type { Certificates } from './certificates.ts';
import { serveAnyProtocol } from './any-protocol.ts';

export interface Canary extends AsyncDisposable {
  /** The port number, the same for TCP and UDP. */
  readonly port: number;
  /** The connections, first bytes, requests and datagrams received. Empty in a test that passes. */
  readonly contacts: readonly string[];
}

/** The body of the server's responses. An output contains it only if a page has reached the server. */
export const canaryText = 'sung-by-the-canary';

/** Listens on the given port (0: any free one) for TCP and UDP. @throws Error with code EADDRINUSE or EACCES */
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
