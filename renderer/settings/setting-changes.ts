/** Unsaved changes to the settings. They are kept while another view is shown. */
import { signal } from '@preact/signals';
import type { SettingView } from '../../main/console/contract.ts';

/** By setting: the value as the operator enters it, or null to reset the setting to its default. */
type UnsavedChanges = ReadonlyMap<string, string | null>;

export const settingChanges = signal<UnsavedChanges>(new Map());

/** The error of the last attempt to save. */
export const saveError = signal<SaveError>({ general: undefined, bySetting: new Map() });

interface SaveError {
  /** The sentences of the error that name no changed setting; undefined if there are none. */
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

/**
 * Returns the changes with a new value. Removes the change instead if `entered` is undefined or equals the value in the settings
 * file.
 */
export function withChange(
  before: UnsavedChanges,
  { name, written, secret }: SettingView,
  entered: string | null | undefined,
): UnsavedChanges {
  const next = new Map(before);
  const value = typeof entered === 'string' && entered.trim() === '' ? null : entered;
  // The console does not know the stored secret, so any text counts as a change.
  const isSame = secret && value !== null ? false : value === written;
  if (value === undefined || isSame) next.delete(name);
  else next.set(name, value);
  return next;
}

/** Splits an error of the service into its sentences, by the setting name at the start of a sentence. */
export function splitSaveError(message: string, names: readonly string[]): SaveError {
  // eslint-disable-next-line platen/linear-pattern -- Each sentence has one start, because of the look-behind.
  const starts = [...message.matchAll(/(?<=^|[.] )[a-z][a-z0-9-]*(?=:| )/g)].filter(([name]) =>
    names.includes(name),
  );
  const bySetting = new Map<string, string>();
  starts.forEach(({ 0: name, index }, order) => {
    const sentence = message.slice(index, starts[order + 1]?.index).trim();
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
