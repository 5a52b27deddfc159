/** Unsaved changes of the settings form. They survive a switch to another view. */
import { signal } from '@preact/signals';
import type { SettingView } from '../../main/console/contract.ts';

/** Values as the operator enters them; null resets a setting to its default. */
export type UnsavedChanges = ReadonlyMap<string, string | null>;

export const settingChanges = signal<UnsavedChanges>(new Map());

/** The error of the last attempt to save. */
export const saveError = signal<SaveError>({ general: undefined, bySetting: new Map() });

export interface SaveError {
  /** The sentences that name no changed setting. */
  readonly general: string | undefined;
  readonly bySetting: ReadonlyMap<string, string>;
}

export function changeSetting(setting: SettingView, value: string | null | undefined): void {
  settingChanges.value = withChange(settingChanges.value, setting, value);
  const bySetting = new Map(saveError.value.bySetting);
  bySetting.delete(setting.name);
  saveError.value = {
    general: settingChanges.value.size === 0 ? undefined : saveError.value.general,
    bySetting,
  };
}

export function discardChanges(): void {
  settingChanges.value = new Map();
  saveError.value = { general: undefined, bySetting: new Map() };
}

/** Adds a change. Removes it instead if `entered` is undefined or equals the value in the settings file. */
export function withChange(
  before: UnsavedChanges,
  { name, written, secret }: SettingView,
  entered: string | null | undefined,
): UnsavedChanges {
  const next = new Map(before);
  const value = typeof entered === 'string' && entered.trim() === '' ? null : entered;
  // The stored secret is unknown here, so any text counts as a change.
  const isSame = secret && value !== null ? false : value === written;
  if (value === undefined || isSame) next.delete(name);
  else next.set(name, value);
  return next;
}

/** Splits an error of the service by the setting names at the start of its sentences. */
export function splitSaveError(message: string, names: readonly string[]): SaveError {
  const starts = [...message.matchAll(/(?<=^|[.] )[a-z][a-z0-9-]*(?=:| )/g)].filter(([name]) =>
    names.includes(name),
  );
  const bySetting = new Map<string, string>();
  starts.forEach(({ 0: name, index }, at) => {
    const sentence = message.slice(index, starts[at + 1]?.index).trim();
    bySetting.set(
      name,
      sentence.startsWith(`${name}: `) ? asSentence(sentence.slice(name.length + 2)) : sentence,
    );
  });
  const general = message.slice(0, starts[0]?.index).trim();
  return { general: general === '' ? undefined : general, bySetting };
}

function asSentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
