import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { listedPages, pageList, pageRange, pagesInRange } from '../../../main/job/page-range.ts';

const total = fc.integer({ min: 0, max: 60 });
const page = fc.integer({ min: 1, max: 70 });
const blanks = fc.stringMatching(/^ {0,2}$/);

interface GeneratedSpan {
  readonly text: string;
  /** The reference implementation: returns whether the range includes the page. */
  readonly includes: (page: number, total: number) => boolean;
}

const spans: fc.Arbitrary<GeneratedSpan> = fc.oneof(
  fc.constantFrom<GeneratedSpan>(
    { text: 'odd', includes: (number) => number % 2 === 1 },
    { text: 'Even', includes: (number) => number % 2 === 0 },
    { text: 'LAST', includes: (number, all) => number === all },
  ),
  page.map((only) => ({ text: `${only}`, includes: (number: number) => number === only })),
  page.map((from) => ({ text: `${from}-`, includes: (number: number) => number >= from })),
  page.map((to) => ({ text: `-${to}`, includes: (number: number) => number <= to })),
  fc.tuple(page, fc.nat(30), blanks).map(([from, more, gap]) => ({
    text: `${from}${gap}-${gap}${from + more}`,
    includes: (number: number) => number >= from && number <= from + more,
  })),
);

const ranges = fc.array(fc.tuple(blanks, spans, blanks), { minLength: 1, maxLength: 6 });

/** Random and nearly valid ranges. */
const roughRanges = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '1',
        '9',
        '-',
        ',',
        ' ',
        'odd',
        'last',
        '0',
        '1e3',
        '+',
        '.',
        '99999999999',
        '\u0661',
        '\t',
      ),
      { maxLength: 9 },
    )
    .map((parts) => parts.join('')),
);

describe('a page range', () => {
  test('selects exactly the pages of its comma-separated parts, in ascending order', () => {
    fc.assert(
      fc.property(ranges, total, (parts, pages) => {
        const range = pageRange.read(parts.map(([left, { text }, right]) => left + text + right).join(','));
        assert.ok(range);
        const all = Array.from({ length: pages }, (_, index) => index + 1);
        const expected = all.filter((number) => parts.some(([, { includes }]) => includes(number, pages)));
        assert.deepEqual(pagesInRange(range, pages), expected);
      }),
      { numRuns: 2000 },
    );
  });

  test('with random text is refused, or selects only pages of the document', () => {
    fc.assert(
      fc.property(roughRanges, total, (text, pages) => {
        const range = pageRange.read(text);
        if (range === undefined) return;
        const selectedPages = pagesInRange(range, pages);
        assert.deepEqual(
          selectedPages,
          [...new Set(selectedPages)]
            .filter((number) => number >= 1 && number <= pages)
            .sort((left, right) => left - right),
        );
        assert.match(text, /^[\d\s,-]*$|odd|even|last/i);
      }),
      { numRuns: 3000 },
    );
  });
});

test('a page list counts positive numbers from the first page and negative ones from the last', () => {
  const number = fc.integer({ min: -70, max: 70 }).filter((candidate) => candidate !== 0);
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 8 }), total, (numbers, pages) => {
      const list = pageList.read(numbers.join(' , '));
      const listed = listedPages(list, pages);
      for (let page = 1; page <= pages; page += 1)
        assert.equal(listed.has(page), numbers.includes(page) || numbers.includes(page - pages - 1));
    }),
    { numRuns: 1000 },
  );
});

test('reading a page list never throws', () => {
  fc.assert(
    fc.property(roughRanges, (text) => {
      for (const page of pageList.read(text) ?? []) assert.ok(Number.isInteger(page) && page !== 0);
    }),
    { numRuns: 1000 },
  );
});
