#!/usr/bin/env node
/** The `platen` command in a clone of the repository: completes the set-up if necessary, then runs the compiled command line. */

import { fileURLToPath } from 'node:url';
import { nodeIsNewEnough } from './setup/node-version.mjs';

if (nodeIsNewEnough() && (await setUp())) await runCommandLine();

async function setUp() {
  const { setUpOrExplain } = await import('./setup/set-up.mjs');
  await setUpOrExplain({});
  return !process.exitCode;
}

async function runCommandLine() {
  const program = new URL('../.build/platen.cjs', import.meta.url);
  process.argv[1] = fileURLToPath(program);
  await import(program.href);
}
