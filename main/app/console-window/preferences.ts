/** Stores the preferences of the console window in a JSON file. */
import { readFileSync, writeFileSync } from 'node:fs';
import { nativeTheme } from 'electron';
import * as z from 'zod';

const schema = z.record(z.string(), z.string());

/** Returns the stored preferences; an empty object if the file is missing or not valid. */
export function readPreferences(file: string): Readonly<Record<string, string>> {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}

/** Merges the given preferences into the file. Ignores write errors: preferences are not essential. */
export function writePreferences(file: string, preferences: Readonly<Record<string, string>>): void {
  const all = { ...readPreferences(file), ...preferences };
  try {
    writeFileSync(file, `${JSON.stringify(all)}\n`, { mode: 0o600 });
  } catch {
    // The next start uses the old preferences.
  }
}

const themes = ['system', 'light', 'dark'] as const;

/**
 * Applies the theme preference to the title bar, the dialogs and the window before its first paint. The page applies it to its own
 * content.
 */
export function applyTheme({ theme }: Readonly<Record<string, string>>): void {
  nativeTheme.themeSource = themes.find((candidate) => candidate === theme) ?? 'system';
}
