/** config.json: a JSON object of settings by name, each as it would stand in a flag. It does not know the names. */
import { accessSync, constants, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { SettingProblem } from './setting-problem.ts';

export type ConfigEntries = readonly (readonly [key: string, text: string])[];

/**
 * The file's entries; a missing file is an empty one.
 * @throws SettingProblem for a file that is there and cannot be used: it may hold the network policy.
 */
export function readConfigFile(path: string): ConfigEntries {
  const content = readConfigText(path);
  return content === undefined ? [] : parseConfig(path, content);
}

/** The entries of what is in the file, or shall be. @throws SettingProblem */
export function parseConfig(path: string, content: string): ConfigEntries {
  // Windows editors begin a file with a byte order mark.
  const entries = Object.entries(parse(path, content.replace(/^\ufeff/, '')));
  return entries.map((entry) => asText(path, entry));
}

/** What is in the file, or undefined when it is missing. @throws SettingProblem when it cannot be read */
export function readConfigText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (problem) {
    if (isAbsent(problem) || !isReadable(dirname(path))) return undefined;
    throw new SettingProblem(`${path} cannot be read: ${messageOf(problem)}.`);
  }
}

function isAbsent(problem: unknown): boolean {
  return (
    problem instanceof Error && 'code' in problem && ['ENOENT', 'ENOTDIR'].includes(String(problem.code))
  );
}

/** A data folder that cannot be read at all is told by its lock, with another exit code. */
function isReadable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
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
    throw new SettingProblem(`${path} cannot be read as JSON: ${messageOf(problem)}.`);
  }
  throw new SettingProblem(`${path} must hold one JSON object of settings.`);
}

function asText(path: string, [key, value]: [string, unknown]): readonly [string, string] {
  const text = Array.isArray(value) ? value.map(plain) : [plain(value)];
  if (!text.includes(undefined)) return [key, text.join(',')];
  throw new SettingProblem(`${key} in ${path} must be a text, a number, true or false, or a list of them.`);
}

function plain(value: unknown): string | undefined {
  const simple = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return simple ? String(value) : undefined;
}

function messageOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}
