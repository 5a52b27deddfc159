/** Builds client/dist, the contents of the client package. `npm pack` in client/ runs this script first. */

import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const project = path.join(import.meta.dirname, '..', '..');
const output = path.join(project, 'client', 'dist');

rmSync(output, { recursive: true, force: true });
const compiler = path.join(project, 'node_modules', 'typescript', 'bin', 'tsc');
const { status } = spawnSync(process.execPath, [compiler, '-p', path.join(project, 'client')], {
  stdio: 'inherit',
});
if (status === 0) finish();
process.exitCode = status ?? 1;

/**
 * Replaces the extension .ts of imports in .d.ts files with .js, and copies the licence. TypeScript 6.0 rewrites imports only in
 * .js files (rewriteRelativeImportExtensions).
 */
function finish() {
  for (const name of readdirSync(output, { recursive: true }).map(String)) {
    const file = path.join(output, name);
    if (name.endsWith('.d.ts'))
      writeFileSync(file, readFileSync(file, 'utf8').replace(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  }
  copyFileSync(path.join(project, 'LICENSE'), path.join(output, 'LICENSE'));
}
