/** Derives the control, the lock and the pending change of a setting from the service's description. Pure functions. */
import type { SettingView } from '../../main/console/contract.ts';

export type SettingControl = 'switch' | 'select' | 'secret' | 'text';

/**
 * Returns the kind of control. An on/off setting without a default has a third state, in which the service decides, so it needs a
 * list instead of a switch.
 */
export function controlOf({ secret, schema, default: defaultValue }: SettingView): SettingControl {
  if (secret) return 'secret';
  if (schema.enum === undefined) return 'text';
  const isOnOff = schema.enum.length === 2 && schema.enum.includes('on') && schema.enum.includes('off');
  return isOnOff && schema.enum.includes(defaultValue) ? 'switch' : 'select';
}

export type SettingLock =
  | { readonly lockedBy: 'flag' | 'environment'; readonly source: string }
  /** Settings that the console can never change. */
  | { readonly lockedBy: 'data' | 'database' };

/** Returns why the console cannot change a setting; undefined if it can. */
export function lockOf({ name, origin }: Pick<SettingView, 'name' | 'origin'>): SettingLock | undefined {
  if (origin === 'flag') return { lockedBy: 'flag', source: `--${name}` };
  if (origin === 'environment') return { lockedBy: 'environment', source: variableOf(name) };
  return name === 'data' || name === 'database' ? { lockedBy: name } : undefined;
}

/** Returns the environment variable of a setting: `PLATEN_JOB_TIMEOUT` for `job-timeout`. */
export function variableOf(name: string): string {
  return `PLATEN_${name.toUpperCase().replaceAll('-', '_')}`;
}

/**
 * Returns whether the value in the settings file takes effect only after a restart. A flag or an environment variable overrides the
 * file.
 */
export function waitsForRestart({ origin, value, written }: SettingView): boolean {
  if (origin === 'flag' || origin === 'environment') return false;
  return written === null ? origin === 'file' : written !== value;
}

/**
 * Returns whether a value is certainly invalid. Ignores case and spaces: the service accepts more spellings than the schema
 * describes.
 */
export function isInvalid({ schema }: Pick<SettingView, 'schema'>, text: string): boolean {
  const plain = text.replaceAll(/\s/g, '');
  if (plain === '') return false;
  if (schema.type === 'integer') return !isWithin(schema, plain);
  // eslint-disable-next-line platen/linear-pattern -- A pattern of the table of settings, on one field of the form.
  return schema.pattern !== undefined && !new RegExp(schema.pattern, 'i').test(plain);
}

function isWithin({ minimum = -Infinity, maximum = Infinity }: SettingView['schema'], text: string): boolean {
  return /^[+-]?\d{1,15}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum;
}

/** Settings that determine the URL of this page. */
const addressSettings: readonly string[] = ['host', 'port', 'base-url', 'tls-cert'];

/** Returns the names of pending settings that may change the URL of the service at the next restart. */
export function addressChanges(settings: readonly SettingView[]): string[] {
  return settings
    .filter((setting) => waitsForRestart(setting) && addressSettings.includes(setting.name))
    .map(({ name }) => name);
}

/**
 * Returns whether all search words occur in the texts of the setting. `words` are more texts to search, such as the title of its
 * group.
 */
export function matchesSearch(
  { name, description, allowed }: SettingView,
  search: string,
  words: string,
): boolean {
  const searchableText = [name, name.replaceAll('-', ' '), description, allowed, words]
    .join(' ')
    .toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searchableText.includes(word));
}
