import assert from 'node:assert/strict';
import { test } from 'node:test';
import { table } from './memory.ts';
import { usualMix } from './plan.ts';
import { runSoak } from './run-soak.ts';

/** A fixed seed, so that every run has the same jobs. The long run uses a different seed each time. */
const seed = Number(process.env.SOAK_SEED ?? 6);

test('200 mixed jobs, some hostile, aborted or crashed, get correct responses and leave no resources behind', async (context) => {
  context.diagnostic(`SOAK_SEED=${seed}`);
  const options = { jobs: 200, callers: 6, seed, workers: 2, jobTimeout: 15, mix: usualMix };
  const soak = await runSoak(options, (line) => {
    context.diagnostic(line);
  });
  for (const line of table(soak.samples)) context.diagnostic(line);
  assert.deepEqual(soak.problems, []);
});
