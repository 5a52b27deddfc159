/** Converts the network settings to the rules of the network policy. */
import type { NetworkRules } from '../network/policy.ts';
import type { Settings } from './table.ts';

export function networkRules(
  settings: Pick<Settings, 'network' | 'network-allow' | 'network-deny'>,
): NetworkRules {
  return {
    policy: settings.network,
    allow: settings['network-allow'] ?? [],
    deny: settings['network-deny'] ?? [],
  };
}
