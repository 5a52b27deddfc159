/** Recently converted URLs, stored in the browser. The tray window forgets them when it closes. */
import { signal } from '@preact/signals';
import { withRecent } from './web-address.ts';

const key = 'platen-addresses';

/** Newest first. */
export const recentAddresses = signal<readonly string[]>(stored());

/** User names and passwords are not stored. */
export function rememberAddress(address: string): void {
  if (!URL.canParse(address) || new URL(address).username !== '') return;
  keep(withRecent(recentAddresses.value, address));
}

export function forgetAddress(address: string): void {
  keep(recentAddresses.value.filter((known) => known !== address));
}

function keep(addresses: readonly string[]): void {
  recentAddresses.value = addresses;
  try {
    localStorage.setItem(key, JSON.stringify(addresses));
  } catch {
    // Storage is full or forbidden: the list lasts until the page is closed.
  }
}

function stored(): readonly string[] {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? '[]') as unknown;
    return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}
