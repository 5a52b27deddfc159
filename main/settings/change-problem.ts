/** Why a setting cannot be changed in config.json, whoever wants to: an operator in the console or at the command line. */
import { nearest } from '../fields/nearest.ts';
import { notAllowed } from './load.ts';
import { settingNames, table, type SettingName, type SettingRow } from './table.ts';
import type { Written } from './written.ts';

/** A sentence; undefined when it can be. `value` null: the file is to say nothing of it any more. */
export function changeProblem(name: string, value: string | null, written: Written): string | undefined {
  if (!Object.hasOwn(table, name)) return unknown(name);
  if (name === 'data')
    return 'data cannot be changed here: config.json is inside that folder. Change it where the service is started.';
  const given = written.get(name as SettingName);
  if (given?.from === 'flag' || given?.from === 'environment')
    return `${name} is set by the ${given.from === 'flag' ? 'flag' : 'variable'} ${given.place}, which beats config.json: change it where the service is started.`;
  const row: SettingRow = table[name as SettingName];
  if (value === null || row.kind.read(value) !== undefined) return undefined;
  return `${name}: ${notAllowed(row, value)}.`;
}

function unknown(name: string): string {
  const meant = nearest(name, settingNames);
  const hint = meant === undefined ? '.' : `; did you mean ${meant}?`;
  return `'${name.slice(0, 100)}' is not a known setting${hint}`;
}
