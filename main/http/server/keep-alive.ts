/** How long idle connections stay open, and what clients are told about it. */
import type { ServerResponse } from 'node:http';

/** Time after which the server closes an idle connection, in milliseconds. */
export const keepAliveTimeoutMs = 80_000;

/**
 * The time that clients are told, in seconds. It is shorter, because a client that uses a connection at the moment when the server
 * closes it loses its request. A busy client notices late that the time has passed: the timers of undici (`fetch` in Node.js) fall
 * seconds behind. Behind a proxy, this must be longer than the time after which the proxy closes its connections: nginx 60 s.
 */
const announcedSeconds = 62;

/** Tells the client how long it may use the idle connection again (header Keep-Alive), instead of the time that Node would tell. */
export function announceKeepAlive(response: ServerResponse): void {
  if (response.shouldKeepAlive) response.setHeader('keep-alive', `timeout=${announcedSeconds}`);
}

/** Closes the connection after the response. */
export function closeAfterResponse(response: ServerResponse): void {
  response.setHeader('connection', 'close');
  response.removeHeader('keep-alive');
}
