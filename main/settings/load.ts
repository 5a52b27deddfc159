/**
 * Loads the settings from flags, environment and config.json. Flags override the environment, which overrides the file, which
 * overrides the defaults.
 */
import { rejectNestedFolders } from './hot-folders.ts';
import { readOrReport, SettingProblem } from './setting-problem.ts';
import { settingNames, table, type SettingName, type SettingRow, type Settings } from './table.ts';
import { readRawSettings, type SettingSources, type RawSettings } from './raw-settings.ts';

export { SettingProblem } from './setting-problem.ts';
export type { SettingSources } from './raw-settings.ts';

export type LoadedSettings = Settings & { readonly data: string };

/**
 * Returns the settings, with an absolute data folder. If `sources.onProblem` is given, it is called with each problem and the
 * setting gets its default.
 * @throws SettingProblem that names the setting, where it was given, and what is allowed
 */
export function loadSettings(sources: SettingSources): LoadedSettings {
  const { data, effective } = readRawSettings(sources);
  const read = (name: SettingName) =>
    readOrReport(sources.onProblem, () => readSetting(name, effective)) ?? defaultOf(name);
  const settings = Object.fromEntries(settingNames.map((name) => [name, read(name)]));
  readOrReport(sources.onProblem, () => {
    rejectNestedFolders(settings as unknown as Settings, data);
  });
  return { ...(settings as unknown as Settings), data };
}

function readSetting(name: SettingName, rawSettings: RawSettings): unknown {
  const row: SettingRow = table[name];
  const raw = rawSettings.get(name);
  const value = raw?.text ?? row.default;
  if (value === undefined) return undefined;
  const parsed = row.kind.read(value);
  if (parsed !== undefined) return parsed;
  throw new SettingProblem(`${raw?.location ?? name}: ${notAllowedMessage(row, value)}.`);
}

function defaultOf(name: SettingName): unknown {
  const row: SettingRow = table[name];
  return row.default === undefined ? undefined : row.kind.read(row.default);
}

/** Returns the end of a sentence about a value that the setting does not allow. Secrets are not shown. */
export function notAllowedMessage(row: SettingRow, value: string): string {
  const shown = row.secret ? '' : ` '${value}'`;
  return `the value${shown} is not allowed; allowed: ${row.kind.allowed}`;
}
