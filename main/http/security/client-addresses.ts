/** Counts the failures of clients without a valid key by their address, and lets those of an address take turns. */
import ipaddr from 'ipaddr.js';

/** Failures within a minute after which an address is refused. */
const maxFailures = 50;
const windowMs = 60_000;
const maxAddresses = 10_000;

/**
 * Returns the IPv4 address, even if mapped into IPv6, or the /64 network of an IPv6 address, because one client can use all addresses
 * of a network. X-Forwarded-For is never read, because a client can forge it.
 */
export function clientAddress(address = ''): string {
  const [plain = ''] = address.split('%');
  if (!ipaddr.isValid(plain)) return plain;
  const parsed = ipaddr.process(plain);
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString();
}

/** The failures of one address within a minute. */
export class AddressFailures {
  /** End of the minute, in milliseconds since 1970. */
  readonly until = Date.now() + windowMs;
  #count = 0;
  /** Resolves when all earlier checks are done. */
  #last: Promise<unknown> = Promise.resolve();

  get isAboveLimit(): boolean {
    return this.#count > maxFailures;
  }

  /** The number of seconds for Retry-After. */
  get retryAfter(): number {
    return Math.max(1, Math.ceil((this.until - Date.now()) / 1000));
  }

  add(): void {
    this.#count += 1;
  }

  /**
   * Runs a check after all earlier ones of the address. Of 1,000 wrong credentials sent at the same time, only 51 are checked; 1,000
   * correct ones all pass.
   */
  inTurn<T>(check: () => Promise<T>): Promise<T> {
    const result = this.#last.then(check);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

export class ClientAddresses {
  /** In order of expiry. */
  readonly #failures = new Map<string, AddressFailures>();

  failuresOf(address: string): AddressFailures {
    const now = Date.now();
    const entry = this.#failures.get(address);
    if (entry !== undefined && entry.until > now) return entry;
    this.#failures.delete(address);
    this.#removeExpired(now);
    const created = new AddressFailures();
    this.#failures.set(address, created);
    return created;
  }

  /** Removes expired entries, and the oldest ones above the limit. */
  #removeExpired(now: number): void {
    for (const [address, { until }] of this.#failures) {
      if (until > now && this.#failures.size < maxAddresses) return;
      this.#failures.delete(address);
    }
  }
}
