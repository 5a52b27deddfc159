/** Determines the asset root: the local folder from which a page may load files. */
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, parse, relative, resolve, sep } from 'node:path';
import { UsageProblem } from '../terminal.ts';
import { isFolderPath } from './write-output.ts';
import type { ItemInput } from './inputs.ts';
import type { SiblingFolder } from '../../job/option-kinds.ts';

/**
 * Returns the absolute path of the folder that --root names.
 * @throws UsageProblem if it is not a folder, or is the root of the file system
 */
export function readRoot(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const root = resolve(text);
  if (!isFolderPath(root)) throw new UsageProblem(`--root: '${text}' is not a folder.`);
  if (isFileSystemRoot(root))
    throw new UsageProblem(`--root: '${text}' is the root of the file system; name a folder in it.`);
  return root;
}

/**
 * Returns the asset root of a page, or undefined if the page may load no local files. `requestedRoot` is an absolute path or
 * `none`. Returns `closed` if the default folder contains the user's home folder or is the top of a drive.
 * @throws UsageProblem for a page outside the requested root
 */
export function siblingFolderOf(
  input: ItemInput,
  requestedRoot: string | undefined,
): SiblingFolder | 'closed' | undefined {
  if (input.kind === 'url' || requestedRoot === 'none') return undefined;
  if (input.kind === 'stdin')
    return requestedRoot === undefined ? undefined : { root: resolve(requestedRoot), path: 'index.html' };
  const root = resolve(requestedRoot ?? input.base);
  const path = relative(root, input.path);
  if (path.split(sep)[0] === '..' || resolve(root, path) !== join(root, path))
    throw new UsageProblem(`'${input.name}' is not in the folder that --root names, '${root}'.`);
  if (requestedRoot === undefined && (isFileSystemRoot(root) || containsHome(root))) return 'closed';
  return { root, path: path.split(sep).join('/') };
}

/** Returns whether the folder is `/` or, on Windows, the top of a drive. */
function isFileSystemRoot(folder: string): boolean {
  return folder === parse(folder).root;
}

/** Returns whether the folder is the home folder or contains it. A downloaded page must not read private keys or documents. */
function containsHome(folder: string): boolean {
  // `realPathIfExists` resolves symbolic links, because /home is one on some machines, and restores the case of names on Windows
  // and macOS.
  const home = realPathIfExists(homedir());
  const realFolder = realPathIfExists(folder);
  return home === realFolder || home.startsWith(realFolder.endsWith(sep) ? realFolder : realFolder + sep);
}

/** Returns the real path, or the path itself if it does not exist. */
function realPathIfExists(path: string): string {
  try {
    // `realpathSync` without `.native` keeps the case as typed.
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
