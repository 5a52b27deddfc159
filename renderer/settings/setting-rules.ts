/** Derives the control, the lock and the pending change of a setting from the service's description. Pure. */
import type { SettingView } from '../../main/console/contract.ts';

export type SettingControl = 'switch' | 'select' | 'secret' | 'text';

/** A switch only if there is a default. Other on/off settings have a third state: the service decides. */
export function controlOf({ secret, schema, default: usual }: SettingView): SettingControl {
  if (secret) return 'secret';
  if (schema.enum === undefined) return 'text';
  const isOnOff = schema.enum.length === 2 && schema.enum.includes('on') && schema.enum.includes('off');
  return isOnOff && schema.enum.includes(usual) ? 'switch' : 'select';
}

export type Lock =
  | { readonly by: 'flag' | 'environment'; readonly place: string }
  /** The console cannot change this setting. */
  | { readonly by: 'data' | 'database' };

/** Undefined: the setting can be changed here. */
export function lockOf({ name, from }: Pick<SettingView, 'name' | 'from'>): Lock | undefined {
  if (from === 'flag') return { by: 'flag', place: `--${name}` };
  if (from === 'environment') return { by: 'environment', place: variableOf(name) };
  return name === 'data' || name === 'database' ? { by: name } : undefined;
}

/** `job-timeout` -> `PLATEN_JOB_TIMEOUT`. */
export function variableOf(name: string): string {
  return `PLATEN_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** Whether the file differs from the value in effect. For a changed secret, the difference is unknown. */
export function waitsForRestart({ from, value, written }: SettingView): boolean {
  if (from === 'flag' || from === 'environment') return false;
  return written === null ? from === 'file' : written !== value;
}

/**
 * Whether a value is definitely invalid. The schema describes the usual spelling, so a value that differs only in case or
 * spaces is left to the service.
 */
export function isInvalid({ schema }: Pick<SettingView, 'schema'>, text: string): boolean {
  const plain = text.replaceAll(/\s/g, '');
  if (plain === '') return false;
  if (schema.type === 'integer') return !isWithin(schema, plain);
  return schema.pattern !== undefined && !new RegExp(schema.pattern, 'i').test(plain);
}

function isWithin({ minimum = -Infinity, maximum = Infinity }: SettingView['schema'], text: string): boolean {
  return /^[+-]?\d{1,15}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum;
}

/** Settings that determine the URL of this page. */
const addressSettings: readonly string[] = ['host', 'port', 'base-url', 'tls-cert'];

/** Pending settings that may change the URL of the service at the next restart. */
export function addressChanges(settings: readonly SettingView[]): string[] {
  return settings
    .filter((setting) => waitsForRestart(setting) && addressSettings.includes(setting.name))
    .map(({ name }) => name);
}

/** Whether all search words occur; `words` are additional texts of the UI, such as the group title. */
export function matchesSearch(
  { name, description, allowed }: SettingView,
  search: string,
  words: string,
): boolean {
  const place = [name, name.replaceAll('-', ' '), description, allowed, words].join(' ').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => place.includes(word));
}
