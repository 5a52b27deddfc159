/** What the console may do with settings: show them, and change what config.json decides, so that no start can fail for it. */
import type { Account } from '../accounts/account.ts';
import { Failure } from '../failure/failure.ts';
import { hasNoRoom } from '../failure/no-room.ts';
import type { ServiceLog } from '../log/service-log.ts';
import { changeProblem } from '../settings/change-problem.ts';
import { changeConfig, replaceConfig, type SettingChanges } from '../settings/config-change.ts';
import { parseConfig, readConfigText } from '../settings/config-file.ts';
import { loadSettings, type LoadedSettings } from '../settings/load.ts';
import { SettingProblem } from '../settings/setting-problem.ts';
import { settingNames, type SettingName } from '../settings/table.ts';
import { configPath } from '../settings/written.ts';
import type { Handlers } from './calls.ts';
import { settingsView, type SettingsParts } from './settings-view.ts';

export interface SettingsDeskParts extends SettingsParts {
  readonly log: ServiceLog;
  /** Tries what only a try can tell, such as the certificate's files. Rejects with one sentence when a start would fail. */
  readonly tryStart: (settings: LoadedSettings) => Promise<void>;
}

export function settingsCalls(parts: SettingsDeskParts): Pick<Handlers, 'settings' | 'changeSettings'> {
  // One change after another: each must find what the one before has written.
  let last: Promise<unknown> = Promise.resolve();
  return {
    settings: () => Promise.resolve(settingsView(parts)),
    changeSettings({ values }, caller) {
      const changed = last.then(() => change(parts, values, caller));
      last = changed.catch(() => {});
      return changed.then(() => settingsView(parts));
    },
  };
}

/** The settings the next start would have. @throws Failure valueNotAllowed when it would fail */
export async function nextSettings(
  { environment, tryStart }: Pick<SettingsDeskParts, 'environment' | 'tryStart'>,
  config?: { readonly path: string; readonly text: string },
): Promise<LoadedSettings> {
  const entries = config && (() => parseConfig(config.path, config.text));
  const settings = asked(() => loadSettings({ flags: [], environment, ...(entries && { config: entries }) }));
  await tryStart(settings).catch((cause: unknown) => {
    if (hasNoRoom(cause) || !(cause instanceof Error)) throw cause;
    throw new Failure('valueNotAllowed', `A start would fail, so nothing was done: ${cause.message}`, {
      cause,
    });
  });
  return settings;
}

/** What stops a start is an answer here. */
function asked<T>(read: () => T): T {
  try {
    return read();
  } catch (problem) {
    if (!(problem instanceof SettingProblem)) throw problem;
    throw new Failure('valueNotAllowed', `${problem.message.replace(/[.]$/, '')}. Nothing was done.`);
  }
}

async function change(
  parts: SettingsDeskParts,
  values: Readonly<Record<string, string | null>>,
  caller: Account,
): Promise<void> {
  const path = configPath(parts.inForce.data);
  const changes = readChanges(values, parts);
  if (changes.size === 0) return;
  const text = asked(() => changeConfig(path, readConfigText(path), changes));
  await nextSettings(parts, { path, text });
  await replace(path, text);
  parts.log.info({ by: caller.name, settings: [...changes.keys()] }, 'settings were changed');
}

function readChanges(
  values: Readonly<Record<string, string | null>>,
  { inForce }: SettingsParts,
): SettingChanges {
  const problems: string[] = [];
  const changes = new Map<SettingName, string | null>();
  const entries = Object.entries(values);
  if (entries.length > settingNames.length)
    throw new Failure('valueNotAllowed', `There are ${settingNames.length} settings, and these are more.`);
  for (const [name, value] of entries) {
    const problem = problemOf(name, value, inForce);
    if (problem === undefined) changes.set(name as SettingName, value);
    else problems.push(problem);
  }
  if (problems.length > 0) throw new Failure('valueNotAllowed', problems.join(' '));
  return changes;
}

function problemOf(
  name: string,
  value: string | null,
  { written }: SettingsParts['inForce'],
): string | undefined {
  const problem = changeProblem(name, value, written);
  if (problem !== undefined || value === null) return problem;
  return name === 'log-file' ? problemOfLogFile(value) : undefined;
}

/**
 * Lines, of which callers have a say, are added to that file, and files beside it are renamed. An operator who is not at this
 * machine must not come to write into its programs' files so (.bashrc, authorized_keys, our own accounts).
 */
function problemOfLogFile(path: string): string | undefined {
  if (/[^/\\]\.log$/.test(path)) return undefined;
  return 'log-file: here only a file whose name ends in .log can be named; any other, where the service is started.';
}

async function replace(path: string, text: string): Promise<void> {
  try {
    await replaceConfig(path, text);
  } catch (cause) {
    if (hasNoRoom(cause)) throw cause;
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw new Failure('internal', `${path} cannot be written (${code}); nothing was changed.`, { cause });
  }
}
