/** `platen config`: checks, shows and changes the settings. */
import { text as textOf } from 'node:stream/consumers';
import * as z from 'zod';
import { trimLineEnd, UsageProblem, alignColumns, printLine } from './terminal.ts';
import { findAction, parseArguments } from './arguments.ts';
import { switchToOwnerOf } from '../launch/switch-to-owner.ts';
import { settingView, type SettingView } from '../settings/setting-view.ts';
import { settingNames, type SettingName } from '../settings/table.ts';
import {
  configPath,
  readRawSettings,
  type SettingSources,
  type RawSettings,
} from '../settings/raw-settings.ts';
import { fileErrorReason, messageOf } from '../failure/failure.ts';
import { dataFolderPid } from '../launch/data-folder-lock.ts';
import { makeFolder } from '../launch/make-folder.ts';
import { tryStart, type ListenAddress } from '../preflight/take-address.ts';
import {
  changeProblem,
  changeConfig,
  replaceConfig,
  type SettingChanges,
} from '../settings/config-change.ts';
import { parseConfig, readConfigText } from '../settings/config-file.ts';
import { loadSettings, SettingProblem, type LoadedSettings } from '../settings/load.ts';
import { requestLocal } from './local-service.ts';

type ConfigAction = (parameters: readonly string[]) => Promise<number>;

const actions: Readonly<Record<string, ConfigAction>> = { check, show, set, unset };

/** Runs the command and resolves with the exit code. @throws UsageProblem, SettingProblem, Error with a one-sentence message */
export async function config([name, ...parameters]: readonly string[]): Promise<number> {
  if (name === '--help' || parameters.includes('--help')) {
    process.stdout.write(`${configHelp}\n`);
    return 0;
  }
  return await findAction('config', actions, name)(parameters);
}

async function check(parameters: readonly string[]): Promise<number> {
  const { checkConfig } = await import('./config/check.ts');
  return await checkConfig(...readShowArguments(parameters));
}

function show(parameters: readonly string[]): Promise<number> {
  return Promise.resolve(showConfig(...readShowArguments(parameters)));
}

/** Accepts the flags of `serve` and --json. */
function readShowArguments(parameters: readonly string[]) {
  const flags = parameters.filter((parameter) => parameter !== '--json');
  const format = flags.length < parameters.length ? ('json' as const) : ('table' as const);
  return [{ flags, environment: process.env }, format] as const;
}

async function set(parameters: readonly string[]): Promise<number> {
  const { positionals, sources } = readChangeArguments(parameters);
  if (positionals.length === 1 && positionals[0] === '-')
    return await changeSettings(sources, changesFromJson(await textOf(process.stdin)));
  if (positionals.length === 0 || positionals.length % 2 > 0)
    throw new UsageProblem('usage: platen config set NAME VALUE [NAME VALUE ...] [--data DIR]');
  return await changeSettings(sources, await readPairs(positionals));
}

/** Pairs names with values. Only one value can be `-`, because standard input can be read only once. */
async function readPairs(positionals: readonly string[]): Promise<[string, string][]> {
  if (positionals.filter((positional) => positional === '-').length > 1)
    throw new UsageProblem(
      'config set: only one value can be -; to set several from standard input use: config set -',
    );
  const pairs: [string, string][] = [];
  for (let index = 0; index < positionals.length; index += 2) {
    const value = positionals[index + 1] ?? '';
    pairs.push([positionals[index] ?? '', value === '-' ? trimLineEnd(await textOf(process.stdin)) : value]);
  }
  return pairs;
}

async function unset(parameters: readonly string[]): Promise<number> {
  const { positionals, sources } = readChangeArguments(parameters);
  if (positionals.length === 0)
    throw new UsageProblem('usage: platen config unset NAME [NAME ...] [--data DIR]');
  return await changeSettings(
    sources,
    positionals.map((name) => [name, null]),
  );
}

function readChangeArguments(parameters: readonly string[]) {
  const { positionals, flags } = parseArguments(parameters, { data: 'value' });
  const data = flags.get('data');
  return {
    positionals,
    sources: { flags: data === undefined ? [] : ['--data', data], environment: process.env },
  };
}

/** Output of `platen config --help`. */
const configHelp = `usage: platen config check [--json] [flags of serve]   check whether a start would succeed; lists all problems and their solutions
       platen config show [--json] [flags of serve]    list all settings with value, origin and description
       platen config set NAME VALUE [NAME VALUE ...]   write settings into config.json of the data folder
       platen config set NAME -                        read the value from standard input, which hides it from process lists
       platen config set -                             read a JSON object of settings from standard input
       platen config unset NAME [NAME ...]             remove settings; their defaults apply again

flag of set and unset: --data DIR, the data folder, as for serve. set and unset change nothing if a start with the
new settings would fail. All commands read the settings as serve does: flags, environment, config.json.
If root runs the command, it acts as the owner of the data folder.

exit code: 0; 1 if something other than a setting would prevent a start; 2 if a setting is wrong.`;

