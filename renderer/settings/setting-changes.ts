/** Unsaved changes of the settings form. They survive a switch to another view. */
import { signal } from '@preact/signals';
import type { SettingView } from '../../main/console/contract.ts';

/** Values as the operator enters them; null resets a setting to its default. */
export type Changes = ReadonlyMap<string, string | null>;

export const settingChanges = signal<Changes>(new Map());

/** The error of the last attempt to save. */
export const refusal = signal<SettingRefusal>({ general: undefined, of: new Map() });

export interface SettingRefusal {
  /** The part that belongs to no single setting. */
  readonly general: string | undefined;
  readonly of: ReadonlyMap<string, string>;
}

export function changeSetting(setting: SettingView, wanted: string | null | undefined): void {
  settingChanges.value = withChange(settingChanges.value, setting, wanted);
  const of = new Map(refusal.value.of);
  of.delete(setting.name);
  refusal.value = { general: settingChanges.value.size === 0 ? undefined : refusal.value.general, of };
}

export function discardChanges(): void {
  settingChanges.value = new Map();
  refusal.value = { general: undefined, of: new Map() };
}

/** Undefined removes the change; so does the value that the settings file already contains. */
export function withChange(
  before: Changes,
  { name, written, secret }: SettingView,
  wanted: string | null | undefined,
): Changes {
  const next = new Map(before);
  const value = typeof wanted === 'string' && wanted.trim() === '' ? null : wanted;
  // The stored secret is unknown here, so any text counts as a change.
  const same = secret && value !== null ? false : value === written;
  if (value === undefined || same) next.delete(name);
  else next.set(name, value);
  return next;
}

/** Splits an error of the service by the setting names at the start of its sentences. */
export function splitRefusal(message: string, names: readonly string[]): SettingRefusal {
  const starts = [...message.matchAll(/(?<=^|[.] )[a-z][a-z0-9-]*(?=:| )/g)].filter(([name]) =>
    names.includes(name),
  );
  const of = new Map<string, string>();
  starts.forEach(({ 0: name, index }, at) => {
    const sentence = message.slice(index, starts[at + 1]?.index).trim();
    of.set(name, sentence.startsWith(`${name}: `) ? asSentence(sentence.slice(name.length + 2)) : sentence);
  });
  const general = message.slice(0, starts[0]?.index).trim();
  return { general: general === '' ? undefined : general, of };
}

function asSentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
