/** One port that serves http, https and WebSocket on all addresses of this machine, so two servers differ only in their port. */
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Certificates } from './certificates.ts';

export interface Speaking {
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void;
  /** The handshake of a WebSocket. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex) => void;
  /** A request through a proxy; its url is the `host:port` of the CONNECT line. */
  readonly connect?: (request: IncomingMessage, socket: Duplex) => void;
  /** A new connection, before its first byte. */
  readonly connected?: (socket: Socket) => void;
  /** The first bytes of a connection of any protocol. */
  readonly heard?: (socket: Socket, first: Buffer) => void;
}

export interface AnyProtocol extends AsyncDisposable {
  readonly port: number;
}

/** @param port 0 for any free port */
export async function serveAnyProtocol(
  speaking: Speaking,
  server: Certificates['server'],
  port = 0,
): Promise<AnyProtocol> {
  const sockets = new Set<Socket>();
  const [plain, secure] = [createHttpServer(speaking.answer), createTlsServer(server, speaking.answer)];
  for (const one of [plain, secure]) {
    one.on('upgrade', (request, socket) => {
      (speaking.upgrade ?? end)(request, socket);
    });
    one.on('connect', (request, socket) => {
      (speaking.connect ?? end)(request, socket);
    });
  }
  const listener = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined).once('close', () => sockets.delete(socket)));
    speaking.connected?.(socket);
    socket.once('data', (first: Buffer) => {
      speaking.heard?.(socket, first);
      // A TLS record with a handshake starts with 22 (RFC 8446, 5.1).
      (first[0] === 22 ? secure : plain).emit('connection', socket.pause());
      socket.unshift(first);
      process.nextTick(() => socket.resume());
    });
  });
  await new Promise<void>((resolve, reject) => listener.on('error', reject).listen(port, '::', resolve));
  return {
    port: (listener.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}

function end(_request: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => undefined).end();
}
