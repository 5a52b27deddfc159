/** Rejects hot folders that are nested in each other or overlap the data folder. */
import { relative, sep, isAbsolute } from 'node:path';
import { SettingProblem } from './setting-problem.ts';
import type { Settings } from './table.ts';

/**
 * Rejects conflicting hot folders. Compares the paths as written. To follow links, resolve them first and call `nestingProblem`.
 * @throws SettingProblem
 */
export function rejectNestedFolders(settings: Pick<Settings, 'hot-folders'>, data: string): void {
  const problem = nestingProblem(settings['hot-folders'] ?? [], data);
  if (problem !== undefined) throw new SettingProblem(`hot-folders: ${problem}`);
}

/** Returns how the absolute paths conflict with each other or with the data folder, as a sentence; undefined if they do not. */
export function nestingProblem(folders: readonly string[], data: string): string | undefined {
  for (const [index, folder] of folders.entries()) {
    if (containsPath(folder, data) && containsPath(data, folder))
      return `${folder} is the data folder; choose another folder.`;
    if (containsPath(folder, data))
      return `the data folder ${data} is inside ${folder}; choose another folder.`;
    if (containsPath(data, folder))
      return `${folder} is inside the data folder ${data}; choose another folder.`;
    const otherFolder = folders.find(
      (candidate, otherIndex) => otherIndex !== index && containsPath(candidate, folder),
    );
    if (otherFolder === folder) return `${folder} is listed twice.`;
    if (otherFolder !== undefined)
      return `${folder} is inside ${otherFolder}; hot folders must not be nested.`;
  }
  return undefined;
}

/** Returns whether the inner path equals the outer one or is below it, as the platform compares paths. */
function containsPath(outer: string, inner: string): boolean {
  const relativePath = relative(foldCase(outer), foldCase(inner));
  return relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath);
}

/** Returns the path in lower case on Windows and macOS, where file systems usually ignore case. */
function foldCase(path: string): string {
  return process.platform === 'win32' || process.platform === 'darwin' ? path.toLowerCase() : path;
}
