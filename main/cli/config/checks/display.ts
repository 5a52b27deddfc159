/** Whether there is a display, or the Xvfb that stands for one. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { hasDesktop } from '../../../launch/display.ts';
import type { ConfigCheck } from '../check-of.ts';

export const display: ConfigCheck = {
  name: 'display',
  run() {
    if (process.platform !== 'linux') return undefined;
    if (hasDesktop()) return `That of the desktop, ${process.env.DISPLAY ?? ''}.`;
    const folders = (process.env.PATH ?? '').split(delimiter);
    const xvfb = folders.map((folder) => join(folder, 'Xvfb')).find(isProgram);
    if (xvfb !== undefined) return `${xvfb} stands for one.`;
    throw new Error('There is no desktop and no Xvfb; install it: apt-get install xvfb.');
  },
};

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
