/** One port that serves http, https and WebSocket on all addresses of this machine, so two servers differ only in their port. */
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Certificates } from './certificates.ts';

export interface ProtocolHandlers {
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void;
  /** The handshake of a WebSocket. */
  readonly onUpgrade?: (request: IncomingMessage, socket: Duplex) => void;
  /** A request through a proxy; its url is the `host:port` of the CONNECT line. */
  readonly onConnect?: (request: IncomingMessage, socket: Duplex) => void;
  /** A new connection, before its first byte. */
  readonly onConnection?: (socket: Socket) => void;
  /** The first bytes of a connection of any protocol. */
  readonly onFirstBytes?: (socket: Socket, first: Buffer) => void;
}

export interface AnyProtocol extends AsyncDisposable {
  readonly port: number;
}

/** @param port 0 for any free port */
export async function serveAnyProtocol(
  handlers: ProtocolHandlers,
  server: Certificates['server'],
  port = 0,
): Promise<AnyProtocol> {
  const sockets = new Set<Socket>();
  const [plain, secure] = [createHttpServer(handlers.onRequest), createTlsServer(server, handlers.onRequest)];
  for (const server of [plain, secure]) {
    server.on('upgrade', (request, socket) => {
      (handlers.onUpgrade ?? end)(request, socket);
    });
    server.on('connect', (request, socket) => {
      (handlers.onConnect ?? end)(request, socket);
    });
  }
  const listener = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined).once('close', () => sockets.delete(socket)));
    handlers.onConnection?.(socket);
    socket.once('data', (first: Buffer) => {
      handlers.onFirstBytes?.(socket, first);
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
