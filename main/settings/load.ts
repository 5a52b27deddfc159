/**
 * Flags, environment and config.json -> Settings. Flag beats environment beats file beats default.
 * It knows the table; it does not know what a setting is for.
 */
import { refuseNestedFolders } from './hot-folders.ts';
import { attempt, SettingProblem } from './setting-problem.ts';
import { settingNames, table, type SettingName, type SettingRow, type Settings } from './table.ts';
import { readWritten, type SettingSources, type Written } from './written.ts';

export { SettingProblem } from './setting-problem.ts';
export type { SettingSources } from './written.ts';

/** With an absolute data folder. */
export type LoadedSettings = Settings & { readonly data: string };

/**
 * The settings and the data folder (absolute).
 * @throws SettingProblem naming the setting, where it was written, and what is allowed; where `complain` hears of it, the
 * setting has its default instead.
 */
export function loadSettings(sources: SettingSources): LoadedSettings {
  const { data, written } = readWritten(sources);
  const read = (name: SettingName) =>
    attempt(sources.complain, () => readSetting(name, written)) ?? defaultOf(name);
  const settings = Object.fromEntries(settingNames.map((name) => [name, read(name)]));
  attempt(sources.complain, () => {
    refuseNestedFolders(settings as unknown as Settings, data);
  });
  return { ...(settings as unknown as Settings), data };
}

function readSetting(name: SettingName, written: Written): unknown {
  const row: SettingRow = table[name];
  const given = written.get(name);
  const value = given?.text ?? row.default;
  if (value === undefined) return undefined;
  const read = row.kind.read(value);
  if (read !== undefined) return read;
  throw new SettingProblem(`${given?.place ?? name}: ${notAllowed(row, value)}.`);
}

function defaultOf(name: SettingName): unknown {
  const row: SettingRow = table[name];
  return row.default === undefined ? undefined : row.kind.read(row.default);
}

/** The end of a sentence about a value that its kind does not read. A secret is not shown. */
export function notAllowed(row: SettingRow, value: string): string {
  const shown = row.secret ? '' : ` '${value}'`;
  return `the value${shown} is not allowed; allowed: ${row.kind.allowed}`;
}