// `platen config show`.

/** Prints the settings and returns the exit code. @throws SettingProblem */
function showConfig(
  sources: Pick<SettingSources, 'environment' | 'flags'>,
  format: 'table' | 'json',
): number {
  switchToOwnerOf(readRawSettings({ ...sources, config: () => [] }).data);
  const all = readRawSettings(sources);
  const views = settingNames.map((name) => settingView(name, all, all.file));
  const report = { file: configPath(all.data), settings: views };
  process.stdout.write(format === 'json' ? `${JSON.stringify(report, null, 2)}\n` : formatSettings(views));
  return 0;
}

/** Formats the settings as a table, with defaults in parentheses. */
function formatSettings(views: readonly SettingView[]): string {
  const rows = views.map(({ name, value, origin, description, default: defaultText }) => [
    name,
    value ?? `(${defaultText})`,
    origin,
    description,
  ]);
  return `${alignColumns([['SETTING', 'VALUE', 'FROM', 'DESCRIPTION'], ...rows]).join('\n')}\n`;
}

// `platen config set` and `unset`: change all requested settings or none.

/** Names and new values; null removes a setting. */
type RequestedChanges = readonly (readonly [name: string, text: string | null])[];

type ChangeSources = Pick<SettingSources, 'environment' | 'flags'>;

/**
 * Changes settings in config.json and resolves with the exit code.
 * @throws SettingProblem for settings that `serve` would reject; Error if a start would fail
 */
export async function changeSettings(sources: ChangeSources, requested: RequestedChanges): Promise<number> {
  const { data, effective } = readRawSettings({ ...sources, config: () => [] });
  const changes = readChanges(requested, effective);
  switchToOwnerOf(data);
  ensureDataFolder(data);
  const path = configPath(data);
  const text = changeConfig(path, readConfigText(path), changes);
  await tryStartWith({ ...sources, config: () => parseConfig(path, text) }, data);
  await replaceConfig(path, text);
  for (const [name, value] of changes)
    printLine(value === null ? `${name} reset to its default.` : `${name} set.`);
  printLine(`Written to ${path}${dataFolderPid(data) === undefined ? '' : restartNote}.`);
  return 0;
}

const restartNote =
  '; restart the running service to apply it (platen service restart, or Restart in the console)';

/** Creates the data folder if it is missing. @throws Error with a one-sentence message */
function ensureDataFolder(data: string): void {
  try {
    makeFolder(data, 0o700);
  } catch (cause) {
    throw new Error(
      `the data folder ${data} cannot be created: ${fileErrorReason(cause as NodeJS.ErrnoException)}.`,
      { cause },
    );
  }
}

function readChanges(requested: RequestedChanges, rawSettings: RawSettings): SettingChanges {
  const problems = requested.flatMap(([name, text]) => changeProblem(name, text, rawSettings) ?? []);
  if (problems.length > 0) throw new SettingProblem(problems.join(' '));
  return new Map(requested as readonly (readonly [SettingName, string | null])[]);
}

/** Checks the changed settings as a start would. @throws Error if a start would fail */
async function tryStartWith(
  { config, ...sources }: ChangeSources & Pick<SettingSources, 'config'>,
  data: string,
) {
  const settings = loadSettings({ ...sources, ...(config && { config }) });
  await tryStart(settings, await currentAddress(settings, data)).catch((cause: unknown) => {
    const why = messageOf(cause);
    throw new Error(`A start would fail, so nothing was changed: ${why}`, { cause });
  });
}

/**
 * Returns the address of the running service, which a restart would free. The flags of that service are unknown here, so its real
 * address may differ.
 */
async function currentAddress(settings: LoadedSettings, data: string): Promise<ListenAddress> {
  const isServiceRunning =
    dataFolderPid(data) !== undefined && (await requestLocal(settings, '/health')) !== undefined;
  return isServiceRunning ? settings : { host: '', port: -1 };
}

const settingsJson = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** Parses a JSON object such as {"port": 9000, "alias": null}. @throws UsageProblem */
function changesFromJson(text: string): RequestedChanges {
  try {
    const entries = Object.entries(settingsJson.parse(JSON.parse(text)));
    return entries.map(([name, value]) => [name, value === null ? null : String(value)]);
  } catch {
    throw new UsageProblem('config set -: standard input must contain a JSON object of settings.');
  }
}
