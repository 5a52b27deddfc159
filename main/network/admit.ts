/** Owns the way from a target to the addresses that may be dialled for it: one question to the resolver, every answer judged. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Target } from './host.ts';
import type { OwnPlaces } from './own-places.ts';
import { judge, judgeName, type NetworkRules } from './policy.ts';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** All addresses of a name, best first; rejects (ENOTFOUND, EAI_AGAIN) if there are none. */
export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>;

export interface Refusal extends Target {
  /** The address that was refused; absent if the name alone decided. */
  readonly address?: string;
  /** Exact, for the log only. */
  readonly why: string;
}

export type Admission =
  | { readonly kind: 'admitted'; readonly addresses: readonly ResolvedAddress[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'unresolved'; readonly cause: unknown };

/** What admission needs to know. */
export interface Terms {
  readonly rules: NetworkRules;
  readonly resolve: Resolve;
  /** This service's own places, as they are now. */
  readonly own?: (() => OwnPlaces) | undefined;
}

/** The system's resolver, its order kept: it already puts IPv6 last where there is no route (RFC 6724). */
export const systemResolve: Resolve = (host) => lookup(host, { all: true });

/**
 * Asks the resolver once and judges every address. One refused address refuses the name: an answer that mixes public and inner
 * addresses is how DNS rebinding looks. Dial the addresses given back and nothing else. Never rejects.
 */
export async function admit(terms: Terms, target: Target): Promise<Admission> {
  const { rules, resolve } = terms;
  const early = judgeName(rules, target);
  if (early && !early.allowed) return { kind: 'refused', refusal: { ...target, why: early.why } };
  try {
    const addresses = await addressesOf(target.host, resolve);
    const refusal = firstRefusal(terms, target, addresses);
    return refusal ? { kind: 'refused', refusal } : { kind: 'admitted', addresses };
  } catch (cause) {
    return { kind: 'unresolved', cause };
  }
}

async function addressesOf(host: string, resolve: Resolve): Promise<readonly ResolvedAddress[]> {
  const family = isIP(host);
  const addresses = family ? [{ address: host, family }] : await resolve(host);
  if (addresses.length === 0) throw new Error(`${host} has no address`);
  return addresses;
}

function firstRefusal(
  { rules, own }: Terms,
  target: Target,
  addresses: readonly ResolvedAddress[],
): Refusal | undefined {
  for (const { address } of addresses) {
    const verdict = judge(rules, { ...target, address }, own?.());
    if (!verdict.allowed) return { ...target, address, why: verdict.why };
  }
  return undefined;
}
