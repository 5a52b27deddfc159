/** Adds the command `exec`, which npm scripts use, to cmd.exe of Windows. */

import { existsSync, writeFileSync } from 'node:fs';
import { project } from './project.mjs';

const SHIM = project('node_modules', '.bin', 'exec.cmd');

/** @type {import('./set-up.mjs').Step} */
export const windowsExec = {
  ready: () => process.platform !== 'win32' || existsSync(SHIM),
  run: () => writeFileSync(SHIM, '@%*\r\n'),
};
