/**
 * Resolves names with the system's resolver, fairly between accounts. libuv runs getaddrinfo on at most half of its threads and cannot
 * cancel it, and a lookup takes up to a minute if the DNS server does not answer. Without limits, one page would occupy these threads for
 * hours, and no other job, callback or database connection could resolve a name.
 */
import { lookup } from 'node:dns/promises';
import { FairQueue } from '../async/fair-queue.ts';
import { unlessAborted, withTimeout } from '../async/signals.ts';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export interface ResolveOptions {
  /** The account for which the name is resolved. */
  readonly account?: string | undefined;
  /** Aborts when the result is no longer needed. */
  readonly signal?: AbortSignal | undefined;
}

/** Resolves a name to all its addresses, best first. Rejects (ENOTFOUND, EAI_AGAIN) if there are none. */
export type Resolve = (host: string, options: ResolveOptions) => Promise<readonly ResolvedAddress[]>;

interface NameResolverOptions {
  readonly lookup: (host: string) => Promise<readonly ResolvedAddress[]>;
  /** Maximum number of concurrent lookups. */
  readonly maxConcurrent: number;
  /** Maximum number of concurrent lookups of one account. An account never has more than are still free. */
  readonly maxConcurrentOfAccount: number;
  /** How long the callers wait for a lookup that runs. */
  readonly timeoutMs: number;
}

/** The lookup of a name, for all callers that wait for it. */
interface Lookup {
  readonly account: string;
  readonly host: string;
  readonly result: Promise<readonly ResolvedAddress[]>;
  readonly settle: (result: Promise<readonly ResolvedAddress[]>) => void;
  callers: number;
}

export class NameResolver {
  readonly #options: NameResolverOptions;
  readonly #queue = new FairQueue<Lookup>();
  /** The lookups that wait for a thread, by account and name. */
  readonly #waiting = new Map<string, Lookup>();
  /** The lookups that occupy a thread, by name, also those whose callers have stopped waiting. */
  readonly #running = new Map<string, Lookup>();

  constructor(options: NameResolverOptions) {
    this.#options = options;
  }

  /** Callers that need the same name share a lookup. A lookup that waits is dropped when the signals of all its callers abort. */
  readonly resolve: Resolve = async (host, { account = '', signal = new AbortController().signal }) => {
    signal.throwIfAborted();
    const joined = this.#running.get(host) ?? this.#waiting.get(keyOf(account, host));
    const wanted = joined ?? this.#add(account, host);
    wanted.callers += 1;
    try {
      return await unlessAborted(signal, wanted.result);
    } finally {
      wanted.callers -= 1;
      if (wanted.callers === 0) this.#removeWaiting(wanted);
    }
  };

  #add(account: string, host: string): Lookup {
    const { promise: result, resolve: settle } = withResolvers<readonly ResolvedAddress[]>();
    const added: Lookup = { account, host, result, settle, callers: 0 };
    this.#waiting.set(keyOf(account, host), added);
    this.#queue.add(account, added);
    this.#startWaiting();
    return added;
  }

  /** Does nothing if the lookup has been started. */
  #removeWaiting(removed: Lookup): void {
    const { account, host } = removed;
    const key = keyOf(account, host);
    if (this.#waiting.get(key) !== removed) return;
    this.#waiting.delete(key);
    this.#queue.remove(account, removed);
  }

  #startWaiting(): void {
    const { maxConcurrent, maxConcurrentOfAccount } = this.#options;
    for (;;) {
      const free = maxConcurrent - this.#running.size;
      const next = this.#queue.next(Math.min(maxConcurrentOfAccount, free));
      if (next === undefined) return;
      this.#removeWaiting(next);
      // Another account may have started to resolve the same name.
      const running = this.#running.get(next.host);
      if (running === undefined) void this.#run(next);
      else next.settle(running.result);
    }
  }

  /** Resolves when the thread is free again. */
  async #run(lookup: Lookup): Promise<void> {
    const { account, host, settle } = lookup;
    this.#running.set(host, lookup);
    this.#queue.begin(account);
    const found = this.#options.lookup(host);
    settle(withTimeout(this.#options.timeoutMs, found, () => new LookupTimeout(host)));
    await found.catch(() => {});
    this.#running.delete(host);
    this.#queue.end(account);
    this.#startWaiting();
  }
}

/** The DNS server does not answer in time. */
class LookupTimeout extends Error {
  override readonly name = 'LookupTimeout';
  readonly code = 'EAI_AGAIN';

  constructor(host: string) {
    super(`the DNS server did not resolve ${host} in time`);
  }
}

function keyOf(account: string, host: string): string {
  return JSON.stringify([account, host]);
}

/** Node 20 has no Promise.withResolvers. */
function withResolvers<T>() {
  let resolve: (value: Promise<T>) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** The number of threads of libuv, which the launcher raises (launch/service-process.ts). */
const threads = Number(process.env.UV_THREADPOOL_SIZE) || 4;
// A quarter of the threads is half of those that libuv uses for getaddrinfo. The others are left for the database and the upstream proxy.
const maxConcurrent = Math.max(1, Math.floor(threads / 4));

const systemResolver = new NameResolver({
  lookup: (host) => lookup(host, { all: true }),
  maxConcurrent,
  maxConcurrentOfAccount: Math.ceil(maxConcurrent / 2),
  timeoutMs: 10_000,
});

/** Resolves with the system's resolver. Keeps its order, which puts IPv6 last if there is no IPv6 route (RFC 6724). */
export const systemResolve: Resolve = systemResolver.resolve;
