/**
 * Opens files and folders below a folder that other users can write to. They can replace any part of a path with a link between a
 * check of the path and its use, so the checks here concern what is open.
 */
import { constants, type Dirent, type Stats } from 'node:fs';
import { lstat, open, readdir, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { join, sep } from 'node:path';

interface OpenedFile {
  readonly file: FileHandle;
  readonly stats: Stats;
}

interface OpenOptions {
  /** Whether links are followed to files that are below the root too. */
  readonly followsLinks?: boolean;
  readonly platform?: NodeJS.Platform;
}

// Windows has neither flag. Without O_NONBLOCK, opening a named pipe waits for a writer and blocks one of libuv's few threads.
const {
  O_RDONLY,
  O_NOFOLLOW = 0,
  O_NONBLOCK = 0,
  O_DIRECTORY = 0,
} = constants as Partial<typeof constants> & Pick<typeof constants, 'O_RDONLY'>;
/** O_NOFOLLOW_ANY of macOS: no part of the path may be a link. Node does not define a constant for it. */
const noLinkInPath = process.platform === 'darwin' ? 0x20000000 : 0;
const noLink = O_NOFOLLOW | noLinkInPath;

/**
 * Opens a regular file by its path below `root`, which is an absolute path without links.
 * @throws Error with the code ELOOP for a link, for a file outside of `root`, and for anything that is not a regular file; the
 * errors of open
 */
export async function openFile(
  root: string,
  path: string,
  { followsLinks = false, platform }: OpenOptions = {},
): Promise<OpenedFile> {
  const target = followsLinks ? await realpath(join(root, path)) : join(root, path);
  if (!isBelow(root, target)) throw notInside(target, 'is outside of the folder');
  const file = await open(target, O_RDONLY | O_NONBLOCK | noLink);
  try {
    const stats = await file.stat();
    if (!stats.isFile() || !isSamePath(await realPathOf(file, target, platform), target))
      throw notInside(target, 'is a link or not a regular file');
    return { file, stats };
  } catch (problem) {
    await file.close();
    throw problem;
  }
}

export interface OpenFolder extends AsyncDisposable {
  /** Names the open folder until disposal; on Linux also if the folder is moved or replaced. */
  readonly path: string;
  /** Undefined on Windows, which cannot open folders. */
  readonly handle: FileHandle | undefined;
}

/**
 * Opens the folder at a path below `root`, or `root` itself, an absolute path without links.
 * @throws Error with the code ELOOP or ENOTDIR if a part of the path is a link or a file; the errors of open
 */
export async function openFolder(root: string, path = ''): Promise<OpenFolder> {
  const target = join(root, path);
  if (process.platform === 'win32') {
    const isFolder = (await lstat(target)).isDirectory() && isSamePath(await realpath(target), target);
    if (!isFolder) throw notInside(target, 'is a link or a file');
    return { path: target, handle: undefined, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  const handle = await open(target, O_RDONLY | O_DIRECTORY | noLink);
  try {
    if (!isSamePath(await realPathOf(handle, target), target)) throw notInside(target, 'is a link or a file');
  } catch (problem) {
    await handle.close();
    throw problem;
  }
  // Only Linux has paths that begin at an open folder.
  const openPath = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : target;
  return { path: openPath, handle, [Symbol.asyncDispose]: () => handle.close() };
}

/**
 * Yields the paths, below `root`, of the regular files in the folder `path` and its subfolders, sorted. Links are left out, and so
 * are the files and folders whose paths `isIncluded` rejects.
 * @throws the errors of openFolder and readdir
 */
export async function* filesBelow(
  root: string,
  path = '',
  isIncluded: (path: string) => boolean = () => true,
): AsyncGenerator<string> {
  for (const entry of await entriesOf(root, path)) {
    const below = join(path, entry.name);
    if (!isIncluded(below)) continue;
    if (entry.isDirectory()) yield* filesBelow(root, below, isIncluded);
    else if (entry.isFile()) yield below;
  }
}

async function entriesOf(root: string, path: string): Promise<Dirent[]> {
  await using folder = await openFolder(root, path);
  const entries = await readdir(folder.path, { withFileTypes: true });
  return entries.sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** Returns the path of what is open, without links. `path` is the path by which it was opened. */
async function realPathOf(
  handle: FileHandle,
  path: string,
  platform: NodeJS.Platform = process.platform,
): Promise<string> {
  if (platform === 'linux') return readlink(`/proc/self/fd/${handle.fd}`);
  // Elsewhere no call returns the path of an open file. The path is resolved again, and must still lead to the same file.
  const real = await realpath(path);
  const opened = await handle.stat({ bigint: true });
  const found = await lstat(real, { bigint: true });
  if (opened.dev !== found.dev || opened.ino !== found.ino) throw notInside(path, 'was replaced');
  return real;
}

/** Ignores case, because the path of an open file has the case of its name on the disk. */
function isSamePath(left: string, right: string): boolean {
  return left === right || left.toLowerCase() === right.toLowerCase();
}

function isBelow(root: string, path: string): boolean {
  const start = root.endsWith(sep) ? root : root + sep;
  return isSamePath(path.slice(0, start.length), start);
}

function notInside(path: string, problem: string): Error {
  return Object.assign(new Error(`${path} ${problem}`), { code: 'ELOOP' });
}
