/** The short run of CI. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runShort } from './short.ts';

test('no ratio to the bare Electron is more than a quarter worse than the baseline', async (context) => {
  const regressions = await runShort((line) => {
    context.diagnostic(line);
  });
  assert.deepEqual(regressions, []);
});
