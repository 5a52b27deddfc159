/** Owns the making of TCP connections to addresses already judged: no name reaches a resolver from here. */
import { connect, type LookupFunction, type Socket } from 'node:net';
import type { ResolvedAddress } from './admit.ts';

/**
 * A socket on its way to the first of the addresses that answers. Several are tried in turn, families alternating (Node's version
 * of Happy Eyeballs, RFC 8305).
 */
export function dial(addresses: readonly ResolvedAddress[], port: number): Socket {
  const [first] = addresses;
  if (first && addresses.length === 1) return connect({ host: first.address, port, noDelay: true });
  return connect({
    // The name is never looked up: `lookup` answers with what was judged.
    host: 'judged.invalid',
    port,
    noDelay: true,
    lookup: answering(addresses),
    autoSelectFamily: true,
    // Node's 250 ms gives up on distant servers that are merely slow.
    autoSelectFamilyAttemptTimeout: 500,
  });
}

/** Settles when the socket is connected; rejects with its error if it closes before. */
export function connected<S extends Socket>(socket: S, event = 'connect'): Promise<S> {
  return new Promise((resolve, reject) => {
    socket.once(event, () => {
      resolve(socket);
    });
    socket.once('error', reject);
    socket.once('close', () => {
      reject(new Error('The connection was closed before it was open'));
    });
    if (socket.destroyed) reject(new Error('The connection belongs to a job that is over'));
  });
}

function answering(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_name, { all }, callback) => {
    if (all) callback(null, [...addresses]);
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
  };
}
