/** Provides the endpoints of this service: the machine's addresses, the service's port and the ports of the network guards. */
import { networkInterfaces } from 'node:os';
import type { Address, AddressClass } from './addresses.ts';
import { readAddress } from './addresses.ts';

export interface ServiceEndpoints {
  /** The machine's addresses, as `Address.toString` writes them. Loopback addresses are implied. */
  readonly addresses: ReadonlySet<string>;
  /** Ports of the network guards. No `--network-allow` exception allows pages to reach them. */
  readonly guards: ReadonlySet<number>;
  /** The port of the service; undefined while the service is not listening. */
  readonly service: number | undefined;
}

export const noServiceEndpoints: ServiceEndpoints = {
  addresses: new Set(),
  guards: new Set(),
  service: undefined,
};

/** Returns whether an address leads to this machine. `forms` are the address and the IPv4 addresses embedded in it. */
export function isOwnAddress(
  serviceEndpoints: ServiceEndpoints,
  addressClass: AddressClass,
  forms: readonly Address[],
): boolean {
  // On Linux, a connection to 0.0.0.0 reaches the machine itself.
  if (addressClass === 'loopback' || addressClass === 'unspecified') return true;
  return forms.some((form) => serviceEndpoints.addresses.has(form.toString()));
}

interface ServicePorts {
  readonly guards: ReadonlySet<number>;
  readonly service: () => number | undefined;
}

/** How long the machine's addresses are cached. They can change (VPN, DHCP lease); reading them takes 0.1 ms. */
const cacheMs = 3000;

/** Returns a function that returns the current endpoints, with the machine's addresses at most 3 seconds old. */
export function serviceEndpointsReader(
  { guards, service }: ServicePorts,
  readAddresses: () => readonly string[] = machineAddresses,
  now: () => number = performance.now.bind(performance),
): () => ServiceEndpoints {
  let addresses = new Set<string>();
  let readAtMs = -Infinity;
  return () => {
    if (now() - readAtMs > cacheMs) {
      addresses = new Set(readAddresses().flatMap((text) => readAddress(text)?.toString() ?? []));
      readAtMs = now();
    }
    return { addresses, guards, service: service() };
  };
}

function machineAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((entries = []) => entries.map(({ address }) => address));
}
