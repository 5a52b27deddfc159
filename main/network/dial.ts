/** Opens TCP connections to addresses that the network rules have allowed. Never resolves a name. */
import { connect, type LookupFunction, type Socket } from 'node:net';
import { classifyAddress } from './addresses.ts';
import type { ResolvedAddress } from './name-resolver.ts';

/**
 * Returns a socket that connects to the first address that answers. Several addresses are tried in turn with alternating families
 * (Node's version of Happy Eyeballs, RFC 8305).
 */
export function dial(addresses: readonly ResolvedAddress[], port: number): Socket {
  const [first] = addresses;
  if (first && addresses.length === 1) return connect({ host: first.address, port, noDelay: true });
  return connect({
    // Node never resolves this name: `lookup` returns the allowed addresses.
    host: 'allowed.invalid',
    port,
    noDelay: true,
    lookup: fixedLookup(addresses),
    autoSelectFamily: true,
    // Node's default of 250 ms per address gives up on servers that are only slow.
    autoSelectFamilyAttemptTimeout: 500,
  });
}

/** Resolves with the socket when it emits `event`. Rejects if the socket fails or closes first. */
export function waitForConnect<S extends Socket>(socket: S, event = 'connect'): Promise<S> {
  return new Promise((resolve, reject) => {
    socket.once(event, () => {
      resolve(socket);
    });
    socket.once('error', reject);
    socket.once('close', () => {
      reject(new Error('The connection closed before it was established'));
    });
    if (socket.destroyed) reject(new Error('The job that opened this connection has ended'));
  });
}

/** macOS denies a connection immediately; a host that does not answer takes about three seconds to time out (ARP). */
const denialTimeoutMs = 500;

export interface FailedDial {
  readonly error: unknown;
  readonly addresses: readonly ResolvedAddress[];
  readonly durationMs: number;
}

/**
 * Returns whether macOS has probably denied this program the local network. Since macOS 15, a program needs a permission of the
 * user for it (System Settings > Privacy & Security > Local Network); without it, connections fail with EHOSTUNREACH.
 */
export function isLocalNetworkDenied(
  { error, addresses, durationMs }: FailedDial,
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (platform !== 'darwin' || durationMs > denialTimeoutMs) return false;
  if (!(error instanceof Error && 'code' in error && error.code === 'EHOSTUNREACH')) return false;
  return addresses.some(({ address }) => /^(private|link-local)$/.test(classifyAddress(address) ?? ''));
}

function fixedLookup(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_name, { all }, callback) => {
    if (all) callback(null, [...addresses]);
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
  };
}
