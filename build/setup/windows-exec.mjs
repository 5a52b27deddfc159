/** Makes `exec ...` in npm scripts work in Windows' cmd.exe, which has no such command. */

import { existsSync, writeFileSync } from 'node:fs';
import { project } from './project.mjs';

const SHIM = project('node_modules', '.bin', 'exec.cmd');

/** @type {import('./set-up.mjs').Step} */
export const windowsExec = {
  ready: () => process.platform !== 'win32' || existsSync(SHIM),
  run: () => writeFileSync(SHIM, '@%*\r\n'),
};
