/** What was changed in the form and is not saved yet; it outlives a look at another view. */
import { signal } from '@preact/signals';
import type { SettingView } from '../../main/console/contract.ts';

/** Texts as an operator writes them; null: back to the default. */
export type Changes = ReadonlyMap<string, string | null>;

export const changes = signal<Changes>(new Map());

/** What the service said against the last try to save them. */
export const refusal = signal<SettingRefusal>({ general: undefined, of: new Map() });

export interface SettingRefusal {
  /** What belongs to no single setting. */
  readonly general: string | undefined;
  readonly of: ReadonlyMap<string, string>;
}

export function changeSetting(setting: SettingView, wanted: string | null | undefined): void {
  changes.value = withChange(changes.value, setting, wanted);
  const of = new Map(refusal.value.of);
  of.delete(setting.name);
  refusal.value = { general: changes.value.size === 0 ? undefined : refusal.value.general, of };
}

export function discardChanges(): void {
  changes.value = new Map();
  refusal.value = { general: undefined, of: new Map() };
}

/** Undefined takes the change back, and so does what the file says anyway. */
export function withChange(
  before: Changes,
  { name, written, secret }: SettingView,
  wanted: string | null | undefined,
): Changes {
  const next = new Map(before);
  const value = typeof wanted === 'string' && wanted.trim() === '' ? null : wanted;
  // What a secret was is not known, so any text may be another one.
  const same = secret && value !== null ? false : value === written;
  if (value === undefined || same) next.delete(name);
  else next.set(name, value);
  return next;
}

/** A service's refusal, shared out to the settings whose names begin its sentences. */
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
