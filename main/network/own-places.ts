/** Owns where this very service is to be found: the machine's addresses, its own port, the ports of the guards. */
import { networkInterfaces } from 'node:os';
import type { Address, AddressClass } from './addresses.ts';
import { readAddress } from './addresses.ts';

export interface OwnPlaces {
  /** Of the machine, spelled as an `Address` is; loopback needs no naming. */
  readonly addresses: ReadonlySet<string>;
  /** Ports of the guards: nobody's business, whatever is allowed. */
  readonly guards: ReadonlySet<number>;
  /** The service's own port; undefined while it does not listen. */
  readonly service: number | undefined;
}

export const noOwnPlaces: OwnPlaces = { addresses: new Set(), guards: new Set(), service: undefined };

/** Whether an address leads to this machine; `forms` are the address and those embedded in it. */
export function isOwnAddress(own: OwnPlaces, kind: AddressClass, forms: readonly Address[]): boolean {
  // Linux connects 0.0.0.0 to itself.
  if (kind === 'loopback' || kind === 'unspecified') return true;
  return forms.some((form) => own.addresses.has(form.toString()));
}

interface Known {
  readonly guards: ReadonlySet<number>;
  readonly service: () => number | undefined;
}

/** Milliseconds; a machine gets a new address (a VPN, a lease) now and then, and asking takes a tenth of one. */
const fresh = 3000;

/** Tells the places as they are now. */
export function watchOwnPlaces(
  { guards, service }: Known,
  read: () => readonly string[] = machineAddresses,
  now: () => number = performance.now.bind(performance),
): () => OwnPlaces {
  let [addresses, readAt] = [new Set<string>(), -Infinity];
  return () => {
    if (now() - readAt > fresh) {
      addresses = new Set(read().flatMap((text) => readAddress(text)?.toString() ?? []));
      readAt = now();
    }
    return { addresses, guards, service: service() };
  };
}

function machineAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
}
