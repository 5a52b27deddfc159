import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listedPages, pageList, pageRange, pagesInRange } from '../../../main/job/page-range.ts';

function pagesOf(text: string, total = 10): number[] | undefined {
  const range = pageRange.read(text);
  return range && pagesInRange(range, total);
}

describe('a page range', () => {
  test('may be a number, a span, odd, even, last or a list of these, and selects each page once, in order', () => {
    const expected: Readonly<Record<string, number[]>> = {
      '3': [3],
      '2-4': [2, 3, 4],
      '8-': [8, 9, 10],
      '-2': [1, 2],
      '- 2': [1, 2],
      odd: [1, 3, 5, 7, 9],
      EVEN: [2, 4, 6, 8, 10],
      last: [10],
      '5, 1 , 5-6': [1, 5, 6],
      'odd,last': [1, 3, 5, 7, 9, 10],
      ' 2 - 3 ': [2, 3],
    };
    for (const [text, pages] of Object.entries(expected)) assert.deepEqual(pagesOf(text), pages, text);
  });

  test('skips pages beyond the end of the document, and may select no page', () => {
    assert.deepEqual(pagesOf('9-20'), [9, 10]);
    assert.deepEqual(pagesOf('11-20'), []);
    assert.deepEqual(pagesOf('even', 1), []);
  });

  test('is refused if it is malformed, such as 0, 4-2 or 1-2-3', () => {
    for (const text of [
      '',
      ',',
      '0',
      '4-2',
      'first',
      '1-2-3',
      '1;2',
      '-',
      '1.5',
      '--1',
      '-0',
      '12345678',
      '1 2',
    ])
      assert.equal(pageRange.read(text), undefined, text);
  });
});

describe('a page list', () => {
  test('counts negative numbers from the end', () => {
    const list = pageList.read('1, -1,-10');
    assert.deepEqual([...listedPages(list, 10)], [1, 10]);
  });

  test('is refused if it is empty, or contains zero, a word, a range or a plus sign', () => {
    for (const text of ['0', 'last', '1-2', '', '+1']) assert.equal(pageList.read(text), undefined, text);
  });
});
