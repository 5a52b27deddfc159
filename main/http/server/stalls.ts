/**
 * Ends requests whose caller stops sending the body, and responses that their caller stops reading. Slow but steady transfers are not
 * ended. One inactivity timer of each socket serves both directions of every route.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { CallerDisconnected } from '../../conversion/job-log.ts';
import { Failure } from '../../failure/failure.ts';
import type { Connections, Exchange } from './connections.ts';

/**
 * The event of a request whose body has stalled, with a Failure as its argument. A listener sends the response itself; without one,
 * `refuse` does it.
 */
export const stalledEvent = 'stalled';

export interface StallTimeouts {
  /** Time without a received byte of a body, in milliseconds. */
  readonly bodyMs: number;
  /** Time without a byte of a response that the caller's system has accepted, in milliseconds. */
  readonly responseMs: number;
}

export const stallTimeouts: StallTimeouts = { bodyMs: 30_000, responseMs: 60_000 };

interface StallOptions extends StallTimeouts {
  readonly connections: Pick<Connections, 'of'>;
  /** Sends the failure on the socket and closes it. */
  readonly refuse: (socket: Socket, failure: Failure) => void;
}

/** Watches all connections of the server. Call `beginExchange` for each request. */
export function watchStalls(server: Server, options: StallOptions) {
  const { connections, bodyMs, responseMs, refuse } = options;
  // Node restarts the timer whenever bytes arrive, are written, or leave the send buffer.
  server.timeout = responseMs;
  server.on('timeout', (socket: Socket) => {
    const { open, latest } = connections.of(socket);
    if (latest !== undefined && hasStalledBody(latest)) {
      const failure = new Failure(
        'requestTimeout',
        `No bytes of the request arrived for ${bodyMs / 1000} seconds.`,
      );
      if (!latest.request.emit(stalledEvent, failure)) refuse(socket, failure);
    } else if (open.size > 0 && socket.writableLength > 0)
      socket.destroy(
        new CallerDisconnected(`The caller read nothing of the response for ${responseMs / 1000} seconds.`),
      );
    // An idle connection that has been used. Node itself closes unused ones (headersTimeout).
    else if (open.size === 0 && latest !== undefined) socket.destroy();
    // The job is running, or the service has paused reading: Node does not start the timer again.
    else socket.setTimeout(socket.timeout ?? responseMs);
  });
  return {
    beginExchange({ request, response }: Exchange): void {
      const { socket } = request;
      request.on('resume', () => {
        if (!request.complete) socket.setTimeout(bodyMs);
      });
      // After the response, Node has set the timeout of an idle connection.
      request.once('end', () => {
        if (!response.writableFinished) socket.setTimeout(responseMs);
      });
    },
  };
}

/** Returns whether the caller should be sending. While the service pauses reading, bytes may be waiting in the socket. */
function hasStalledBody({ request }: Exchange): boolean {
  return !request.complete && request.readableFlowing === true;
}
