import assert from 'node:assert/strict';
import type { Resolve } from '../../../main/network/name-resolver.ts';
import {
  readHostPattern,
  type HostPattern,
  type NetworkRules,
  type Policy,
} from '../../../main/network/policy.ts';

/** Returns network rules with these comma-separated exceptions, as operators write them. */
export function rules(policy: Policy, { allow = '', deny = '' } = {}): NetworkRules {
  return { policy, allow: patterns(allow), deny: patterns(deny) };
}

/** Returns a resolver that resolves only these names, and records its lookups. */
export function resolverFor(
  table: Readonly<Record<string, readonly string[]>>,
): Resolve & { lookups: string[] } {
  const lookups: string[] = [];
  const resolve: Resolve = (host) => {
    lookups.push(host);
    const found = table[host];
    if (!found) return Promise.reject(Object.assign(new Error(`no ${host}`), { code: 'ENOTFOUND' }));
    return Promise.resolve(found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
  };
  return Object.assign(resolve, { lookups });
}

function patterns(list: string): readonly HostPattern[] {
  return list
    .split(',')
    .filter((text) => text !== '')
    .map((text) => {
      const pattern = readHostPattern(text);
      assert.ok(pattern, text);
      return pattern;
    });
}
