/** On Windows, creates the command `exec`, which npm scripts use and cmd.exe does not have. */

import { existsSync, writeFileSync } from 'node:fs';
import { project } from './project.mjs';

const shim = project('node_modules', '.bin', 'exec.cmd');

/** @type {import('./set-up.mjs').Step} */
export const windowsExec = {
  ready: () => process.platform !== 'win32' || existsSync(shim),
  run: () => writeFileSync(shim, '@%*\r\n'),
};
