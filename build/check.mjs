/** `npm run check`: runs all checks that need no running service, two at a time, and prints a summary line for each check. */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { project } from './setup/project.mjs';

const allChecks = [
  { name: 'types', args: ['node_modules/typescript/bin/tsc', '--noEmit'] },
  {
    name: 'lint',
    args: [
      'node_modules/eslint/bin/eslint.js',
      '.',
      '--max-warnings',
      '0',
      '--cache',
      '--cache-location',
      '.build/eslint/',
    ],
  },
  {
    name: 'format',
    args: [
      'node_modules/prettier/bin/prettier.cjs',
      '--check',
      '--log-level',
      'warn',
      '--cache',
      '--cache-location',
      '.build/prettier-cache',
      '.',
    ],
  },
  {
    name: 'import boundaries',
    file: 'test/unit/structure.test.ts',
    args: ['--import', 'tsx', '--test', 'test/unit/structure.test.ts'],
  },
  {
    name: 'generated files',
    file: 'build/generate.ts',
    args: ['--import', 'tsx', 'build/generate.ts', '--check'],
  },
];
const concurrency = 2;

const waiting = allChecks.filter(({ file }) => !file || existsSync(project(file)));
/** @type {string[]} */
const summary = [];
await Promise.all(Array.from({ length: concurrency }, runChecks));
process.stdout.write(`${summary.join('\n')}\n`);

async function runChecks() {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const started = Date.now();
    const { ok, output } = await run(check.args);
    if (!ok) process.exitCode = 1;
    if (!ok) process.stdout.write(`--- ${check.name}\n${output.trimEnd()}\n\n`);
    summary.push(
      `${ok ? 'ok    ' : 'FAILED'} ${check.name} (${((Date.now() - started) / 1000).toFixed(1)} s)`,
    );
  }
}

/** @param {string[]} args @returns {Promise<{ ok: boolean, output: string }>} */
function run(args) {
  const child = spawn(process.execPath, args, { cwd: project(), stdio: ['ignore', 'pipe', 'pipe'] });
  return new Promise((resolve) => {
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ ok: false, output: error.message }));
    child.on('close', (code) => resolve({ ok: code === 0, output }));
  });
}
