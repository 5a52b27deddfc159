/** The short run of CI. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runShort } from './short.ts';

test('no ratio of Platen to the loop in a bare Electron is more than a quarter below its baseline', async (context) => {
  const regressions = await runShort((line) => {
    context.diagnostic(line);
  });
  assert.deepEqual(regressions, []);
});
