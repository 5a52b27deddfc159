/**
 * Ends requests whose caller stops sending the body, and responses that their caller stops reading. Slow but steady transfers are not
 * ended. Both directions work for every route: Node's inactivity timer of each socket watches bodies, a shared interval watches responses.
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
  /**
   * Time without a byte of a response that the caller's system has accepted, in milliseconds. The response ends after one to two of them.
   */
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
    }
    // An idle connection that has been used. Node itself closes unused ones (headersTimeout).
    else if (open.size === 0 && latest !== undefined) socket.destroy();
    // The job is running, the response is being sent, or the service has paused reading: Node does not start the timer again.
    else socket.setTimeout(socket.timeout ?? responseMs);
  });
  /** The sockets with an open response, and the unsent bytes at the last check. */
  const responding = new Map<Socket, readonly number[] | undefined>();
  // The timer of the socket does not notice an unread response: bytes of the next request restart it.
  const interval = setInterval(() => {
    for (const [socket, earlier] of responding) {
      const unsent = unsentBytes(socket);
      if (connections.of(socket).open.size === 0) responding.delete(socket);
      else if (earlier === undefined || unsent === undefined || hasSent(earlier, unsent))
        responding.set(socket, unsent);
      else
        socket.destroy(
          new CallerDisconnected(`The caller read nothing of the response for ${responseMs / 1000} seconds.`),
        );
    }
  }, responseMs).unref();
  server.once('close', () => {
    clearInterval(interval);
  });
  return {
    beginExchange({ request, response }: Exchange): void {
      const { socket } = request;
      if (!responding.has(socket)) responding.set(socket, undefined);
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

/**
 * Returns the bytes that wait to be sent, at each level of the socket; undefined if the system has accepted all bytes. One of the
 * numbers falls when the system accepts a byte.
 */
function unsentBytes(socket: Socket): readonly number[] | undefined {
  const { bytesWritten, writableLength } = socket;
  if (writableLength === 0) return undefined;
  // A write counts as written only when it is complete. The handles also count the bytes within a large one, as Node's inactivity timer
  // does; the handle of a TLS socket counts encrypted bytes, and its parent is the handle of the connection.
  const { _handle: handle } = socket as unknown as { readonly _handle: SocketHandle | null };
  return [writableLength - bytesWritten, handle?.writeQueueSize ?? 0, handle?._parent?.writeQueueSize ?? 0];
}

interface SocketHandle {
  readonly writeQueueSize: number;
  readonly _parent?: SocketHandle;
}

/** A number that rises is no progress: a TLS client can request key updates, and the replies are queued. */
function hasSent(earlier: readonly number[], now: readonly number[]): boolean {
  return now.some((bytes, level) => bytes < (earlier[level] ?? 0));
}
