/** `platen config check`: checks whether `serve` would start with the same flags and environment, and reports all problems. */
import { switchToOwnerOf } from '../../launch/switch-to-owner.ts';
import { dataFolderPid } from '../../launch/data-folder-lock.ts';
import { loadSettings } from '../../settings/load.ts';
import { settingView } from '../../settings/setting-view.ts';
import { settingNames } from '../../settings/table.ts';
import {
  readRawSettings,
  type RawSettingsByOrigin,
  type SettingSources,
} from '../../settings/raw-settings.ts';
import { alignColumns } from '../terminal.ts';
import { runCheck, configChecks, type CheckResult } from './checks.ts';

export interface ConfigReport {
  readonly data: string;
  /** Settings that differ from their defaults: name, value and where the value comes from. */
  readonly settings: readonly { readonly name: string; readonly value: string; readonly location: string }[];
  readonly results: readonly CheckResult[];
}

/**
 * Prints the report. Resolves with the exit code: 0 if a start would succeed, 2 if a setting is wrong, 1 if something else would
 * prevent a start.
 */
export async function checkConfig(
  sources: Pick<SettingSources, 'environment' | 'flags'>,
  format: 'table' | 'json',
): Promise<number> {
  const { data } = readRawSettings({ ...sources, config: () => [], onProblem() {} });
  switchToOwnerOf(data);
  const invalidSettings: CheckResult[] = [];
  const settings = loadSettings({
    ...sources,
    onProblem({ message }) {
      invalidSettings.push({ name: 'setting', state: 'failed', message });
    },
  });
  const results = [...invalidSettings];
  const context = { settings, servicePid: dataFolderPid(data) };
  // Sequential, because checks that write files or open ports could affect each other.
  for (const check of configChecks) {
    const result = await runCheck(check, context);
    if (result !== undefined) results.push(result);
  }
  const report = {
    data,
    settings: changedSettings(readRawSettings({ ...sources, onProblem() {} })),
    results,
  };
  process.stdout.write(format === 'json' ? `${JSON.stringify(report, null, 2)}\n` : formatReport(report));
  if (invalidSettings.length > 0) return 2;
  return results.some(({ state }) => state === 'failed') ? 1 : 0;
}

function changedSettings(all: RawSettingsByOrigin): ConfigReport['settings'] {
  return settingNames.flatMap((name) => {
    const raw = all.effective.get(name);
    if (raw === undefined || raw.origin === 'default') return [];
    return [{ name, value: settingView(name, all, all.file).value ?? '', location: raw.location }];
  });
}

function formatReport({ data, settings, results }: ConfigReport): string {
  const rows = settings.map(({ name, value, location }) => [name, value, shortLocation(name, location)]);
  const settingsText =
    rows.length === 0
      ? `Every setting has its default; the data folder is ${data}.`
      : alignColumns([['SETTING', 'VALUE', 'FROM'], ...rows]).join('\n');
  const lines = alignColumns(results.map(({ name, state, message }) => [state, name, message]));
  return `${settingsText}\n\n${lines.join('\n')}\n\n${verdict(results)}\n`;
}

/** Shortens `port in /x/config.json` to `/x/config.json`, because the table already names the setting. */
function shortLocation(name: string, location: string): string {
  return location.startsWith(`${name} in `) ? location.slice(name.length + 4) : location;
}

function verdict(results: readonly CheckResult[]): string {
  const count = (state: CheckResult['state']) => results.filter((result) => result.state === state).length;
  const failed = count('failed');
  const warnings = count('warning');
  if (failed > 0)
    return `A start would fail: ${failed === 1 ? '1 check has' : `${failed} checks have`} failed.`;
  if (warnings === 0) return 'A start would succeed.';
  return `A start would succeed, with ${warnings === 1 ? 'a warning' : `${warnings} warnings`}.`;
}
