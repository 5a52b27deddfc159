/** `npm run client`: writes the client package to dist/. */

import { mkdirSync } from 'node:fs';
import { npm } from '../setup/npm.mjs';
import { print } from '../setup/problem.mjs';
import { project } from '../setup/project.mjs';

// Compiles directly instead of in an npm script, because users may have disabled npm scripts.
await import('./compile.mjs');
if (!process.exitCode) await pack();

async function pack() {
  mkdirSync(project('dist'), { recursive: true });
  const { ok, output } = await npm([
    'pack',
    './client',
    '--ignore-scripts',
    '--pack-destination',
    project('dist'),
  ]);
  const file = /^platen-client-.*\.tgz$/m.exec(output)?.[0];
  print(ok && file ? `The client is dist/${file}; install it with npm install.` : output);
  if (!ok) process.exitCode = 1;
}
