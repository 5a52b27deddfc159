/** The short run, as CI does it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runShort } from './short.ts';

test('no document is more than a quarter slower against the same Electron than it was when the baseline was made', async (context) => {
  const behind = await runShort((line) => {
    context.diagnostic(line);
  });
  assert.deepEqual(behind, []);
});
