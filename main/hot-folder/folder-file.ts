/** Writing into a hot folder: nothing is found half-written, no link is followed, and names never overwrite one another. */
import { lstat, mkdir, open, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { signatureAt } from './signature.ts';
import { numbered } from './source-names.ts';

/** What begins like this is ours, and no source. */
export const temporaryPrefix = '.platen-';

/** A sub-folder, made when it is missing. @throws Error when it is a link, or leads out by one */
export async function subFolder(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path, { recursive: true });
  const real = await realpath(path);
  if (real === join(await realpath(folder), name) || !isLinked(real, folder)) return path;
  throw Object.assign(new Error(`${path} is a link`), { code: 'ELOOP' });
}

/** A platform that spells a path otherwise, in case or by a short name, has not been led out by that. */
function isLinked(real: string, folder: string): boolean {
  return process.platform === 'win32' || process.platform === 'darwin'
    ? !real.toLowerCase().startsWith((folder + sep).toLowerCase())
    : true;
}

/** On the disk before it returns: a crash must not leave an empty document that looks like a finished one. */
export async function writeThrough(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx');
  try {
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

/** Replaces the text, at once for whoever reads it. */
export async function replaceText(path: string, text: string): Promise<void> {
  const made = `${path}.tmp`;
  await writeFile(made, text);
  await rename(made, path).catch(async (problem: unknown) => {
    await rm(made, { force: true });
    throw problem;
  });
}

export async function isFree(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    (problem: unknown) => (problem as NodeJS.ErrnoException).code === 'ENOENT',
  );
}

/** Bytes: 255 is what file systems take, less an ending and a number. */
const longestName = 220;

function shortened(name: string): string {
  let short = name;
  while (Buffer.byteLength(short) > longestName) short = short.replace(/^(.*).(?=\.[^.]{1,10}$)|.$/su, '$1');
  return short;
}
