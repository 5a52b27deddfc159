/** `platen config show`: every setting with its value, who decided it, and what it is for. */
import { actAsOwnerOf } from '../../launch/act-as-owner.ts';
import { settingView, type SettingView } from '../../settings/setting-view.ts';
import { settingNames } from '../../settings/table.ts';
import { configPath, readWritten, type SettingSources } from '../../settings/written.ts';
import { aligned } from '../aligned.ts';

/** The exit code. @throws SettingProblem */
export function showConfig(
  sources: Pick<SettingSources, 'environment' | 'flags'>,
  form: 'table' | 'json',
): number {
  actAsOwnerOf(readWritten({ ...sources, config: () => [] }).data);
  const all = readWritten(sources);
  const views = settingNames.map((name) => settingView(name, all, all.file));
  const report = { file: configPath(all.data), settings: views };
  process.stdout.write(form === 'json' ? `${JSON.stringify(report, null, 2)}\n` : inWords(views));
  return 0;
}

/** In brackets: what it is when nobody says anything. */
function inWords(views: readonly SettingView[]): string {
  const rows = views.map(({ name, value, from, says, default: usual }) => [
    name,
    value ?? `(${usual})`,
    from,
    says,
  ]);
  return `${aligned([['SETTING', 'VALUE', 'FROM', 'MEANING'], ...rows]).join('\n')}\n`;
}
