/** Serves HTTP, HTTPS, WebSocket handshakes and CONNECT requests on a single port of all addresses of this machine. */
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Certificates } from './certificates.ts';

export interface ProtocolHandlers {
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void;
  /** Called for the handshake of a WebSocket; default: closes the connection. */
  readonly onUpgrade?: (request: IncomingMessage, socket: Duplex) => void;
  /** Called for a CONNECT request, whose `url` is the requested `host:port`; default: closes the connection. */
  readonly onConnect?: (request: IncomingMessage, socket: Duplex) => void;
  /** Called for a new connection, before its first byte. */
  readonly onConnection?: (socket: Socket) => void;
  /** Called with the first bytes of a connection of any protocol. */
  readonly onFirstBytes?: (socket: Socket, first: Buffer) => void;
}

export interface AnyProtocol extends AsyncDisposable {
  readonly port: number;
}

/** @param port The port to listen on; 0: any free port. */
export async function serveAnyProtocol(
  handlers: ProtocolHandlers,
  server: Certificates['server'],
  port = 0,
): Promise<AnyProtocol> {
  const sockets = new Set<Socket>();
  const plain = createHttpServer(handlers.onRequest);
  const secure = createTlsServer(server, handlers.onRequest);
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
      // A TLS record that contains a handshake starts with the byte 22 (RFC 8446, 5.1).
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
