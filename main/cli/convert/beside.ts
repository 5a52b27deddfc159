/** Which folder of this machine a page may load files from. */
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, parse, relative, resolve, sep } from 'node:path';
import { UsageProblem } from '../usage-problem.ts';
import { isFolder } from './folders.ts';
import type { Input } from './inputs.ts';

export interface Beside {
  /** Absolute. */
  readonly root: string;
  /** The page in it, with slashes. */
  readonly path: string;
}

/** What --root names, absolute. @throws UsageProblem for what is no folder, or holds the whole machine */
export function rootOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const root = resolve(text);
  if (!isFolder(root)) throw new UsageProblem(`--root: '${text}' is not a folder.`);
  if (root === parse(root).root)
    throw new UsageProblem(`--root: '${text}' is the whole machine; name a folder in it.`);
  return root;
}

/**
 * `wanted`: absolute, or `none`. `closed`: it would be a folder that holds all that a person has.
 * @throws UsageProblem for a page outside of the root that was named
 */
export function besideOf(input: Input, wanted: string | undefined): Beside | 'closed' | undefined {
  if (input.kind === 'url' || wanted === 'none') return undefined;
  if (input.kind === 'stdin')
    return wanted === undefined ? undefined : { root: resolve(wanted), path: 'index.html' };
  const root = resolve(wanted ?? input.base);
  const path = relative(root, input.path);
  if (path.split(sep)[0] === '..' || resolve(root, path) !== join(root, path))
    throw new UsageProblem(`'${input.name}' is not in the folder that --root names, '${root}'.`);
  if (wanted === undefined && holdsEverything(root)) return 'closed';
  return { root, path: path.split(sep).join('/') };
}

/** A person's home, or what that is in: a page from somewhere has no business among his keys and letters. */
function holdsEverything(folder: string): boolean {
  // Either may be named by a link: /home is one on some machines.
  const [home, real] = [realOf(homedir()), realOf(folder)];
  return home === real || home.startsWith(real.endsWith(sep) ? real : real + sep);
}

/** What cannot be found is what it is called. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
