import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { optionNames } from '../../../main/job/options.ts';
import type { LogEvent } from '../../../main/log/events.ts';
import { findingsOf } from '../../../main/log/findings.ts';
import { at, consoleLine, jobLine, requestLine } from '../../support/debug-log/debug-log-lines.ts';
import {
  cleanLog,
  crashedLog,
  failedLog,
  hostileLog,
  hugeLog,
} from '../../support/debug-log/sample-debug-logs.ts';
import { findingsAfterSuccess, onlyFinding } from '../../support/debug-log/only-finding.ts';
import { completeLog } from '../../support/debug-log/complete-debug-log.ts';

test('a log without faults has no findings', () => {
  assert.deepEqual(findingsOf(cleanLog()), []);
});

test('every finding names only existing options', () => {
  const known = new Set<string>(optionNames);
  for (const events of [completeLog(), failedLog(), crashedLog(), hugeLog(), allCauses()])
    for (const { code, options } of findingsOf(events))
      assert.deepEqual(
        options.filter((name) => !known.has(name)),
        [],
        code,
      );
});

test('errors precede warnings, and warnings precede information', () => {
  const order = findingsOf(completeLog()).map(({ severity }) =>
    ['error', 'warning', 'info'].indexOf(severity),
  );
  assert.deepEqual(order, order.toSorted());
  assert.equal(new Set(order).size, 3);
});

describe('a note', () => {
  test('is a finding only if it has a code', () => {
    const note = at(1, { kind: 'note', text: 'Page 3 was blank.', detail: { code: 'blank-pages-removed' } });
    assert.equal(
      onlyFinding(jobLine(), note, at(2, { kind: 'note', text: 'x', detail: {} })).sentence,
      'Page 3 was blank.',
    );
  });

  test('is replaced with a count after five notes with the same code', () => {
    const events = Array.from({ length: 12 }, (_, n) =>
      at(n, { kind: 'note', text: `note ${n}`, detail: { code: 'option-without-effect' } }),
    );
    const found = findingsAfterSuccess(...events);
    assert.equal(found.length, 6);
    assert.match(found.at(-1)?.sentence ?? '', /^7 more notes/);
  });

  test('that repeats the finding of a request is omitted', () => {
    const text = '1 request was not made because of block_ads.';
    const detail = { code: 'blocked-resource', options: ['block_ads'] } as const;
    onlyFinding(
      requestLine('http://ads.example/', { blocked: 'by block_ads' }),
      at(2, { kind: 'note', text, detail }),
    );
  });
});

test('a finding that quotes very long text is shortened to less than 2000 characters', () => {
  for (const { code, sentence } of findingsOf(hostileLog('very long '.repeat(10_000))))
    assert.ok(
      sentence.length < 2000 || code === 'option-without-effect' || code === 'header-footer-clipped',
      code,
    );
});

function allCauses(): LogEvent[] {
  const reasons = [
    'disable_javascript',
    'disable_image_loading',
    'disable_remote_fonts',
    'load_iframes',
    'block_ads',
  ];
  const sources = ['on_load_javascript', 'custom_javascript', 'header_html', 'footer_html'];
  return [
    ...reasons.map((reason) => requestLine(`https://a.example/${reason}`, { blocked: `by ${reason}` })),
    ...sources.map((source) => consoleLine('x', 'exception', source)),
    requestLine('https://a.example/', { type: 'Document', status: 500 }),
    requestLine('x.png', { type: 'Image', from: 'job', status: 404 }),
    at(5, { kind: 'header-footer', text: 'x', detail: { side: 'header', content: 2, place: 1 } }),
  ];
}
