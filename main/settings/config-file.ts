/** Reads config.json: a JSON object of settings, each written as it would be in a flag. Setting names are checked elsewhere. */
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { SettingProblem } from './setting-problem.ts';
import { messageOf } from '../failure/failure.ts';

export type ConfigEntries = readonly (readonly [key: string, text: string])[];

/**
 * Returns the entries of the file; none if it is missing.
 * @throws SettingProblem for a file that exists but cannot be used: ignoring it could drop the network policy
 */
export function readConfigFile(path: string): ConfigEntries {
  const content = readConfigText(path);
  return content === undefined ? [] : parseConfig(path, content);
}

/** Parses the content of the file. @throws SettingProblem */
export function parseConfig(path: string, content: string): ConfigEntries {
  // Some editors on Windows write a byte order mark.
  const entries = Object.entries(parse(path, content.replace(/^\ufeff/, '')));
  return entries.map((entry) => asText(path, entry));
}

/**
 * Returns the file's content; undefined if the file is missing or its folder cannot be read.
 * @throws SettingProblem if the folder can be read but the file cannot
 */
export function readConfigText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (problem) {
    if (isMissing(problem) || !isReadable(dirname(path))) return undefined;
    throw new SettingProblem(`${path} cannot be read: ${messageOf(problem)}.`);
  }
}

function isMissing(problem: unknown): boolean {
  return (
    problem instanceof Error && 'code' in problem && ['ENOENT', 'ENOTDIR'].includes(String(problem.code))
  );
}

/**
 * Returns whether the folder can be read. A folder that cannot be read is reported when it is locked, with a different exit code.
 */
export function isReadable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    // On Windows, access does not check permissions (nodejs.org/api/fs.html).
    readdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

function parse(path: string, text: string): Record<string, unknown> {
  try {
    const content: unknown = JSON.parse(text);
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) return { ...content };
  } catch (problem) {
    throw new SettingProblem(`${path} is not valid JSON: ${messageOf(problem)}.`);
  }
  throw new SettingProblem(`${path} must contain one JSON object of settings.`);
}

function asText(path: string, [key, value]: [string, unknown]): readonly [string, string] {
  const text = Array.isArray(value) ? value.map(primitiveText) : [primitiveText(value)];
  if (!text.includes(undefined)) return [key, text.join(',')];
  throw new SettingProblem(`${key} in ${path} must be a string, a number, true, false, or a list of these.`);
}

function primitiveText(value: unknown): string | undefined {
  const isPrimitive = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isPrimitive ? String(value) : undefined;
}
