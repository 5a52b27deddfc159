/** `platen config check`: whether `serve` would start with what it would read, every problem at once. */
import { actAsOwnerOf } from '../../launch/act-as-owner.ts';
import { userOfDataFolder } from '../../launch/data-folder-lock.ts';
import { loadSettings } from '../../settings/load.ts';
import { settingView } from '../../settings/setting-view.ts';
import { settingNames } from '../../settings/table.ts';
import { readWritten, type AllWritten, type SettingSources } from '../../settings/written.ts';
import { aligned } from '../aligned.ts';
import { resultOf, type CheckResult } from './check-of.ts';
import { configChecks } from './checks.ts';

interface Report {
  readonly data: string;
  /** Those that are not the default: name, value, where it stands. */
  readonly settings: readonly { readonly name: string; readonly value: string; readonly place: string }[];
  readonly results: readonly CheckResult[];
}

/** Resolves with the exit code: 2 when a setting is wrong, 1 when something else would stop a start. */
export async function checkConfig(
  sources: Pick<SettingSources, 'environment' | 'flags'>,
  form: 'table' | 'json',
): Promise<number> {
  const { data } = readWritten({ ...sources, config: () => [], complain() {} });
  actAsOwnerOf(data);
  const wrong: CheckResult[] = [];
  const settings = loadSettings({
    ...sources,
    complain({ message }) {
      wrong.push({ name: 'setting', state: 'failed', says: message });
    },
  });
  const results = [...wrong];
  const scene = { settings, user: userOfDataFolder(data) };
  // One after another: each line stands where it belongs, and none disturbs another.
  for (const check of configChecks) {
    const result = await resultOf(check, scene);
    if (result !== undefined) results.push(result);
  }
  const report = { data, settings: changed(readWritten({ ...sources, complain() {} })), results };
  process.stdout.write(form === 'json' ? `${JSON.stringify(report, null, 2)}\n` : inWords(report));
  if (wrong.length > 0) return 2;
  return results.some(({ state }) => state === 'failed') ? 1 : 0;
}

function changed(all: AllWritten): Report['settings'] {
  return settingNames.flatMap((name) => {
    const given = all.written.get(name);
    if (given === undefined || given.from === 'default') return [];
    return [{ name, value: settingView(name, all, all.file).value ?? '', place: given.place }];
  });
}

function inWords({ data, settings, results }: Report): string {
  const rows = settings.map(({ name, value, place }) => [name, value, placeInWords(name, place)]);
  const head =
    rows.length === 0
      ? `Every setting has its default; the data folder is ${data}.`
      : aligned([['SETTING', 'VALUE', 'FROM'], ...rows]).join('\n');
  const lines = aligned(results.map(({ name, state, says }) => [state, name, says]));
  return `${head}\n\n${lines.join('\n')}\n\n${verdict(results)}\n`;
}

/** `port in /x/config.json` names the setting once more than a table needs. */
function placeInWords(name: string, place: string): string {
  return place.startsWith(`${name} in `) ? place.slice(name.length + 4) : place;
}

function verdict(results: readonly CheckResult[]): string {
  const count = (state: CheckResult['state']) => results.filter((result) => result.state === state).length;
  const [failed, warnings] = [count('failed'), count('warning')];
  if (failed > 0) return `${failed === 1 ? 'One thing has' : `${failed} things have`} to be changed.`;
  if (warnings === 0) return 'All is well.';
  return `A start would succeed, with ${warnings === 1 ? 'a warning' : `${warnings} warnings`}.`;
}
