#!/usr/bin/env node
/** The `platen` command of a clone: runs missing set-up steps, then the compiled command line. */

import { fileURLToPath } from 'node:url';
import { nodeIsNewEnough } from './setup/node-version.mjs';

if (nodeIsNewEnough() && (await setUp())) await becomePlaten();

async function setUp() {
  const { setUpOrExplain } = await import('./setup/set-up.mjs');
  await setUpOrExplain({});
  return !process.exitCode;
}

async function becomePlaten() {
  const program = new URL('../.build/platen.cjs', import.meta.url);
  process.argv[1] = fileURLToPath(program);
  await import(program.href);
}
