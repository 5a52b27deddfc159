/** Creates folders with their missing parents, and checks that files can be created in a folder. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Creates a folder one level at a time, because Node 20's recursive mkdir never returns in a folder that accepts no files (/proc).
 * Existing folders keep their mode; `mode` applies to created folders. Returns whether this call created the folder.
 * @throws the file system's error
 */
export function makeFolder(folder: string, mode = 0o777): boolean {
  if (isFolder(folder)) return false;
  const parent = dirname(folder);
  // Windows reports this case only as a missing path.
  if (statSync(parent, { throwIfNoEntry: false })?.isFile() === true)
    throw Object.assign(new Error(`${parent} is a file`), { code: 'ENOTDIR' });
  // A missing drive (Windows) has no parent.
  if (parent !== folder) makeFolder(parent, mode);
  try {
    mkdirSync(folder, { mode });
    return true;
  } catch (problem) {
    if (!isFolder(folder)) throw problem;
    return false;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Checks that this process can create files in the folder, by creating one and deleting it: `access` checks no permissions on Windows.
 * @throws the file system's error
 */
export async function assertAcceptsFiles(folder: string): Promise<void> {
  const path = join(folder, `platen-check-${randomUUID()}`);
  await writeFile(path, '', { mode: 0o600, flag: 'wx' });
  await rm(path);
}
