/** Writes files in hot folders: files appear complete, links are not followed, and existing files are not overwritten. */
import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, rm, rmdir, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { filesBelow, openFolder, type OpenFolder } from '../files/open-inside.ts';
import { numberedName } from './source-names.ts';
import { renameWithRetry } from '../files/rename-with-retry.ts';

/** Files whose names start with this prefix are temporary files of the service, not sources. */
export const temporaryPrefix = '.platen-';

/**
 * Opens a subfolder, and creates it if missing. `name` may contain slashes; an empty name stands for the folder itself, an absolute
 * path without links.
 * @throws Error if a part of the path is a link or a file
 */
export async function openSubFolder(folder: string, name: string): Promise<OpenFolder> {
  let opened = await openFolder(folder);
  let path = '';
  for (const part of name.split('/').filter((text) => text !== '')) {
    await using parent = opened;
    path = join(path, part);
    const isNew = await createFolder(join(parent.path, part));
    opened = await openFolder(folder, path);
    if (isNew) await copyFolderMode(parent, opened);
  }
  return opened;
}

/** Creates a folder. Returns false if the path already exists. */
async function createFolder(path: string): Promise<boolean> {
  return mkdir(path).then(
    () => true,
    (problem: unknown) => {
      if ((problem as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw problem;
    },
  );
}

async function copyFolderMode(from: OpenFolder, to: OpenFolder): Promise<void> {
  // On Windows, a new folder inherits its permissions.
  if (from.handle === undefined || to.handle === undefined) return;
  const { mode, gid } = await from.handle.stat();
  await applyMode(to.handle, { mode: (mode & 0o7777) | 0o700, gid });
}

/** Sets group and mode through the open file, because the path may have become a link. Ignores missing permissions. */
async function applyMode(file: FileHandle, { mode, gid }: Pick<Stats, 'mode' | 'gid'>): Promise<void> {
  await file.chown(-1, gid).catch(() => {});
  await file.chmod(mode).catch(() => {});
}

/**
 * Writes a new file and syncs it, because an empty file after a crash would look like a finished document. The file gets the group
 * and the read and write permissions of `modeSource`: the service's umask (0077 in its systemd unit) would lock other users out.
 */
export async function writeDurably(
  path: string,
  bytes: Uint8Array | string,
  modeSource: string,
): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    const shared = await lstat(modeSource).catch(() => undefined);
    if (shared?.isFile() === true)
      await applyMode(file, { mode: (shared.mode & 0o666) | 0o600, gid: shared.gid });
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Moves a source to a free path if its signature is unchanged. Otherwise moves the file back, unless a newer one has replaced it,
 * and returns false.
 * @throws the error of rename
 */
export async function moveIfUnchanged(from: string, to: string, signature: string): Promise<boolean> {
  await renameWithRetry(from, to);
  if ((await signatureAt(to)) === signature) return true;
  if (await isMissing(from)) await renameWithRetry(to, from);
  return false;
}

/** Returns the first of `name`, `name (2)` and so on that is free in the folder, also with each of the endings. */
export async function uniqueName(folder: string, name: string, endings: readonly string[]): Promise<string> {
  const shortName = shortenName(name);
  for (let number = 1; ; number += 1) {
    const candidate = numberedName(shortName, number);
    const paths = ['', ...endings].map((ending) => join(folder, candidate + ending));
    const free = await Promise.all(paths.map(isMissing));
    if (!free.includes(false)) return candidate;
  }
}

/** Replaces a text file atomically. `modeSource` has the same meaning as for `writeDurably`. */
export async function replaceText(path: string, text: string, modeSource: string): Promise<void> {
  const temporaryFile = join(dirname(path), `${temporaryPrefix}${randomUUID()}.tmp`);
  try {
    await writeDurably(temporaryFile, text, modeSource);
    await renameWithRetry(temporaryFile, path);
  } catch (problem) {
    await rm(temporaryFile, { force: true });
    throw problem;
  }
}

/** Returns whether nothing exists at the path. @throws the error of lstat if this cannot be determined */
export async function isMissing(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    (problem: unknown) => {
      if ((problem as NodeJS.ErrnoException).code === 'ENOENT') return true;
      throw problem;
    },
  );
}

/** Maximum length of a name. File systems allow 255 bytes; the rest is for an ending and a number. */
const maxNameBytes = 220;

function shortenName(name: string): string {
  let short = name;
  while (Buffer.byteLength(short) > maxNameBytes) short = short.replace(/^(.*).(?=\.[^.]{1,10}$)|.$/su, '$1');
  return short;
}

/**
 * Returns a string that changes when the file is written, but not when it is renamed or its mode changes. Inode numbers are not
 * included, because network drives may renumber a file.
 */
export function signatureOf({ size, mtimeMs }: Pick<Stats, 'size' | 'mtimeMs'>): string {
  return `${size}:${mtimeMs}`;
}

/** Returns the signature of the regular file at the path; undefined if there is none. */
export async function signatureAt(path: string): Promise<string | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isFile() === true ? signatureOf(stats) : undefined;
}

/** Returns one signature for all files below the subfolders together. Links are not followed. */
export async function signatureBelow(folder: string, names: readonly string[]): Promise<string> {
  const lines: string[] = [];
  for (const name of names) {
    try {
      for await (const path of filesBelow(folder, name))
        lines.push(`${path}=${(await signatureAt(join(folder, path))) ?? ''}`);
    } catch (problem) {
      // The folder is changing, or it is unreadable. The conversion reports the latter.
      lines.push(`${name}: ${(problem as NodeJS.ErrnoException).code ?? ''}`);
    }
  }
  return lines.sort().join('\n');
}

/** Deletes a subfolder with its contents. Unlike `rm`, deletes nothing elsewhere if a link replaces a folder meanwhile. */
export async function removeSubFolder(folder: string, path: string): Promise<void> {
  {
    await using opened = await openFolder(folder, path);
    for (const entry of await readdir(opened.path, { withFileTypes: true })) {
      if (entry.isDirectory()) await removeSubFolder(folder, join(path, entry.name));
      else await rm(join(opened.path, entry.name), { force: true });
    }
  }
  await using parent = await openFolder(folder, dirname(path));
  await rmdir(join(parent.path, basename(path)));
}
