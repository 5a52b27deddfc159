/** Builds the user interface from renderer/ with Vite. */

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fingerprintOf } from './fingerprint.mjs';
import { BuildProblem, print } from './problem.mjs';
import { output, project } from './project.mjs';

const record = output('interface.txt');
const configuration = 'build/interface/vite.config.mjs';

/** @type {import('./set-up.mjs').Step} */
export const userInterface = {
  ready() {
    if (!existsSync(output('renderer', 'index.html')) || !existsSync(record)) return false;
    return readFileSync(record, 'utf8') === fingerprint();
  },
  async run() {
    print('Building the user interface.');
    const before = fingerprint();
    rmSync(record, { force: true });
    const { build } = await import('vite');
    try {
      await build({ configFile: project(configuration), logLevel: 'error' });
    } catch (/** @type {any} */ error) {
      throw new BuildProblem(`${error.message}: correct it, then run the command again.`);
    }
    writeFileSync(record, before);
  },
};

/** Returns a hash of the sources, including the folders of main/ from which the user interface imports code. */
function fingerprint() {
  const imported = [
    'app',
    'console',
    'failure',
    'fields',
    'input/template',
    'job',
    'log',
    'self-test',
    'settings',
  ];
  return fingerprintOf({
    folders: ['renderer', 'build/interface', ...imported.map((folder) => `main/${folder}`)],
    files: ['build/setup/interface.mjs', 'package.json', 'package-lock.json'],
  });
}
