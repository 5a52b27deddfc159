/** The preferences: theme and language. They are stored by the browser or, for the tray window, by the service. */
import { effect, signal } from '@preact/signals';
import type { Bridge } from '../bridge/bridge.ts';
import { language, languageFor, languages, type Language } from '../texts/text.ts';
import { storeLocally } from '../parts/local-storage.ts';

export type Theme = 'system' | 'light' | 'dark';

/** `system`: the theme of the browser or desktop. */
export const theme = signal<Theme>('system');

/** `system`: the language of the browser or desktop. */
export const languageChoice = signal<Language | 'system'>('system');

/** Loads the stored preferences, and applies them to the page now and after each change. */
export function applyPreferences(bridge: Pick<Bridge, 'native' | 'languages'>): void {
  const { native } = bridge;
  if (native === undefined) restore(storedPreferences());
  else void native.preferences().then(restore);
  effect(() => {
    const preferences = { theme: theme.value, language: languageChoice.value };
    document.documentElement.dataset.theme = preferences.theme;
    language.value = preferences.language === 'system' ? languageFor(bridge.languages) : preferences.language;
    document.documentElement.lang = language.value;
    document.documentElement.dir = languages[language.value].direction;
  });
}

/** Applies and stores the changes. */
export function setPreferences(
  bridge: Pick<Bridge, 'native'>,
  changes: { readonly theme?: Theme; readonly language?: Language | 'system' },
): void {
  theme.value = changes.theme ?? theme.value;
  languageChoice.value = changes.language ?? languageChoice.value;
  const preferences = { theme: theme.value, language: languageChoice.value };
  if (bridge.native === undefined) storeLocally(storageKey, JSON.stringify(preferences));
  else void bridge.native.savePreferences(preferences);
}

const storageKey = 'platen-preferences';

function storedPreferences(): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

function restore(stored: Readonly<Record<string, unknown>>): void {
  if (stored.theme === 'light' || stored.theme === 'dark') theme.value = stored.theme;
  if (typeof stored.language === 'string' && stored.language in languages)
    languageChoice.value = stored.language as Language;
}
