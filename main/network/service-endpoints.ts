/** Provides the endpoints of this service: the machine's addresses, the service's port and the ports of the network guards. */
import { networkInterfaces } from 'node:os';
import type { Address, AddressClass } from './addresses.ts';
import { readAddress } from './addresses.ts';

export interface ServiceEndpoints {
  /** The machine's addresses, as `Address.toString` writes them. Loopback addresses are implied. */
  readonly addresses: ReadonlySet<string>;
  /** Ports of the network guards. No exception opens them to pages. */
  readonly guards: ReadonlySet<number>;
  /** The port of the service; undefined while it does not listen. */
  readonly service: number | undefined;
}

export const noServiceEndpoints: ServiceEndpoints = {
  addresses: new Set(),
  guards: new Set(),
  service: undefined,
};

/** Whether an address leads to this machine. `forms` are the address and the addresses embedded in it. */
export function isOwnAddress(
  serviceEndpoints: ServiceEndpoints,
  kind: AddressClass,
  forms: readonly Address[],
): boolean {
  // Linux connects 0.0.0.0 to itself.
  if (kind === 'loopback' || kind === 'unspecified') return true;
  return forms.some((form) => serviceEndpoints.addresses.has(form.toString()));
}

interface ServicePorts {
  readonly guards: ReadonlySet<number>;
  readonly service: () => number | undefined;
}

/** How long the addresses are cached. A machine can get a new one (a VPN, a lease); reading them takes 0.1 ms. */
const CACHE_MS = 3000;

/** Returns a function that returns the current endpoints. */
export function watchServiceEndpoints(
  { guards, service }: ServicePorts,
  readAddresses: () => readonly string[] = machineAddresses,
  now: () => number = performance.now.bind(performance),
): () => ServiceEndpoints {
  let addresses = new Set<string>();
  let readAtMs = -Infinity;
  return () => {
    if (now() - readAtMs > CACHE_MS) {
      addresses = new Set(readAddresses().flatMap((text) => readAddress(text)?.toString() ?? []));
      readAtMs = now();
    }
    return { addresses, guards, service: service() };
  };
}

function machineAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((entries = []) => entries.map(({ address }) => address));
}
