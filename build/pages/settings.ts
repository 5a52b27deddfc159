/** Generates docs/settings.md from the table of settings. */
import {
  environmentName,
  settingNames,
  table as settings,
  type SettingRow,
} from '../../main/settings/table.ts';
import { cells, notice, table } from './markdown.ts';

export function settingsPage(): string {
  const rows = settingNames.map((name) => {
    const row: SettingRow = settings[name];
    const defaultText = row.defaultDescription ?? (row.default === undefined ? '' : `\`${row.default}\``);
    return cells(
      `\`--${name}\``,
      `\`${environmentName(name)}\``,
      row.kind.allowed,
      defaultText,
      row.description,
    );
  });
  return `${notice}# Settings

A flag takes precedence over the environment variable, and the variable over \`config.json\` in the data folder (its keys are the flags
without dashes). Durations are in seconds and sizes in megabytes of 1,000,000 bytes, unless you add a unit. An unknown or invalid
setting ends the start with exit code 2.

${table(['flag', 'environment', 'allowed', 'default', 'meaning'], rows)}
`;
}
