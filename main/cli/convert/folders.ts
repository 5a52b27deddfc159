/** Questions about paths of folders. */
import { statSync } from 'node:fs';
import { sep } from 'node:path';

/** The deepest folder that all of these are, or are in; undefined for none. Absolute paths. */
export function sharedFolder(folders: readonly string[]): string | undefined {
  const [first, ...others] = folders.map((folder) => folder.split(sep));
  if (first === undefined) return undefined;
  const length = first.findIndex((name, index) => others.some((other) => other[index] !== name));
  const shared = (length < 0 ? first : first.slice(0, length)).join(sep);
  return shared === '' || /^[a-z]:$/i.test(shared) ? `${shared}${sep}` : shared;
}

/** As file systems compare names that do not tell A from a. */
export function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** One that is there, or a name that ends as one. */
export function isFolder(path: string): boolean {
  if (/[\\/]$/.test(path)) return true;
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
