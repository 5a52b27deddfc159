/** The server's side of a WebSocket (RFC 6455), as far as tests need it. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** The fixed value in the handshake (RFC 6455, 1.3). */
const handshakeSalt = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Accepts the handshake. The socket stays open. */
export function acceptWebSocket({ headers }: Pick<IncomingMessage, 'headers'>, socket: Duplex): void {
  const key = `${headers['sec-websocket-key'] ?? ''}${handshakeSalt}`;
  const accept = createHash('sha1').update(key).digest('base64');
  const head = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}`;
  socket.on('error', () => socket.destroy()).write(`${head}\r\n\r\n`);
}

/** Sends a text message shorter than 126 bytes, if the socket is still open. */
export function sendText(socket: Duplex, text: string): void {
  const bytes = Buffer.from(text);
  if (socket.writable) socket.write(Buffer.concat([Buffer.from([0x81, bytes.length]), bytes]));
}
