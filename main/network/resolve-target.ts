/** Resolves a target once and checks every address against the network rules. */
import { isIP } from 'node:net';
import { targetOfUrl, type HostAndPort } from './host-name.ts';
import type { Resolve, ResolvedAddress } from './name-resolver.ts';
import type { ServiceEndpoints } from './service-endpoints.ts';
import { checkDestination, checkHostName, type NetworkRules } from './policy.ts';
import { parsedUrl } from '../fields/parsed-url.ts';

export interface GuardRefusal extends HostAndPort {
  /** The refused address; absent if the name itself is refused. */
  readonly address?: string;
  /** The exact reason, for the log only: in a response it would let callers scan ports. */
  readonly why: string;
}

/** Returns whether the host and port of an address are among the refusals. */
export function isRefusedAddress(url: string, refusals: readonly GuardRefusal[]): boolean {
  const parsed = parsedUrl(url);
  const target = parsed && targetOfUrl(parsed);
  return refusals.some(({ host, port }) => host === target?.host && port === target.port);
}

type ResolvedTarget =
  | { readonly kind: 'admitted'; readonly addresses: readonly ResolvedAddress[] }
  | { readonly kind: 'refused'; readonly refusal: GuardRefusal }
  | { readonly kind: 'unresolved'; readonly cause: unknown };

export interface AdmissionContext {
  readonly rules: NetworkRules;
  readonly resolve: Resolve;
  /** The account that connects. */
  readonly account?: string | undefined;
  /** Returns the current endpoints of this service. */
  readonly serviceEndpoints?: (() => ServiceEndpoints) | undefined;
}

/** Returns the context for callbacks of an account, which do not share the resolver's limit with the account's pages. */
export function contextForCallbacks<Context extends AdmissionContext>(
  context: Context,
  account: number,
): Context {
  return { ...context, account: `callbacks of ${account}` };
}

/**
 * Resolves the target once and checks every address. If one address is refused, the target is refused: an answer that mixes
 * public and private addresses is typical of DNS rebinding. Dial only the returned addresses. Never rejects. `signal` aborts when the
 * connection is no longer needed.
 */
export async function admit(
  context: AdmissionContext,
  target: HostAndPort,
  signal?: AbortSignal,
): Promise<ResolvedTarget> {
  const nameVerdict = checkHostName(context.rules, target);
  if (nameVerdict && !nameVerdict.allowed)
    return { kind: 'refused', refusal: { ...target, why: nameVerdict.why } };
  try {
    const addresses = await resolveHost(target.host, context, signal);
    const refusal = firstRefusal(context, target, addresses);
    return refusal ? { kind: 'refused', refusal } : { kind: 'admitted', addresses };
  } catch (cause) {
    return { kind: 'unresolved', cause };
  }
}

async function resolveHost(
  host: string,
  { resolve, account }: AdmissionContext,
  signal: AbortSignal | undefined,
): Promise<readonly ResolvedAddress[]> {
  const family = isIP(host);
  const addresses = family ? [{ address: host, family }] : await resolve(host, { account, signal });
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
