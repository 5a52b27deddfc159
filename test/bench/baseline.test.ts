/** How a short run is held against the baseline. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdAgainst, regressions } from './baseline.ts';
import { ratiosOf, type Ratio } from './ratios.ts';
import { standingsOf } from './standings.ts';

const ratio = (document: string, value: number): Ratio => ({
  document,
  what: 'jobs/s, Platen / loop',
  value,
});
const baseline = [ratio('letter', 2), ratio('chart', 0.8)];

test('a ratio up to a quarter worse passes', () => {
  assert.deepEqual(regressions([ratio('letter', 1.5), ratio('chart', 0.61)], baseline), []);
  const [behind, ...others] = regressions([ratio('letter', 1.49), ratio('chart', 9)], baseline);
  assert.deepEqual(others, []);
  assert.match(behind?.sentence ?? '', /^letter, .*: is 1.49; the baseline is 2.00$/);
});

test('a ratio that was not measured is behind', () => {
  const [behind] = regressions([ratio('letter', 2)], baseline);
  assert.match(behind?.sentence ?? '', /^chart, .* was not measured/);
});

test('an empty baseline holds nothing to anything, and is an error', () => {
  assert.throws(() => regressions([ratio('letter', 2)], []), /baseline is empty/);
});

test('a slow result is measured again alone, and its best try counts', async () => {
  const asked: (readonly string[])[] = [];
  const runs = [[ratio('letter', 1), ratio('chart', 0.8)], [ratio('letter', 1.9)]];
  const behind = await holdAgainst(baseline, (documents) => {
    asked.push(documents);
    return Promise.resolve(runs[asked.length - 1] ?? []);
  });
  assert.deepEqual(behind, []);
  assert.deepEqual(asked, [['letter', 'chart'], ['letter']]);
});

test('a result behind in three tries is reported with its best', async () => {
  const runs = [0.3, 0.5, 0.4];
  const behind = await holdAgainst([ratio('chart', 0.8)], () =>
    Promise.resolve([ratio('chart', runs.shift() ?? 0)]),
  );
  assert.equal(runs.length, 0);
  assert.match(behind.join(), /is 0.50/);
});

test('a run that measured nothing is an error', () => {
  assert.throws(() => standingsOf([]), /nothing was measured/);
  assert.throws(() => ratiosOf([]), /nothing was measured/);
  const lap = { document: 'letter', callers: 8, round: 0, took: 10, cpu: 1 };
  assert.throws(() => standingsOf([{ ...lap, contestant: 'platen', times: [] }]), /nothing was measured/);
  const alone = standingsOf([{ ...lap, contestant: 'platen', times: [10] }]);
  assert.throws(() => ratiosOf(alone), /nothing was measured/);
});
