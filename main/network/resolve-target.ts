/** Resolves a target once and checks every address against the network rules. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { HostAndPort } from './host-name.ts';
import type { ServiceEndpoints } from './service-endpoints.ts';
import { checkDestination, checkHostName, type NetworkRules } from './policy.ts';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Resolves a name to all its addresses, best first. Rejects (ENOTFOUND, EAI_AGAIN) if there are none. */
export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>;

export interface GuardRefusal extends HostAndPort {
  /** The refused address; absent if the name itself is refused. */
  readonly address?: string;
  /** The exact reason, for the log only: in a response it would let callers scan ports. */
  readonly why: string;
}

type ResolvedTarget =
  | { readonly kind: 'admitted'; readonly addresses: readonly ResolvedAddress[] }
  | { readonly kind: 'refused'; readonly refusal: GuardRefusal }
  | { readonly kind: 'unresolved'; readonly cause: unknown };

export interface AdmissionContext {
  readonly rules: NetworkRules;
  readonly resolve: Resolve;
  /** Returns the current endpoints of this service. */
  readonly serviceEndpoints?: (() => ServiceEndpoints) | undefined;
}

/** Resolves with the system's resolver. Keeps its order, which puts IPv6 last if there is no IPv6 route (RFC 6724). */
export const systemResolve: Resolve = (host) => lookup(host, { all: true });

/**
 * Resolves the target once and checks every address. If one address is refused, the target is refused: an answer that mixes
 * public and private addresses is typical of DNS rebinding. Dial only the returned addresses. Never rejects.
 */
export async function admit(context: AdmissionContext, target: HostAndPort): Promise<ResolvedTarget> {
  const { rules, resolve } = context;
  const nameVerdict = checkHostName(rules, target);
  if (nameVerdict && !nameVerdict.allowed)
    return { kind: 'refused', refusal: { ...target, why: nameVerdict.why } };
  try {
    const addresses = await resolveHost(target.host, resolve);
    const refusal = firstRefusal(context, target, addresses);
    return refusal ? { kind: 'refused', refusal } : { kind: 'admitted', addresses };
  } catch (cause) {
    return { kind: 'unresolved', cause };
  }
}

async function resolveHost(host: string, resolve: Resolve): Promise<readonly ResolvedAddress[]> {
  const family = isIP(host);
  const addresses = family ? [{ address: host, family }] : await resolve(host);
  if (addresses.length === 0) throw new Error(`${host} has no address`);
  return addresses;
}

function firstRefusal(
  { rules, serviceEndpoints }: AdmissionContext,
  target: HostAndPort,
  addresses: readonly ResolvedAddress[],
): GuardRefusal | undefined {
  for (const { address } of addresses) {
    const verdict = checkDestination(rules, { ...target, address }, serviceEndpoints?.());
    if (!verdict.allowed) return { ...target, address, why: verdict.why };
  }
  return undefined;
}
