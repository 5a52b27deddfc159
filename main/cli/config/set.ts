/** `platen config set` and `unset`: what config.json says is changed as the console changes it, or not at all. */
import { z } from 'zod';
import { whyUnusable } from '../../failure/no-room.ts';
import { actAsOwnerOf } from '../../launch/act-as-owner.ts';
import { userOfDataFolder } from '../../launch/data-folder-lock.ts';
import { makeFolder } from '../../launch/make-folder.ts';
import type { Address } from '../../preflight/take-address.ts';
import { tryStart } from '../../preflight/try-start.ts';
import { changeProblem } from '../../settings/change-problem.ts';
import { changeConfig, replaceConfig, type SettingChanges } from '../../settings/config-change.ts';
import { parseConfig, readConfigText } from '../../settings/config-file.ts';
import { loadSettings, SettingProblem, type LoadedSettings } from '../../settings/load.ts';
import type { SettingName } from '../../settings/table.ts';
import { configPath, readWritten, type SettingSources, type Written } from '../../settings/written.ts';
import { askOwn } from '../own-address.ts';
import { UsageProblem } from '../usage-problem.ts';

/** Names and texts; null: the file is to say nothing of it any more. */
export type Wanted = readonly (readonly [name: string, text: string | null])[];

type Sources = Pick<SettingSources, 'environment' | 'flags'>;

/** Resolves with the exit code. @throws SettingProblem for what `serve` would refuse; Error when a start would fail */
export async function changeSettings(sources: Sources, wanted: Wanted): Promise<number> {
  const { data, written } = readWritten({ ...sources, config: () => [] });
  const changes = readChanges(wanted, written);
  actAsOwnerOf(data);
  openData(data);
  const path = configPath(data);
  const text = changeConfig(path, readConfigText(path), changes);
  await tryAll({ ...sources, config: () => parseConfig(path, text) }, data);
  await replaceConfig(path, text);
  for (const [name, value] of changes)
    say(value === null ? `${name} has its default again.` : `${name} is set.`);
  say(`It stands in ${path}${userOfDataFolder(data) === undefined ? '' : restartNeeded}.`);
  return 0;
}

const restartNeeded =
  ', and counts when the service that runs is started anew (platen service restart, or Restart in the console)';

/** @throws Error with one sentence */
function openData(data: string): void {
  try {
    makeFolder(data, 0o700);
  } catch (cause) {
    throw new Error(
      `the data folder ${data} cannot be made: ${whyUnusable(cause as NodeJS.ErrnoException)}.`,
      { cause },
    );
  }
}

function readChanges(wanted: Wanted, written: Written): SettingChanges {
  const problems = wanted.flatMap(([name, text]) => changeProblem(name, text, written) ?? []);
  if (problems.length > 0) throw new SettingProblem(problems.join(' '));
  return new Map(wanted as readonly (readonly [SettingName, string | null])[]);
}

/** What only a try can tell. */
async function tryAll({ config, ...sources }: Sources & Pick<SettingSources, 'config'>, data: string) {
  const settings = loadSettings({ ...sources, ...(config && { config }) });
  await tryStart(settings, await takenByOurs(settings, data)).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`A start would fail, so nothing was changed: ${why}`, { cause });
  });
}

/** The address of the service that runs will be free when it has ended. Flags, of which we know nothing, may have given it. */
async function takenByOurs(settings: LoadedSettings, data: string): Promise<Address> {
  const isOurs = userOfDataFolder(data) !== undefined && (await askOwn(settings, '/health')) !== undefined;
  return isOurs ? settings : { host: '', port: -1 };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const settingsJson = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** Of a JSON object, such as {"port": 9000, "alias": null}. @throws UsageProblem */
export function wantedInJson(text: string): Wanted {
  try {
    const entries = Object.entries(settingsJson.parse(JSON.parse(text)));
    return entries.map(([name, value]) => [name, value === null ? null : String(value)]);
  } catch {
    throw new UsageProblem('config set -: standard input must hold a JSON object of settings and texts.');
  }
}
