/** Flags, environment and config.json as they were written, before a value is read. It knows names, not kinds. */
import { join, resolve } from 'node:path';
import { nearest } from '../fields/nearest.ts';
import { readConfigFile, type ConfigEntries } from './config-file.ts';
import { defaultDataFolder } from './data-folder.ts';
import { withNewNames } from './renamed.ts';
import { attempt, SettingProblem, type Complain } from './setting-problem.ts';
import { environmentName, settingNames, table, type SettingName } from './table.ts';

export interface SettingSources {
  /** Arguments after the command's name. */
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What config.json is to say; absent: what it says. */
  readonly config?: (path: string) => ConfigEntries;
  /** Hears of every problem; absent: the first one is thrown. */
  readonly complain?: Complain;
  /** New names of settings by their old ones, which config.json may still have. */
  readonly renamed?: Readonly<Record<string, string>>;
}

/** Who decides a setting. */
export type Origin = 'flag' | 'environment' | 'file' | 'default';

export interface WrittenSetting {
  readonly text: string;
  readonly from: Origin;
  /** Where it stands, as a message names it. */
  readonly place: string;
}

export type Written = ReadonlyMap<SettingName, WrittenSetting>;

export interface AllWritten {
  /** The data folder, absolute. */
  readonly data: string;
  /** Of each setting that is written anywhere, what counts. */
  readonly written: Written;
  /** What config.json says, whatever beats it. */
  readonly file: Written;
}

/**
 * To a process of ours everything is a variable; this one says which of them were flags, or nothing at all: JSON of
 * origins by the names of settings.
 */
const originsVariable = 'PLATEN_ORIGINS';

/** Names of the environment that start with PLATEN_ and are no settings. */
const otherEnvironment = new Set([
  // Who converts by `platen convert --remote`.
  'PLATEN_ACCOUNT',
  'PLATEN_COMMAND',
  'PLATEN_CONVERT',
  'PLATEN_DESKTOP',
  'PLATEN_ELECTRON_DIST',
  'PLATEN_KEPT_PORT',
  'PLATEN_NODE',
  'PLATEN_RENDERER',
  'PLATEN_RESTARTED_AFTER',
  'PLATEN_RESTARTS',
  'PLATEN_SELF_TEST',
  'PLATEN_TERMINAL',
  originsVariable,
]);

/** Flag beats environment beats file. @throws SettingProblem for a name that is none, or a file that cannot be used */
export function readWritten({
  flags,
  environment,
  config = readConfigFile,
  complain,
  renamed,
}: SettingSources): AllWritten {
  const fromFlags = readFlags(flags, complain);
  const fromEnvironment = readEnvironment(environment, complain);
  const data = dataFolder(fromFlags, fromEnvironment);
  const path = configPath(data);
  const file = readFile(path, withNewNames(attempt(complain, () => config(path)) ?? [], renamed), complain);
  return { data, file, written: new Map([...file, ...fromEnvironment, ...fromFlags]) };
}

/** Absolute, before anything in it is read. @throws SettingProblem for a flag or variable that is none */
export function dataFolderOf({ flags, environment }: SettingSources): string {
  return dataFolder(readFlags(flags), readEnvironment(environment));
}

/** Of a data folder. */
export function configPath(data: string): string {
  return join(data, 'config.json');
}

/**
 * The environment of a process of ours that is to have the same settings: flags become variables, and the data folder is
 * absolute. An empty variable would count as absent; a blank does not. @throws SettingProblem
 */
export function environmentForService({ flags, environment }: SettingSources): Record<string, string> {
  const fromFlags = readFlags(flags);
  const fromEnvironment = readEnvironment(environment);
  const isDataWritten = fromFlags.has('data') || fromEnvironment.has('data');
  const origins = {
    ...(!isDataWritten && { data: 'default' }),
    ...Object.fromEntries([...fromFlags.keys()].map((name) => [name, 'flag'])),
  };
  const variables = [...fromFlags].map(([name, { text }]) => [environmentName(name), text || ' ']);
  return {
    ...(Object.fromEntries(variables) as Record<string, string>),
    [environmentName('data')]: dataFolder(fromFlags, fromEnvironment),
    [originsVariable]: JSON.stringify(origins),
  };
}

