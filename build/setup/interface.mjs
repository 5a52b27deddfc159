/** Owns turning renderer/ into the files of the user interface, by Vite. */

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fingerprintOf } from './fingerprint.mjs';
import { Problem, say } from './problem.mjs';
import { output, project } from './project.mjs';

const RECORD = output('interface.txt');
const CONFIGURATION = 'build/interface/vite.config.mjs';

/** @type {import('./set-up.mjs').Step} */
export const userInterface = {
  ready() {
    if (!existsSync(output('renderer', 'index.html')) || !existsSync(RECORD)) return false;
    return readFileSync(RECORD, 'utf8') === fingerprint();
  },
  async run() {
    say('Building the user interface.');
    const before = fingerprint();
    rmSync(RECORD, { force: true });
    const { build } = await import('vite');
    try {
      await build({ configFile: project(CONFIGURATION), logLevel: 'error' });
    } catch (/** @type {any} */ error) {
      throw new Problem(`${error.message}: correct it, then run the command again.`);
    }
    writeFileSync(RECORD, before);
  },
};

/** The tables of main/ that it is made with change what it shows. */
function fingerprint() {
  const folders = ['renderer', 'main/console', 'main/fields', 'main/job', 'main/log'];
  return fingerprintOf({
    folders,
    files: [CONFIGURATION, 'build/interface/pdfjs-files.mjs', 'package.json', 'package-lock.json'],
  });
}
