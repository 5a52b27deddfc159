/** docs/settings.md: every setting, from the operator's table. */
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
    const usual = row.defaultSays ?? (row.default === undefined ? '' : `\`${row.default}\``);
    return cells(`\`--${name}\``, `\`${environmentName(name)}\``, row.kind.allowed, usual, row.says);
  });
  return `${notice}# Settings

Flag beats environment beats \`config.json\` in the data folder (where the key is the flag's name without its dashes) beats default.
Durations are seconds, sizes megabytes of 1,000,000 bytes, both also with a unit. An unknown or malformed setting stops the
start with exit code 2.

${table(['flag', 'environment', 'allowed', 'default', 'meaning'], rows)}
`;
}
