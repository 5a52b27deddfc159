/** Signatures distinguish versions of a file without reading it. */
import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Changes when the file is written, but not when it is renamed or its mode changes. Inode numbers are left out:
 * network drives may renumber a file.
 */
export function signatureOf({ size, mtimeMs }: Pick<Stats, 'size' | 'mtimeMs'>): string {
  return `${size}:${mtimeMs}`;
}

/** Returns the signature of the regular file at the path; undefined if there is none. */
export async function signatureAt(path: string): Promise<string | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isFile() === true ? signatureOf(stats) : undefined;
}

/** Returns one signature of all files below the folders. Missing folders are skipped, links are not followed. */
export async function signatureBelow(folders: readonly string[]): Promise<string> {
  const lines: string[] = [];
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) lines.push(`${path}=${(await signatureAt(path)) ?? ''}`);
    }
  }
  return lines.sort().join('\n');
}
