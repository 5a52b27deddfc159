/** Copies the running Node.js and its npm into the bundle. */

import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/**
 * Copies Node.js in the layout of its official archive.
 * @param {string} target
 * @returns {string | undefined} why Node.js was not copied, or undefined if it was
 */
export function copyNode(target) {
  const windows = process.platform === 'win32';
  const home = path.join(path.dirname(process.execPath), windows ? '.' : '..');
  const modules = path.join(home, ...(windows ? [] : ['lib']), 'node_modules');
  const problem = nodeProblem(modules);
  if (problem !== undefined) return problem;
  const bin = path.join(target, windows ? '.' : 'bin');
  mkdirSync(bin, { recursive: true });
  copyFileSync(process.execPath, path.join(bin, path.basename(process.execPath)));
  cpSync(path.join(modules, 'npm'), path.join(target, path.relative(home, modules), 'npm'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  const licence = ['LICENSE', 'share/doc/nodejs/LICENSE']
    .map((file) => path.join(home, file))
    .find(existsSync);
  if (licence) copyFileSync(licence, path.join(target, 'LICENSE'));
  for (const name of ['npm', 'npx']) linkOrCopy({ name, bin, home });
  return undefined;
}

/** Returns why this Node.js cannot be copied, or undefined. @param {string} modules its global node_modules */
function nodeProblem(modules) {
  if (!existsSync(path.join(modules, 'npm', 'package.json')))
    return `Node.js, because ${process.execPath} has no npm next to it.`;
  if (process.platform !== 'linux') return undefined;
  const libraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' });
  return libraries.includes('libnode')
    ? 'Node.js, because the installed one depends on a library of its Linux distribution (libnode).'
    : undefined;
}

/** Creates the commands of npm: symbolic links, or on Windows copies. @param {{ name: string, bin: string, home: string }} of */
function linkOrCopy({ name, bin, home }) {
  if (process.platform === 'win32')
    for (const file of [name, `${name}.cmd`]) copyFileSync(path.join(home, file), path.join(bin, file));
  else symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, path.join(bin, name));
}
