/** Recently converted URLs, in the browser's storage. In the tray window, this storage is in memory only. */
import { signal } from '@preact/signals';
import { withRecent } from './web-address.ts';
import { storeLocally } from '../../parts/local-storage.ts';

const storageKey = 'platen-addresses';

/** Newest first. */
export const recentUrls = signal<readonly string[]>(storedAddresses());

/** Adds a URL to the list. URLs with a user name are not added, because they may contain a password. */
export function rememberUrl(address: string): void {
  if (!URL.canParse(address) || new URL(address).username !== '') return;
  storeAddresses(withRecent(recentUrls.value, address));
}

export function forgetUrl(address: string): void {
  storeAddresses(recentUrls.value.filter((known) => known !== address));
}

function storeAddresses(addresses: readonly string[]): void {
  recentUrls.value = addresses;
  storeLocally(storageKey, JSON.stringify(addresses));
}

function storedAddresses(): readonly string[] {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? '[]') as unknown;
    return Array.isArray(stored) ? stored.filter((entry) => typeof entry === 'string') : [];
  } catch {
    return [];
  }
}
