/** Which folders may be hot: none inside another, and none that shares a path with the data folder. */
import { relative, sep, isAbsolute } from 'node:path';
import { SettingProblem } from './setting-problem.ts';
import type { Settings } from './table.ts';

/** Looks at paths as they are written; whoever follows links calls `nestedFolders` with what he found. @throws SettingProblem */
export function refuseNestedFolders(settings: Pick<Settings, 'hot-folders'>, data: string): void {
  const problem = nestedFolders(settings['hot-folders'] ?? [], data);
  if (problem !== undefined) throw new SettingProblem(`hot-folders: ${problem}`);
}

/** What is wrong with absolute paths of hot folders beside one another and the data folder, as a sentence; or undefined. */
export function nestedFolders(folders: readonly string[], data: string): string | undefined {
  for (const [index, folder] of folders.entries()) {
    if (holds(folder, data)) return `the data folder ${data} lies inside ${folder}; choose another folder.`;
    if (holds(data, folder)) return `${folder} lies inside the data folder ${data}; choose another folder.`;
    const other = folders.find((one, at) => at !== index && holds(one, folder));
    if (other === folder) return `${folder} is named twice.`;
    if (other !== undefined) return `${folder} lies inside ${other}; no hot folder may lie in another.`;
  }
  return undefined;
}

/** Whether the inner path is the outer one or below it, as the platform compares paths. */
function holds(outer: string, inner: string): boolean {
  const way = relative(folded(outer), folded(inner));
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Both usually take `In` and `in` for one folder. */
function folded(path: string): string {
  return process.platform === 'win32' || process.platform === 'darwin' ? path.toLowerCase() : path;
}
