/** Accounts, keys, credits. */
export const accounts = {
  'accounts.empty.title': 'No accounts yet',
} as const;
