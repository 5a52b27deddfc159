/** Reads the raw settings from flags, environment and config.json. Checks the names of settings, but not their values. */
import { join, resolve } from 'node:path';
import { readArguments } from '../fields/arguments.ts';
import { nearestName } from '../fields/nearest.ts';
import { readConfigFile, type ConfigEntries } from './config-file.ts';
import { defaultDataFolder } from './data-folder.ts';
import { withCurrentNames, environmentName, settingNames, table, type SettingName } from './table.ts';
import { readOrReport, SettingProblem, type OnSettingProblem } from './setting-problem.ts';

export interface SettingSources {
  /** Arguments after the command name. */
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Called with the path of config.json instead of reading the file. */
  readonly config?: (path: string) => ConfigEntries;
  /** Called with every problem; if absent, the first problem is thrown. */
  readonly onProblem?: OnSettingProblem;
  /** Maps old setting names, which config.json may still contain, to current names. */
  readonly renamed?: Readonly<Record<string, string>>;
}

/** Where the effective value of a setting comes from. */
export type SettingOrigin = 'flag' | 'environment' | 'file' | 'default';

interface RawSetting {
  readonly text: string;
  readonly origin: SettingOrigin;
  /** The place as shown in messages, such as `--port` or `port in /data/config.json`. */
  readonly location: string;
}

export type RawSettings = ReadonlyMap<SettingName, RawSetting>;

export interface RawSettingsByOrigin {
  /** Absolute path of the data folder. */
  readonly data: string;
  /** Whether a flag or a variable names the data folder. */
  readonly isDataNamed: boolean;
  /** The effective value of each setting that is set anywhere. */
  readonly effective: RawSettings;
  /** The values in config.json, even if overridden. */
  readonly file: RawSettings;
}

/**
 * The launcher passes all settings to the service as environment variables. This variable records which of them came from flags or
 * are defaults: a JSON object of origins by setting name.
 */
const originsVariable = 'PLATEN_ORIGINS';

/** Environment variables that start with PLATEN_ but are not settings. */
const otherVariables = new Set([
  // The account for `platen convert --remote`.
  'PLATEN_ACCOUNT',
  'PLATEN_CLIENT',
  'PLATEN_COMMAND',
  'PLATEN_CONVERT',
  'PLATEN_DESKTOP',
  'PLATEN_ELECTRON_DIST',
  'PLATEN_FAILED_START',
  'PLATEN_ISOLATED_JOB',
  'PLATEN_KEPT_PORT',
  'PLATEN_NODE',
  'PLATEN_NO_TERMINAL',
  'PLATEN_RENDERER',
  'PLATEN_RESTARTED_AFTER',
  'PLATEN_RESTARTS',
  'PLATEN_SELF_TEST',
  // Signs packages (build/packaging/windows/sign.cjs).
  'PLATEN_SIGN_COMMAND',
  'PLATEN_TERMINAL',
  originsVariable,
]);

/**
 * Reads the raw settings. Flags override the environment, which overrides the file.
 * @throws SettingProblem for an unknown name or an unusable file
 */
export function readRawSettings({
  flags,
  environment,
  config = readConfigFile,
  onProblem,
  renamed,
}: SettingSources): RawSettingsByOrigin {
  const fromFlags = readFlags(flags, onProblem);
  const fromEnvironment = readEnvironment(environment, onProblem);
  const data = dataFolder(fromFlags, fromEnvironment);
  const path = configPath(data);
  const file = readFile(
    path,
    withCurrentNames(readOrReport(onProblem, () => config(path)) ?? [], renamed),
    onProblem,
  );
  const isDataNamed = fromFlags.has('data') || fromEnvironment.has('data');
  return { data, isDataNamed, file, effective: new Map([...file, ...fromEnvironment, ...fromFlags]) };
}

/**
 * Returns the absolute path of the data folder without reading anything in it.
 * @throws SettingProblem for an unknown flag or variable
 */
export function resolveDataFolder({ flags, environment }: SettingSources): string {
  return dataFolder(readFlags(flags), readEnvironment(environment));
}

/** Returns the path of config.json in a data folder. */
export function configPath(data: string): string {
  return join(data, 'config.json');
}

/**
 * Returns environment variables that give a child process the same settings: flags become variables, and the data folder is
 * absolute. An empty flag value becomes a space, because an empty variable counts as unset.
 * @throws SettingProblem
 */
