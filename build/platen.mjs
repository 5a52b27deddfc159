#!/usr/bin/env node
/** Owns the `platen` command of a clone: sets up what is missing, then becomes the compiled command line. */

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
