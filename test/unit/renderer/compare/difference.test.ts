import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunForm } from '../../../../renderer/bridge/bridge.ts';
import {
  commonSizes,
  nextDifference,
  nextToCompare,
  optionDifferences,
  summaryOf,
  type PageDifference,
} from '../../../../renderer/compare/difference.ts';

const identical: PageDifference = { kind: 'identical' };
const differs: PageDifference = { kind: 'differs', share: 0.01, resized: false };
const only: PageDifference = { kind: 'only', side: 'a' };

test('a page that only one document has counts as different; a page that cannot be drawn does not', () => {
  const found = new Map<number, PageDifference>([
    [0, identical],
    [1, differs],
    [2, only],
    [3, { kind: 'unknown' }],
  ]);
  assert.deepEqual(summaryOf(found, 9), { pages: 9, compared: 4, differing: 2 });
});

test('the next or previous difference is the nearest page that differs in that direction, and wraps around at the ends', () => {
  const found = new Map<number, PageDifference>([
    [7, differs],
    [0, identical],
    [2, differs],
    [4, only],
  ]);
  assert.equal(nextDifference(found, 0, 1), 2);
  assert.equal(nextDifference(found, 2, 1), 4);
  assert.equal(nextDifference(found, 7, 1), 2);
  assert.equal(nextDifference(found, 4, -1), 2);
  assert.equal(nextDifference(found, 2, -1), 7);
  assert.equal(nextDifference(new Map([[0, identical]]), 0, 1), undefined);
});

test('comparison starts with the pages around the current page and reaches all pages', () => {
  const found = new Map<number, PageDifference>();
  const order: number[] = [];
  for (;;) {
    const page = nextToCompare(found, 6, 3);
    if (page === undefined) break;
    order.push(page);
    found.set(page, identical);
  }
  assert.deepEqual(order, [3, 4, 2, 5, 1, 0]);
});

test('the area for a page fits that page of either document', () => {
  const portrait = { width: 794, height: 1123 };
  const landscape = { width: 1123, height: 794 };
  assert.deepEqual(commonSizes([portrait, portrait], [landscape]), [{ width: 1123, height: 1123 }, portrait]);
});

test('only options with different values are listed, files with their names and sizes', () => {
  const form = (fields: RunForm['fields'], file?: File): RunForm => ({
    fields,
    files: file ? [{ name: 'file', file }] : [],
  });
  const a = form(
    [
      ['text', '<p>'],
      ['page_size', 'A4'],
      ['outline', 'true'],
    ],
    new File(['1'], 'old.zip'),
  );
  const b = form(
    [
      ['text', '<p>'],
      ['page_size', 'A5'],
      ['dpi', '150'],
    ],
    new File(['12'], 'old.zip'),
  );
  assert.deepEqual(optionDifferences(a, b), [
    { name: 'page_size', a: 'A4', b: 'A5' },
    { name: 'outline', a: 'true', b: undefined },
    { name: 'file', a: 'old.zip (1 B)', b: 'old.zip (2 B)' },
    { name: 'dpi', a: undefined, b: '150' },
  ]);
  assert.deepEqual(optionDifferences(a, a), []);
});

test('an option that was sent several times is listed once, with all its values', () => {
  const form = (...names: string[]): RunForm => ({
    fields: names.map((name) => ['attachment_description', name] as const),
    files: names.map((name) => ({ name: 'attachment', file: new File(['1'], name) })),
  });
  assert.deepEqual(optionDifferences(form('a', 'b'), form('a')), [
    { name: 'attachment_description', a: 'a, b', b: 'a' },
    { name: 'attachment', a: 'a (1 B), b (1 B)', b: 'a (1 B)' },
  ]);
  assert.deepEqual(optionDifferences(form('a', 'b'), form('a', 'b')), []);
});
