/** What follows from what the service says of a setting: its control, why it is locked, what a restart would change. Pure. */
import type { SettingView } from '../../main/console/contract.ts';

export type SettingControl = 'switch' | 'select' | 'secret' | 'text';

/** A switch only where its default is plain: other settings of on and off have a third state, "as the machine is". */
export function controlOf({ secret, schema, default: usual }: SettingView): SettingControl {
  if (secret) return 'secret';
  if (schema.enum === undefined) return 'text';
  const isOnOff = schema.enum.length === 2 && schema.enum.includes('on') && schema.enum.includes('off');
  return isOnOff && schema.enum.includes(usual) ? 'switch' : 'select';
}

export type Lock =
  | { readonly by: 'flag' | 'environment'; readonly place: string }
  /** The service takes no other value here. */
  | { readonly by: 'data' | 'database' };

/** Undefined: it can be changed here. */
export function lockOf({ name, from }: Pick<SettingView, 'name' | 'from'>): Lock | undefined {
  if (from === 'flag') return { by: 'flag', place: `--${name}` };
  if (from === 'environment') return { by: 'environment', place: variableOf(name) };
  return name === 'data' || name === 'database' ? { by: name } : undefined;
}

/** `job-timeout` -> `PLATEN_JOB_TIMEOUT`. */
export function variableOf(name: string): string {
  return `PLATEN_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** Whether the file says something else than what is in force. Of a changed secret nobody can tell. */
export function waitsForRestart({ from, value, written }: SettingView): boolean {
  if (from === 'flag' || from === 'environment') return false;
  return written === null ? from === 'file' : written !== value;
}

/**
 * What is surely wrong with a text: the schema is for the usual spelling, so what it refuses only for its case or blanks is
 * left to the service.
 */
export function isWrong({ schema }: Pick<SettingView, 'schema'>, text: string): boolean {
  const plain = text.replaceAll(/\s/g, '');
  if (plain === '') return false;
  if (schema.type === 'integer') return !isWithin(schema, plain);
  return schema.pattern !== undefined && !new RegExp(schema.pattern, 'i').test(plain);
}

function isWithin({ minimum = -Infinity, maximum = Infinity }: SettingView['schema'], text: string): boolean {
  return /^[+-]?\d{1,15}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum;
}

/** Settings by which the page itself is reached. */
const ofTheAddress: readonly string[] = ['host', 'port', 'base-url', 'tls-cert'];

/** Those that wait for a restart after which the service may be at another address. */
export function moves(settings: readonly SettingView[]): string[] {
  return settings
    .filter((setting) => waitsForRestart(setting) && ofTheAddress.includes(setting.name))
    .map(({ name }) => name);
}

/** All words of the search stand somewhere; `words` are those that only the interface has for it. */
export function isFound({ name, says, allowed }: SettingView, search: string, words: string): boolean {
  const place = [name, name.replaceAll('-', ' '), says, allowed, words].join(' ').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => place.includes(word));
}
