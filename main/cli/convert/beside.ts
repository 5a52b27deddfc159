/** Which folder of this machine a page may load files from. */
import { homedir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { UsageProblem } from '../usage-problem.ts';
import type { Input } from './inputs.ts';

export interface Beside {
  /** Absolute. */
  readonly root: string;
  /** The page in it, with slashes. */
  readonly path: string;
}

/**
 * `wanted`: as it was named, or `none`. `closed`: it would be a folder that holds all that a person has.
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
  const home = homedir();
  return home === folder || home.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
