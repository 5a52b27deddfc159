/** Settings, self-test, about. */
export const settings = {
  'settings.search': 'Search settings',
} as const;
