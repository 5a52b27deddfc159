/** Makes a folder, and those it is to be in. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Level by level: where nothing can be made in a folder that exists (/proc), Node 20's own way tries for ever. One that is
 * there stays as it is; `mode` is for those that are made. @throws what the file system says
 */
export function makeFolder(folder: string, mode = 0o777): void {
  if (isFolder(folder)) return;
  const above = dirname(folder);
  // A drive that is not there (Windows) has none.
  if (above !== folder) makeFolder(above, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (problem) {
    if (!isFolder(folder)) throw problem;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
