/** The console calls that show settings and change config.json. Changes that would make the next start fail are refused. */
import { isDeepStrictEqual } from 'node:util';
import type { Account } from '../accounts/account.ts';
import { Failure, isOutOfResources } from '../failure/failure.ts';
import type { ServiceLog } from '../log/service-log.ts';
import {
  changeProblem,
  changeConfig,
  replaceConfig,
  type SettingChanges,
} from '../settings/config-change.ts';
import { parseConfig, readConfigText } from '../settings/config-file.ts';
import { loadSettings, type LoadedSettings } from '../settings/load.ts';
import { SettingProblem } from '../settings/setting-problem.ts';
import { settingNames, table, type SettingName, type SettingRow } from '../settings/table.ts';
import {
  configPath,
  readRawSettings,
  type RawSettingsByOrigin,
  type RawSettings,
} from '../settings/raw-settings.ts';
import type { Handlers } from './calls.ts';
import { settingView } from '../settings/setting-view.ts';
import type { SettingsView } from './contract.ts';

export interface SettingsCallDependencies extends SettingsViewDependencies {
  readonly log: ServiceLog;
  /**
   * Tests settings that validation alone cannot check, such as the files of the certificate. Rejects with an Error whose message is
   * one sentence if a start would fail.
   */
  readonly tryStart: (settings: LoadedSettings) => Promise<void>;
}

export function settingsCalls(
  dependencies: SettingsCallDependencies,
): Pick<Handlers, 'settings' | 'changeSettings'> {
  // Changes run one after another, because each must read the file that the previous one has written.
  let previous: Promise<unknown> = Promise.resolve();
  return {
    settings: () => Promise.resolve(settingsView(dependencies)),
    changeSettings({ values }, caller) {
      const changed = previous.then(() => change(dependencies, values, caller));
      previous = changed.catch(() => {});
      return changed.then(() => settingsView(dependencies));
    },
  };
}

/** Returns the settings of the next start. @throws Failure valueNotAllowed if the start would fail */
export async function nextSettings(
  { environment, tryStart }: Pick<SettingsCallDependencies, 'environment' | 'tryStart'>,
  config?: { readonly path: string; readonly text: string },
): Promise<LoadedSettings> {
  const entries = config && (() => parseConfig(config.path, config.text));
  const settings = orFailure(() =>
    loadSettings({ flags: [], environment, ...(entries && { config: entries }) }),
  );
  await tryStart(settings).catch((cause: unknown) => {
    if (isOutOfResources(cause) || !(cause instanceof Error)) throw cause;
    throw new Failure(
      'valueNotAllowed',
      `Nothing was changed, because a start would fail: ${cause.message}`,
      { cause },
    );
  });
  return settings;
}

/** Calls `read` and turns a SettingProblem into a Failure. @throws Failure valueNotAllowed */
function orFailure<T>(read: () => T): T {
  try {
    return read();
  } catch (problem) {
    if (!(problem instanceof SettingProblem)) throw problem;
    throw new Failure('valueNotAllowed', `${problem.message.replace(/[.]$/, '')}. Nothing was changed.`);
  }
}

async function change(
  dependencies: SettingsCallDependencies,
  values: Readonly<Record<string, string | null>>,
  caller: Account,
): Promise<void> {
  const path = configPath(dependencies.activeSettings.data);
  const changes = readChanges(values, dependencies);
  if (changes.size === 0) return;
  const text = orFailure(() => changeConfig(path, readConfigText(path), changes));
  await nextSettings(dependencies, { path, text });
  await replace(path, text);
  dependencies.log.info({ by: caller.name, settings: [...changes.keys()] }, 'settings were changed');
}

function readChanges(
  values: Readonly<Record<string, string | null>>,
  { activeSettings }: SettingsViewDependencies,
): SettingChanges {
  const problems: string[] = [];
  const changes = new Map<SettingName, string | null>();
  const entries = Object.entries(values);
  if (entries.length > settingNames.length)
    throw new Failure(
      'valueNotAllowed',
      `The call has more values than there are settings (${settingNames.length}); send each setting once.`,
    );
  for (const [name, value] of entries) {
    const problem = problemOf(name, value, activeSettings);
    if (problem === undefined) changes.set(name as SettingName, value);
    else problems.push(problem);
  }
  if (problems.length > 0) throw new Failure('valueNotAllowed', problems.join(' '));
  return changes;
}

function problemOf(
  name: string,
  value: string | null,
  { effective }: SettingsViewDependencies['activeSettings'],
): string | undefined {
  const problem = changeProblem(name, value, effective);
  if (problem !== undefined || value === null) return problem;
  return name === 'log-file' ? problemOfLogFile(value) : undefined;
}

/**
 * Returns why the console does not accept this log file, or undefined. The service appends lines with text from callers to the log
 * file, and renames files beside it. A remote operator must not be able to write in this way to files of other programs or of
 * Platen (.bashrc, authorized_keys, the accounts database).
 */
function problemOfLogFile(path: string): string | undefined {
  if (/[^/\\]\.log$/.test(path)) return undefined;
  return 'log-file: the console accepts only names that end in .log; set any other name where the service is started.';
}

async function replace(path: string, text: string): Promise<void> {
  try {
    await replaceConfig(path, text);
  } catch (cause) {
    if (isOutOfResources(cause)) throw cause;
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw new Failure('internal', `Cannot write to ${path} (${code}); nothing was changed.`, { cause });
  }
}

// The settings as operators see them: the values in effect, their origins, and the current values in config.json.

interface SettingsViewDependencies {
  /** The settings that this service has read at its start. */
  readonly activeSettings: RawSettingsByOrigin;
  /** The environment variables, which the next start also reads. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether a launcher can restart the service. */
  readonly restartable: boolean;
}

function settingsView({ activeSettings, environment, restartable }: SettingsViewDependencies): SettingsView {
  const next = readNext(environment);
  return {
    settings: settingNames.map((name) => settingView(name, activeSettings, next.file)),
    file: configPath(activeSettings.data),
    restartNeeded:
      next.problem === undefined && settingNames.some((name) => isChanged(name, activeSettings, next)),
    restartable,
    ...(next.problem !== undefined && { problem: next.problem }),
  };
}

interface NextSettings {
  readonly effective: RawSettings;
  readonly file: RawSettings;
  /** Why a start with these settings would fail; absent if it would not. */
  readonly problem?: string;
}

/** Reads the settings of the next start. If they are invalid, returns the problem and those that could be read. */
function readNext(environment: SettingsViewDependencies['environment']): NextSettings {
  let next: NextSettings = { effective: new Map(), file: new Map() };
  try {
    next = readRawSettings({ flags: [], environment });
    loadSettings({ flags: [], environment });
    return next;
  } catch (problem) {
    if (problem instanceof SettingProblem) return { ...next, problem: problem.message };
    throw problem;
  }
}

function isChanged(
  name: SettingName,
  before: Pick<RawSettingsByOrigin, 'effective'>,
  next: NextSettings,
): boolean {
  const textBefore = before.effective.get(name)?.text;
  const textNext = next.effective.get(name)?.text;
  return textBefore !== textNext && !isDeepStrictEqual(valueOf(name, textBefore), valueOf(name, textNext));
}

function valueOf(name: SettingName, text: string | undefined): unknown {
  const row: SettingRow = table[name];
  const value = text ?? row.default;
  return value === undefined ? undefined : row.kind.read(value);
}
