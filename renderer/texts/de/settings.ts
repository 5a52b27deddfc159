/** Settings, self-test, about. */
import type { settings as english } from '../en/settings.ts';

export const settings: Readonly<Record<keyof typeof english, string>> = {
  'settings.search': 'Einstellungen durchsuchen',
};
