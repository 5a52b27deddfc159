/** Decides from the settings whether other machines can reach the service, and whether the demo account exists. */
import type { Settings } from './table.ts';

/**
 * Returns whether requests from other machines are unencrypted: the service listens beyond loopback, and base-url names no HTTPS
 * proxy. The caller checks tls-cert.
 */
export function hasUnencryptedRemoteTraffic(settings: Pick<Settings, 'base-url' | 'host'>): boolean {
  return !isLoopback(settings.host) && settings['base-url']?.startsWith('https:') !== true;
}

/** Returns whether only programs on this machine can connect to this listening address. */
function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
}

// The demo account's key is public, so by default the account is enabled only if the service listens on loopback.

export function isDemoEnabled(settings: Pick<Settings, 'demo' | 'host'>): boolean {
  return settings.demo ?? isLoopback(settings.host);
}

/**
 * Returns whether the demo account is enabled on an address that other machines can reach. This requires the explicit setting
 * demo=on.
 */
export function isDemoExposed(settings: Settings): boolean {
  return isDemoEnabled(settings) && !isLoopback(settings.host);
}