function dataFolder(fromFlags: Written, fromEnvironment: Written): string {
  const written = fromFlags.get('data') ?? fromEnvironment.get('data');
  return resolve(written?.text ?? defaultDataFolder());
}

/** `--name value` and `--name=value`. */
function readFlags(flags: readonly string[], complain?: Complain): Written {
  const written = new Map<SettingName, WrittenSetting>();
  const words = flags.values();
  for (const word of words)
    attempt(complain, () => {
      const [name, setting] = readFlag(word, words);
      written.set(name, setting);
    });
  return written;
}

/** Takes its value from the words that follow, where it does not stand behind `=`. */
function readFlag(word: string, rest: Iterator<string, undefined>): [SettingName, WrittenSetting] {
  const match = /^--([a-z][a-z-]*)(?:=(.*))?$/s.exec(word);
  if (match === null) throw new SettingProblem(`'${word}' is not a flag; flags are written --name value.`);
  const place = `--${match[1] ?? ''}`;
  const text = match[2] ?? rest.next().value;
  const name = knownName(match[1] ?? '', place, '--');
  if (text === undefined)
    throw new SettingProblem(`--${name} needs a value; allowed: ${table[name].kind.allowed}.`);
  return [name, { text, place, from: 'flag' }];
}

function readEnvironment(environment: SettingSources['environment'], complain?: Complain): Written {
  const names = new Map(settingNames.map((name) => [environmentName(name), name]));
  const origins = readOrigins(environment[originsVariable]);
  const written = new Map<SettingName, WrittenSetting>();
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith('PLATEN_') || otherEnvironment.has(variable)) continue;
    const name = attempt(complain, () => knownVariable(variable, names));
    if (name === undefined || text === undefined || text === '') continue;
    const from = origins.get(name) ?? 'environment';
    written.set(name, { text, from, place: from === 'flag' ? `--${name}` : variable });
  }
  return written;
}

function knownVariable(variable: string, names: ReadonlyMap<string, SettingName>): SettingName {
  const name = names.get(variable);
  if (name !== undefined) return name;
  const known = [...names.keys(), ...otherEnvironment];
  throw unknownSetting({ name: variable, shown: variable, prefix: '' }, known);
}

/** What is no such JSON says nothing. */
function readOrigins(text = '{}'): ReadonlyMap<string, Origin> {
  try {
    const origins = Object.entries(JSON.parse(text) as Record<string, unknown>);
    return new Map(origins.filter((entry): entry is [string, Origin] => isOrigin(entry[1])));
  } catch {
    return new Map();
  }
}

function isOrigin(value: unknown): value is Origin {
  return value === 'flag' || value === 'default';
}

function readFile(path: string, entries: ConfigEntries, complain: Complain): Written {
  const written = new Map<SettingName, WrittenSetting>();
  for (const [key, text] of entries)
    attempt(complain, () => {
      const place = `${key} in ${path}`;
      const name = knownName(key, place, '');
      if (name === 'data')
        throw new SettingProblem(`data cannot be set in ${path}, which is inside that folder.`);
      written.set(name, { text, place, from: 'file' });
    });
  return written;
}

/** @throws SettingProblem for a name of no setting, with the nearest one; `shown`: as it was written, with its place */
function knownName(name: string, shown: string, prefix: string): SettingName {
  const known = settingNames.find((candidate) => candidate === name);
  if (known !== undefined) return known;
  throw unknownSetting({ name, shown, prefix }, settingNames);
}

interface UnknownName {
  readonly name: string;
  readonly shown: string;
  readonly prefix: string;
}

function unknownSetting({ name, shown, prefix }: UnknownName, known: readonly string[]): SettingProblem {
  const meant = nearest(name, known);
  const hint = meant === undefined ? '' : `; did you mean ${prefix}${meant}?`;
  return new SettingProblem(`${shown} is not a known setting${hint} (docs/settings.md lists them)`);
}
