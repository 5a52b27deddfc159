import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type Kind, duration, length, megabytes, timeLimit } from '../../../main/fields/kinds.ts';
import { header, proxyAddress, signedLength } from '../../../main/job/option-kinds.ts';
import { table as options } from '../../../main/job/options.ts';
import { pageRange } from '../../../main/job/page-range.ts';
import { table as settings } from '../../../main/settings/table.ts';

const rows: readonly (readonly [string, Kind<unknown>])[] = [
  ...Object.entries(options).map(([name, { kind }]) => [name, kind] as const),
  ...Object.entries(settings).map(([name, { kind }]) => [`--${name}`, kind] as const),
];
/** One row for each kind, because many rows share a kind. */
const kinds = [...new Map(rows.map(([name, kind]) => [kind, name] as const))];

/**
 * Kinds whose rules a pattern cannot express completely. Examples are positive values, ascending ranges, valid ports and forbidden
 * header names.
 */
const unbounded: ReadonlySet<Kind<unknown>> = new Set([
  duration,
  timeLimit,
  megabytes,
  pageRange,
  header,
  proxyAddress,
]);

/** Readers also accept whitespace, capitals and, in a list, extra commas. The patterns do not match these. */
const plain = (text: string) => text.replace(/\s+/g, '').toLowerCase();
const asList = (text: string) => plain(text).replace(/,+/g, ',').replace(/^,|,$/g, '');

const fragments = fc
  .array(
    fc.constantFrom(
      '0',
      '1',
      '9',
      '96',
      '65000',
      '.',
      '-',
      '+',
      ',',
      ' ',
      ':',
      'px',
      'mm',
      'IN',
      's',
      'ms',
      'h',
      'GB',
      'kb',
      'B',
      'auto',
      'odd',
      'large',
      'true',
      'on',
      'ff',
      'EE',
      '#',
      'a.b',
      'http://',
      '00',
      '\u0661',
      '\n',
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));
const texts = fc.oneof(fragments, fc.string({ unit: 'binary' }), fc.string({ maxLength: 12 }));

describe('the schema and the reader of an option or setting agree:', () => {
  for (const [kind, name] of kinds) {
    const { schema } = kind;
    if (schema.pattern !== undefined) {
      const pattern = new RegExp(schema.pattern);
      const anyCase = new RegExp(schema.pattern, 'i');
      test(`${name}: the reader refuses what the pattern refuses`, () => {
        fc.assert(
          fc.property(fc.oneof(texts, fc.stringMatching(pattern)), (text) => {
            const allowed = anyCase.test(plain(text)) || anyCase.test(asList(text));
            assert.ok(allowed || kind.read(text) === undefined, text);
          }),
          { numRuns: 200 },
        );
      });
      if (!unbounded.has(kind))
        test(`${name}: the reader accepts what the pattern matches`, () => {
          fc.assert(
            fc.property(fc.stringMatching(pattern), (text) => {
              assert.notEqual(kind.read(text), undefined, text);
            }),
            { numRuns: 100 },
          );
        });
    }
    if (schema.type === 'integer')
      test(`${name}: the reader accepts exactly the whole numbers within its bounds`, () => {
        const { minimum = -Infinity, maximum = Infinity } = schema;
        fc.assert(
          fc.property(fc.oneof(fc.integer(), fc.integer({ min: -5, max: 2000 })), (number) => {
            const inside = number >= minimum && number <= maximum;
            assert.equal(kind.read(`${number}`), inside ? number : undefined);
          }),
        );
      });
    if (schema.enum !== undefined)
      test(`${name}: the reader accepts exactly its values`, () => {
        const words = schema.enum ?? [];
        for (const word of words) assert.notEqual(kind.read(word), undefined, word);
        const values = new Set(words.map((word) => kind.read(word)));
        fc.assert(
          fc.property(texts, (text) => {
            const value = kind.read(text);
            assert.ok(value === undefined || values.has(value), text);
          }),
        );
      });
    for (const example of schema.examples ?? [])
      test(`${name}: the reader accepts its example ${example}`, () => {
        assert.notEqual(kind.read(example), undefined);
      });
  }

  test('all options and settings: the reader never throws, and returns the same value for the same text', () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds), texts, ([kind], text) => {
        assert.deepEqual(kind.read(text), kind.read(text));
        kind.explain?.(text);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a measure', () => {
  const decimal = fc
    .tuple(fc.nat(100_000), fc.integer({ min: 1, max: 999 }))
    .map(([whole, part]) => `${whole}.${part}`);
  const close = (left: number | undefined, right: number | undefined) => {
    assert.ok(left !== undefined && right !== undefined);
    assert.ok(Math.abs(left - right) <= 1e-9 * Math.max(1, Math.abs(right)), `${left} ${right}`);
  };

  test('is the same length in every unit', () => {
    const perInch = { pt: 72, px: 96, mm: 25.4, cm: 2.54, in: 1 };
    const units = fc.constantFrom(...(Object.keys(perInch) as (keyof typeof perInch)[]));
    fc.assert(
      fc.property(fc.nat(1000), units, units, (inches, unit, otherUnit) => {
        close(
          length.read(`${(inches * perInch[unit]).toFixed(9)}${unit}`),
          length.read(`${(inches * perInch[otherUnit]).toFixed(9)}${otherUnit}`),
        );
        close(signedLength.read(`-${inches}in`), -inches);
      }),
    );
  });

  test('is the same duration and the same size in every unit', () => {
    fc.assert(
      fc.property(decimal, (number) => {
        close(duration.read(`${number}m`), Math.round(Number(number) * 60_000) || undefined);
        close(megabytes.read(number), Math.round(Number(number) * 1e6) || undefined);
        assert.equal(megabytes.read(`${number}GB`), megabytes.read((Number(number) * 1000).toFixed(3)));
        assert.equal(duration.read(`${number}s`), duration.read(number));
      }),
    );
  });

  test('that is a time limit never exceeds the maximum delay of a timer', () => {
    fc.assert(
      fc.property(fc.nat(4_000_000_000), fc.constantFrom('ms', 's', 'm', 'h', ''), (number, unit) => {
        assert.ok((timeLimit.read(`${number}${unit}`) ?? 0) < 2 ** 31);
      }),
    );
  });
});
