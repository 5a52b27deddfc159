/** What tells one version of a file from another without reading it. */
import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Changes when the file is written to; not when it is renamed, or its rights change. Network drives may number the same file
 * otherwise after a while, so its number says nothing.
 */
export function signatureOf({ size, mtimeMs }: Pick<Stats, 'size' | 'mtimeMs'>): string {
  return `${size}:${mtimeMs}`;
}

/** Of the file that has this path now; undefined when there is no regular file. */
export async function signatureAt(path: string): Promise<string | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isFile() === true ? signatureOf(stats) : undefined;
}

/** Of all files below some folders, those that are missing left out: links are not followed. */
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
