/**
 * Flags, environment and config.json -> Settings. Flag beats environment beats file beats default.
 * It knows the table; it does not know what a setting is for.
 */
import { join, resolve } from 'node:path';
import { nearest } from '../fields/nearest.ts';
import { readConfigFile } from './config-file.ts';
import { defaultDataFolder } from './data-folder.ts';
import { SettingProblem } from './setting-problem.ts';
import {
  environmentName,
  settingNames,
  table,
  type SettingName,
  type SettingRow,
  type Settings,
} from './table.ts';

export { SettingProblem } from './setting-problem.ts';

export interface SettingSources {
  /** Arguments after the command's name. */
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What was written, before it is read, and where it was. */
type Written = ReadonlyMap<SettingName, { readonly text: string; readonly from: string }>;

/** Names of the environment that start with PLATEN_ and are no settings. */
const otherEnvironment = new Set([
  'PLATEN_ELECTRON_DIST',
  'PLATEN_NODE',
  'PLATEN_RESTARTED_AFTER',
  'PLATEN_RESTARTS',
  'PLATEN_SELF_TEST',
  'PLATEN_TERMINAL',
]);

/**
 * The settings and the data folder (absolute).
 * @throws SettingProblem naming the setting, where it was written, and what is allowed.
 */
export function loadSettings(sources: SettingSources): Settings & { readonly data: string } {
  const fromFlags = readFlags(sources.flags);
  const fromEnvironment = readEnvironment(sources.environment);
  const folder = fromFlags.get('data')?.text ?? fromEnvironment.get('data')?.text ?? defaultDataFolder();
  const data = resolve(folder);
  const written = new Map([...fromFile(join(data, 'config.json')), ...fromEnvironment, ...fromFlags]);
  const settings = Object.fromEntries(settingNames.map((name) => [name, readSetting(name, written)]));
  return { ...(settings as unknown as Settings), data };
}

/** The same flags as environment variables, for a process of ours. An empty variable would count as absent; a blank does not. */
export function flagsAsEnvironment(flags: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    [...readFlags(flags)].map(([name, { text }]) => [environmentName(name), text === '' ? ' ' : text]),
  );
}

function readSetting(name: SettingName, written: Written): unknown {
  const row: SettingRow = table[name];
  const given = written.get(name);
  const value = given?.text ?? row.default;
  if (value === undefined) return undefined;
  const read = row.kind.read(value);
  if (read !== undefined) return read;
  const shown = row.secret ? '' : ` '${value}'`;
  throw new SettingProblem(
    `${given?.from ?? name}: the value${shown} is not allowed; allowed: ${row.kind.allowed}.`,
  );
}

/** `--name value` and `--name=value`. */
function readFlags(flags: readonly string[]): Written {
  const written = new Map<SettingName, { text: string; from: string }>();
  for (let index = 0; index < flags.length; index += 1) {
    const argument = flags[index] ?? '';
    const match = /^--([a-z][a-z-]*)(?:=(.*))?$/s.exec(argument);
    if (match === null)
      throw new SettingProblem(`'${argument}' is not a flag; flags are written --name value.`);
    const name = knownName(match[1] ?? '', `--${match[1] ?? ''}`, '--');
    const inline = match[2];
    if (inline === undefined) index += 1;
    const text = inline ?? flags[index];
    if (text === undefined)
      throw new SettingProblem(`--${name} needs a value; allowed: ${table[name].kind.allowed}.`);
    written.set(name, { text, from: `--${name}` });
  }
  return written;
}

function readEnvironment(environment: SettingSources['environment']): Written {
  const names = new Map(settingNames.map((name) => [environmentName(name), name]));
  const written = new Map<SettingName, { text: string; from: string }>();
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith('PLATEN_') || otherEnvironment.has(variable)) continue;
    const name = names.get(variable);
    if (name === undefined)
      throw unknownSetting({ name: variable, shown: variable, prefix: '' }, [
        ...names.keys(),
        ...otherEnvironment,
      ]);
    if (text !== undefined && text !== '') written.set(name, { text, from: variable });
  }
  return written;
}

function fromFile(path: string): Written {
  const written = new Map<SettingName, { text: string; from: string }>();
  for (const [key, text] of readConfigFile(path)) {
    const name = knownName(key, `${key} in ${path}`, '');
    if (name === 'data')
      throw new SettingProblem(`data cannot be set in ${path}, which is inside that folder.`);
    written.set(name, { text, from: `${key} in ${path}` });
  }
  return written;
}

function knownName(name: string, shown: string, prefix: string): SettingName {
  const known = settingNames.find((candidate) => candidate === name);
  if (known !== undefined) return known;
  throw unknownSetting({ name, shown, prefix }, settingNames);
}

interface UnknownName {
  readonly name: string;
  /** As it was written, with its place. */
  readonly shown: string;
  readonly prefix: string;
}

function unknownSetting({ name, shown, prefix }: UnknownName, known: readonly string[]): SettingProblem {
  const meant = nearest(name, known);
  const hint = meant === undefined ? '' : `; did you mean ${prefix}${meant}?`;
  return new SettingProblem(`${shown} is not a known setting${hint} (docs/settings.md lists them)`);
}
