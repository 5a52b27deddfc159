import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barLine } from '../../../../../main/cli/convert/progress/progress-reporter.ts';
import {
  resultText,
  secondsText,
  summaryText,
} from '../../../../../main/cli/convert/progress/result-messages.ts';
import type { ConversionItem } from '../../../../../main/cli/convert/plan.ts';

const item: ConversionItem = {
  input: { kind: 'file', name: 'a\u001b[2Jb.html', path: '/a', base: '/' },
  output: '/a.pdf',
};

test('the progress bar shows count, rate and remaining time on one line', () => {
  const progress = { total: 200, done: 50, converted: 40, name: 'docs/page.html', elapsed: 10_000 };
  assert.equal(
    barLine(progress, 100),
    '[======                  ] 50/200  4.0/s, 38 s to go  docs/page.html',
  );
  assert.equal(barLine(progress, 40).length, 39);
  assert.match(barLine({ ...progress, done: 200, converted: 200 }, 100), /\] 200\/200 {2}docs/);
  assert.match(barLine({ ...progress, converted: 0, name: 'a\nb' }, 100), / 50\/200 {2}a\?b$/);
});

test('no file name can send control sequences to the terminal', () => {
  const line = resultText({ kind: 'converted', item, bytes: 1234, pages: 1, took: 20 }, false);
  assert.equal(line, 'a?[2Jb.html -> /a.pdf (1 page, 1 kB, 20 ms)');
});

test('the summary counts outputs, and lists each failure with its reason', () => {
  const failed = {
    kind: 'failed',
    item,
    status: 400,
    reason: 305,
    message: 'It is empty.',
    took: 1,
  } as const;
  const text = summaryText({ converted: 3, skipped: 2, failed: [failed], left: 0, took: 61_000 });
  assert.match(
    text,
    /^3 converted, 2 skipped.*, 1 failed\. It took 1:01 min\.\nFailed:\n.*400\.305 - It is empty\.\n$/,
  );
});

test('durations are shown in milliseconds, seconds or minutes, depending on their length', () => {
  assert.deepEqual([20, 1500, 59_000, 3_600_000].map(secondsText), ['20 ms', '1.5 s', '59 s', '60:00 min']);
});
