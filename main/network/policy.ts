/** Owns the decision whether the network may be used for a target. Pure: it resolves nothing and dials nothing. */
import { isIP } from 'node:net';
import { classifyAddress, embeddedAddresses, readAddress, type AddressClass } from './addresses.ts';
import type { Target } from './host.ts';
import { isOwnAddress, noOwnPlaces, type OwnPlaces } from './own-places.ts';
import { isExact, namesAddress, namesHost, type HostPattern } from './patterns.ts';

export { readHostPattern, type HostPattern } from './patterns.ts';

export type Policy = 'public' | 'intranet' | 'offline';

export interface NetworkRules {
  readonly policy: Policy;
  readonly allow: readonly HostPattern[];
  readonly deny: readonly HostPattern[];
}

/** A target and one address its host stands for (the host itself, where it is an address). */
export interface Destination extends Target {
  readonly address: string;
}

/** `why` is exact, so it is for the log only: a caller who could read it would have a port scanner. */
export type Verdict = { readonly allowed: true } | { readonly allowed: false; readonly why: string };

/** Whether the destination may be dialled: deny beats allow, allow beats the policy; the guards themselves are never reached. */
export function judge(rules: NetworkRules, destination: Destination, own: OwnPlaces = noOwnPlaces): Verdict {
  const early = judgeName(rules, destination);
  if (early) return early;
  const { port } = destination;
  const address = readAddress(destination.address);
  const kind = classifyAddress(destination.address);
  if (!address || !kind) return refused(`"${destination.address}" is no address`);
  // What is denied stays denied when IPv6 wraps it; what is allowed is allowed as written only.
  const forms = [address, ...embeddedAddresses(address)];
  const denying = rules.deny.find((one) => forms.some((form) => namesAddress(one, form, port)));
  if (denying) return refused(`denied by the exception ${denying.text}`);
  const isOwn = isOwnAddress(own, kind, forms);
  if (isOwn && own.guards.has(port)) return refused('it is a guard of this service');
  const allowing = rules.allow.filter(
    (one) => namesHost(one, destination) || namesAddress(one, address, port),
  );
  // Who opens a whole network or domain does not mean this service, to which a page could carry what it has guessed or found.
  if (isOwn && own.service === port && !allowing.some(isExact)) return refused('it is this service itself');
  if (allowing.length > 0 || REACHABLE[rules.policy].includes(kind)) return ALLOWED;
  return refused(`the policy ${rules.policy} does not reach ${kind} addresses`);
}

/**
 * The verdict, if the host's name alone decides; undefined: its addresses will. Ask this before any resolver, because a
 * question to it can carry data out. So under `offline` a name has to be allowed as a name: an allowed address or
 * CIDR then only opens URLs that hold an address.
 */
export function judgeName(rules: NetworkRules, target: Target): Verdict | undefined {
  const denying = rules.deny.find((one) => namesHost(one, target));
  if (denying) return refused(`denied by the exception ${denying.text}`);
  if (rules.policy !== 'offline' || isIP(target.host) || isNamed(rules, target)) return undefined;
  return refused('the policy offline reaches no name without an exception for it');
}

/** Whether an exception allows the host by its name, whatever it resolves to. */
export function isNamed(rules: NetworkRules, target: Target): boolean {
  return rules.allow.some((one) => namesHost(one, target));
}

function refused(why: string): Verdict {
  return { allowed: false, why };
}

const ALLOWED: Verdict = { allowed: true };

const REACHABLE: Readonly<Record<Policy, readonly AddressClass[]>> = {
  public: ['public'],
  intranet: ['public', 'private'],
  offline: [],
};
