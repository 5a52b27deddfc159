/** The short benchmark run of CI. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runShort } from './short.ts';

test('the speed of Platen relative to a minimal Electron application is at most 25 % below the baseline', async (context) => {
  const regressions = await runShort((line) => {
    context.diagnostic(line);
  });
  assert.deepEqual(regressions, []);
});