export function environmentForService({ flags, environment }: SettingSources): Record<string, string> {
  const fromFlags = readFlags(flags);
  const fromEnvironment = readEnvironment(environment);
  const isDataGiven = fromFlags.has('data') || fromEnvironment.has('data');
  const origins = {
    ...(!isDataGiven && { data: 'default' }),
    ...Object.fromEntries([...fromFlags.keys()].map((name) => [name, 'flag'])),
  };
  const variables = [...fromFlags].map(([name, { text }]) => [environmentName(name), text || ' ']);
  return {
    ...(Object.fromEntries(variables) as Record<string, string>),
    [environmentName('data')]: dataFolder(fromFlags, fromEnvironment),
    [originsVariable]: JSON.stringify(origins),
  };
}

function dataFolder(fromFlags: RawSettings, fromEnvironment: RawSettings): string {
  const raw = fromFlags.get('data') ?? fromEnvironment.get('data');
  return resolve(raw?.text ?? defaultDataFolder());
}

/** Reads `--name value` and `--name=value`. */
function readFlags(flags: readonly string[], onProblem?: OnSettingProblem): RawSettings {
  const report = (message: string) => {
    readOrReport(onProblem, () => {
      throw new SettingProblem(message);
    });
  };
  const parsed = readArguments(flags, flagKinds, {
    explainUnknown: (name, written) =>
      written.startsWith('--')
        ? unknownSetting({ name, shown: written, prefix: '--' }, settingNames)
        : notAFlag(written),
    explainMissing: (name) => `--${name} needs a value; allowed: ${table[name as SettingName].kind.allowed}.`,
    onProblem: report,
  });
  for (const word of [...parsed.positionals, ...flags.filter((flag) => flag === '--')])
    report(notAFlag(word));
  return new Map(
    [...parsed.flags].map(([name, text]) => [
      name as SettingName,
      { text, location: `--${name}`, origin: 'flag' },
    ]),
  );
}

const flagKinds = Object.fromEntries(settingNames.map((name) => [name, 'value' as const]));

function notAFlag(word: string): string {
  return `'${word}' is not a flag; flags are written --name value.`;
}

function readEnvironment(
  environment: SettingSources['environment'],
  onProblem?: OnSettingProblem,
): RawSettings {
  const names = new Map(settingNames.map((name) => [environmentName(name), name]));
  const origins = readOrigins(environment[originsVariable]);
  const settings = new Map<SettingName, RawSetting>();
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith('PLATEN_') || otherVariables.has(variable)) continue;
    const name = readOrReport(onProblem, () => knownVariable(variable, names));
    if (name === undefined || text === undefined || text === '') continue;
    const origin = origins.get(name) ?? 'environment';
    settings.set(name, { text, origin, location: origin === 'flag' ? `--${name}` : variable });
  }
  return settings;
}

function knownVariable(variable: string, names: ReadonlyMap<string, SettingName>): SettingName {
  const name = names.get(variable);
  if (name !== undefined) return name;
  const knownNames = [...names.keys(), ...otherVariables];
  throw new SettingProblem(unknownSetting({ name: variable, shown: variable, prefix: '' }, knownNames));
}

/** Returns the origins by setting name; none for invalid JSON. */
function readOrigins(text = '{}'): ReadonlyMap<string, SettingOrigin> {
  try {
    const origins = Object.entries(JSON.parse(text) as Record<string, unknown>);
    return new Map(origins.filter((entry): entry is [string, SettingOrigin] => isOrigin(entry[1])));
  } catch {
    return new Map();
  }
}

function isOrigin(value: unknown): value is SettingOrigin {
  return value === 'flag' || value === 'default';
}

function readFile(path: string, entries: ConfigEntries, onProblem: OnSettingProblem): RawSettings {
  const settings = new Map<SettingName, RawSetting>();
  for (const [key, text] of entries)
    readOrReport(onProblem, () => {
      const location = `${key} in ${path}`;
      const name = knownName(key, location, '');
      if (name === 'data')
        throw new SettingProblem(`data cannot be set in ${path}, which is inside that folder.`);
      settings.set(name, { text, location, origin: 'file' });
    });
  return settings;
}

/**
 * Returns `name` if it is a setting. `shown` is the name with its location, for the message.
 * @throws SettingProblem for an unknown name; the message suggests the nearest setting
 */
function knownName(name: string, shown: string, prefix: string): SettingName {
  const settingName = settingNames.find((candidate) => candidate === name);
  if (settingName !== undefined) return settingName;
  throw new SettingProblem(unknownSetting({ name, shown, prefix }, settingNames));
}

interface UnknownName {
  readonly name: string;
  readonly shown: string;
  readonly prefix: string;
}

function unknownSetting({ name, shown, prefix }: UnknownName, knownNames: readonly string[]): string {
  const suggestion = nearestName(name, knownNames);
  const hint = suggestion === undefined ? '' : `; did you mean ${prefix}${suggestion}?`;
  return `${shown} is not a known setting${hint} (docs/settings.md lists them)`;
}
