/** Comparison of a short run with the baseline. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareWithBaseline, regressions } from './baseline.ts';
import { ratiosOf, type Ratio } from './ratios.ts';
import { standingsOf } from './standings.ts';

const ratio = (document: string, value: number): Ratio => ({
  document,
  what: 'jobs/s, Platen / loop',
  value,
});
const baseline = [ratio('letter', 2), ratio('chart', 0.8)];

test('a ratio up to 25 % below its baseline passes; a lower ratio is a regression', () => {
  assert.deepEqual(regressions([ratio('letter', 1.5), ratio('chart', 0.61)], baseline), []);
  const [regression, ...others] = regressions([ratio('letter', 1.49), ratio('chart', 9)], baseline);
  assert.deepEqual(others, []);
  assert.match(regression?.sentence ?? '', /^letter, .*: is 1.49; the baseline is 2.00$/);
});

test('a ratio that was not measured counts as a regression', () => {
  const [regression] = regressions([ratio('letter', 2)], baseline);
  assert.match(regression?.sentence ?? '', /^chart, .* was not measured/);
});

test('an empty baseline is an error', () => {
  assert.throws(() => regressions([ratio('letter', 2)], []), /baseline is empty/);
});

test('only documents with a regression are measured again, and their best attempt counts', async () => {
  const requested: (readonly string[])[] = [];
  const runs = [[ratio('letter', 1), ratio('chart', 0.8)], [ratio('letter', 1.9)]];
  const sentences = await compareWithBaseline(baseline, (documents) => {
    requested.push(documents);
    return Promise.resolve(runs[requested.length - 1] ?? []);
  });
  assert.deepEqual(sentences, []);
  assert.deepEqual(requested, [['letter', 'chart'], ['letter']]);
});

test('a regression in all three attempts is reported with the best value', async () => {
  const runs = [0.3, 0.5, 0.4];
  const sentences = await compareWithBaseline([ratio('chart', 0.8)], () =>
    Promise.resolve([ratio('chart', runs.shift() ?? 0)]),
  );
  assert.equal(runs.length, 0);
  assert.match(sentences.join(), /is 0.50/);
});

test('a run without jobs, or without results of the loop, is an error', () => {
  assert.throws(() => standingsOf([]), /nothing was measured/);
  assert.throws(() => ratiosOf([]), /nothing was measured/);
  const lap = { document: 'letter', callers: 8, round: 0, took: 10, cpu: 1 };
  assert.throws(() => standingsOf([{ ...lap, candidate: 'platen', times: [] }]), /nothing was measured/);
  const alone = standingsOf([{ ...lap, candidate: 'platen', times: [10] }]);
  assert.throws(() => ratiosOf(alone), /nothing was measured/);
});
