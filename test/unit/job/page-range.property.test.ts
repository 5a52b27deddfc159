import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isListed, pageList, pageRange, pagesInRange } from '../../../main/job/page-range.ts';

const total = fc.integer({ min: 0, max: 60 });
const page = fc.integer({ min: 1, max: 70 });
const blanks = fc.stringMatching(/^ {0,2}$/);

interface Span {
  readonly text: string;
  /** The reference implementation: returns whether the range includes the page. */
  readonly includes: (page: number, total: number) => boolean;
}

const spans: fc.Arbitrary<Span> = fc.oneof(
  fc.constantFrom<Span>(
    { text: 'odd', includes: (one) => one % 2 === 1 },
    { text: 'Even', includes: (one) => one % 2 === 0 },
    { text: 'LAST', includes: (one, all) => one === all },
  ),
  page.map((only) => ({ text: `${only}`, includes: (one: number) => one === only })),
  page.map((from) => ({ text: `${from}-`, includes: (one: number) => one >= from })),
  page.map((to) => ({ text: `-${to}`, includes: (one: number) => one <= to })),
  fc.tuple(page, fc.nat(30), blanks).map(([from, more, gap]) => ({
    text: `${from}${gap}-${gap}${from + more}`,
    includes: (one: number) => one >= from && one <= from + more,
  })),
);

const ranges = fc.array(fc.tuple(blanks, spans, blanks), { minLength: 1, maxLength: 6 });

/** Nearly valid ranges. */
const scraps = fc.oneof(
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
  test('means exactly the pages of its parts, ascending, in any document', () => {
    fc.assert(
      fc.property(ranges, total, (parts, pages) => {
        const range = pageRange.read(parts.map(([left, { text }, right]) => left + text + right).join(','));
        assert.ok(range);
        const all = Array.from({ length: pages }, (_, index) => index + 1);
        const expected = all.filter((one) => parts.some(([, { includes }]) => includes(one, pages)));
        assert.deepEqual(pagesInRange(range, pages), expected);
      }),
      { numRuns: 2000 },
    );
  });

  test('is refused, or means pages of the document', () => {
    fc.assert(
      fc.property(scraps, total, (text, pages) => {
        const range = pageRange.read(text);
        if (range === undefined) return;
        const selectedPages = pagesInRange(range, pages);
        assert.deepEqual(
          selectedPages,
          [...new Set(selectedPages)]
            .filter((one) => one >= 1 && one <= pages)
            .sort((one, other) => one - other),
        );
        assert.match(text, /^[\d\s,-]*$|odd|even|last/i);
      }),
      { numRuns: 3000 },
    );
  });
});

test('a page list counts pages from either end', () => {
  const number = fc.integer({ min: -70, max: 70 }).filter((one) => one !== 0);
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 8 }), total, (numbers, pages) => {
      const list = pageList.read(numbers.join(' , '));
      for (let one = 1; one <= pages; one += 1)
        assert.equal(isListed(list, one, pages), numbers.includes(one) || numbers.includes(one - pages - 1));
    }),
    { numRuns: 1000 },
  );
});

test('reading a page list never throws', () => {
  fc.assert(
    fc.property(scraps, (text) => {
      for (const one of pageList.read(text) ?? []) assert.ok(Number.isInteger(one) && one !== 0);
    }),
    { numRuns: 1000 },
  );
});
