/** Accounts, keys, credits. */
import type { accounts as english } from '../en/accounts.ts';

export const accounts: Readonly<Record<keyof typeof english, string>> = {
  'accounts.empty.title': 'Noch keine Konten',
};
