/** Small things the window's interface remembers from one start to the next: a JSON file of texts. */
import { readFileSync, writeFileSync } from 'node:fs';
import { nativeTheme } from 'electron';
import { z } from 'zod';

const schema = z.record(z.string(), z.string());

/** Empty when there are none, or none that can be read. */
export function readPreferences(file: string): Readonly<Record<string, string>> {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}

/** Replaces those of the same names, and keeps the others. A window that forgets them is still one. */
export function writePreferences(file: string, preferences: Readonly<Record<string, string>>): void {
  const all = { ...readPreferences(file), ...preferences };
  try {
    writeFileSync(file, `${JSON.stringify(all)}\n`, { mode: 0o600 });
  } catch {
    // They are as before at the next start.
  }
}

const themes = ['system', 'light', 'dark'] as const;

/** What the window shows before its page has painted, its title bar and its dialogs follow the page's theme. */
export function followTheme({ theme }: Readonly<Record<string, string>>): void {
  nativeTheme.themeSource = themes.find((known) => known === theme) ?? 'system';
}
