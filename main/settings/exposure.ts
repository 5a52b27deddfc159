/** Who can knock at the address the service listens on. */
import type { Settings } from './table.ts';

/** True when what callers send can be read on the way: others than this machine's, and TLS neither here nor, by `base-url`, in front. */
export function talksOpenly(settings: Pick<Settings, 'base-url' | 'host'>): boolean {
  return !isLoopback(settings.host) && settings['base-url']?.startsWith('https:') !== true;
}

/** True for a name or an address that only programs of this machine reach. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
}
