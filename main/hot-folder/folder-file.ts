/** Writing into a hot folder: nothing is found half-written, no link is followed, and names never overwrite one another. */
import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { signatureAt } from './signature.ts';
import { numbered } from './source-names.ts';

/** What begins like this is ours, and no source. */
export const temporaryPrefix = '.platen-';

/** A sub-folder by its path with slashes, made when it is missing. @throws Error when a part of it is a link or a file */
export async function subFolder(folder: string, name: string): Promise<string> {
  let path = folder;
  for (const part of name.split('/')) {
    const above = path;
    path = join(above, part);
    if (await makeFolder(path)) await shareFolder(path, above);
    if (!(await lstat(path)).isDirectory())
      throw Object.assign(new Error(`${path} is a link or a file`), { code: 'ENOTDIR' });
  }
  return path;
}

/** False when something is there. */
async function makeFolder(path: string): Promise<boolean> {
  return mkdir(path).then(
    () => true,
    (problem: unknown) => {
      if ((problem as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw problem;
    },
  );
}

async function shareFolder(path: string, like: string): Promise<void> {
  // Windows opens no folders, and has them inherit their rights.
  if (process.platform === 'win32') return;
  const made = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const { mode, gid } = await stat(like);
    await share(made, { mode: (mode & 0o7777) | 0o700, gid });
  } finally {
    await made.close();
  }
}

/** By what is open, because by its path it may have become a link. Where we may not, it stays as it is. */
async function share(file: FileHandle, { mode, gid }: Pick<Stats, 'mode' | 'gid'>): Promise<void> {
  await file.chown(-1, gid).catch(() => {});
  await file.chmod(mode).catch(() => {});
}

/**
 * On the disk before it returns: a crash must not leave an empty document that looks like a finished one. Who may read the file
 * `like` may read this one too: the umask of a service (0077 in its unit) would keep everybody out.
 */
export async function writeThrough(path: string, bytes: Uint8Array | string, like: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    const shared = await lstat(like).catch(() => undefined);
    if (shared?.isFile() === true)
      await share(file, { mode: (shared.mode & 0o666) | 0o600, gid: shared.gid });
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Takes a source away, to a path where nothing is, if it is still this version. One that has come meanwhile is put back, and
 * false returned. @throws what renaming throws
 */
export async function withdraw(from: string, to: string, signature: string): Promise<boolean> {
  await rename(from, to);
  if ((await signatureAt(to)) === signature) return true;
  if (await isFree(from)) await rename(to, from);
  return false;
}

/** `name`, or `name (2)` and so on: the first of which nothing is there yet, also with these endings. */
export async function freeName(folder: string, name: string, endings: readonly string[]): Promise<string> {
  const short = shortened(name);
  for (let number = 1; ; number += 1) {
    const candidate = numbered(short, number);
    const paths = ['', ...endings].map((ending) => join(folder, candidate + ending));
    const free = await Promise.all(paths.map(isFree));
    if (!free.includes(false)) return candidate;
  }
}

/** Replaces the text, at once for whoever reads it; `like`: as for writeThrough. */
export async function replaceText(path: string, text: string, like: string): Promise<void> {
  const made = join(dirname(path), `${temporaryPrefix}${randomUUID()}.tmp`);
  try {
    await writeThrough(made, text, like);
    await rename(made, path);
  } catch (problem) {
    await rm(made, { force: true });
    throw problem;
  }
}

/** @throws what looking throws, where nobody can tell */
export async function isFree(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    (problem: unknown) => {
      if ((problem as NodeJS.ErrnoException).code === 'ENOENT') return true;
      throw problem;
    },
  );
}

/** Bytes: 255 is what file systems take, less an ending and a number. */
const longestName = 220;

function shortened(name: string): string {
  let short = name;
  while (Buffer.byteLength(short) > longestName) short = short.replace(/^(.*).(?=\.[^.]{1,10}$)|.$/su, '$1');
  return short;
}
