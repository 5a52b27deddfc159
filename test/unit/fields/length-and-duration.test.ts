import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { duration, length, megabytes } from '../../../main/fields/kinds.ts';

const perInch = { pt: 72, px: 96, mm: 25.4, cm: 2.54, in: 1 } as const;

describe('a length', () => {
  test('is written as a decimal number with a unit, and read as inches', () => {
    fc.assert(
      fc.property(
        fc.nat(1_000_000),
        fc.constantFrom(...(Object.keys(perInch) as (keyof typeof perInch)[])),
        fc.boolean(),
        (thousandths, unit, upper) => {
          const written = `${thousandths / 1000}${upper ? unit.toUpperCase() : unit}`;
          const expected = thousandths / 1000 / perInch[unit];
          return Math.abs((length.read(written) ?? NaN) - expected) <= expected * 1e-12;
        },
      ),
    );
    assert.deepEqual(['1in', '.5in', ' 0.25 in ', '0mm'].map(length.read), [1, 0.5, 0.25, 0]);
  });

  test('may be 0 without a unit, but no other number', () => {
    assert.deepEqual(['0', '0.0', ' 00 '].map(length.read), [0, 0, 0]);
    for (const written of ['1', '0.4', '15']) assert.equal(length.read(written), undefined, written);
  });

  test('accepts only plain decimals without a sign, in a known unit', () => {
    const wrong = [
      '',
      ' ',
      '-1in',
      '+1in',
      '-0',
      '1e3in',
      '1,5cm',
      '1.in',
      'in',
      '1em',
      '1%',
      '1 0in',
      '1in1in',
      '1in\0',
      '１in',
    ];
    for (const written of [...wrong, '1constructor', '__proto__', '0x1in', 'Infinityin', '1  in']) {
      assert.equal(length.read(written), undefined, JSON.stringify(written));
    }
  });

  test('is finite or refused, even with thousands of digits', () => {
    for (const digits of [20, 309, 400, 5000]) {
      const value = length.read(`${'9'.repeat(digits)}in`);
      assert.ok(value === undefined || Number.isFinite(value), `${digits} digits`);
    }
  });

  test('is accepted if the pattern in its schema matches', () => {
    const pattern = new RegExp(length.schema.pattern ?? '$^');
    fc.assert(fc.property(fc.stringMatching(pattern), (written) => length.read(written) !== undefined));
  });
});

describe('a duration', () => {
  test('is in seconds unless a unit says otherwise, and its value is in milliseconds', () => {
    const read = ['90', '90s', '1.5', '500ms', '2m', '1h', ' 2 M '].map(duration.read);
    assert.deepEqual(read, [90_000, 90_000, 1500, 500, 120_000, 3_600_000, 120_000]);
  });

  test('is greater than zero', () => {
    for (const written of ['0', '0s', '-1', '0.0001ms', ''])
      assert.equal(duration.read(written), undefined, written);
  });

  test('accepts only plain decimals in a known unit, and no name of Object.prototype as a unit', () => {
    for (const written of [
      '1constructor',
      '1valueOf',
      '1__proto__',
      '1d',
      '1sec',
      's',
      '1e3',
      '1,5',
      '1s\0',
      '١s',
    ]) {
      assert.equal(duration.read(written), undefined, written);
    }
  });
});

describe('a size', () => {
  test('is in megabytes of 1,000,000 bytes unless a unit says otherwise, and its value is in bytes', () => {
    const read = ['300', '300MB', '500kB', '1GB', '12B', '0.5', '1 gb'].map(megabytes.read);
    assert.deepEqual(read, [300e6, 300e6, 500e3, 1e9, 12, 5e5, 1e9]);
  });

  test('is greater than zero, in a known unit', () => {
    for (const written of ['0', '0.1B', '-5', '5TB', '5MiB', '5constructor', '5toString', '', 'MB', '1e9']) {
      assert.equal(megabytes.read(written), undefined, written);
    }
  });
});

test('durations and sizes are finite or refused, even with hundreds of digits', () => {
  for (const kind of [duration, megabytes]) {
    const value = kind.read('9'.repeat(400));
    assert.ok(value === undefined || Number.isFinite(value), kind.allowed);
  }
});
