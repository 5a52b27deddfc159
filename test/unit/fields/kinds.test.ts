import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { flag, integer, listOf, oneOf, onOff, text } from '../../../main/fields/kinds.ts';

/**
 * Texts that flags, integers, choices and switches refuse: names of Object.prototype members, which lookups in plain objects would
 * find, whitespace, control characters, full-width characters and null.
 */
const invalidWords = [
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  '',
  ' ',
  '\0',
  'ｔｒｕｅ',
  '１',
  'null',
];

describe('a flag', () => {
  test('is true for true and 1, and false for false and 0, in any case and with spaces around', () => {
    for (const word of ['true', 'TRUE', 'True', '1', ' true ']) assert.equal(flag.read(word), true, word);
    for (const word of ['false', 'FALSE', '0', '\t0\n']) assert.equal(flag.read(word), false, word);
  });

  test('accepts no other text', () => {
    for (const word of [...invalidWords, 'yes', 'on', '2', '-1', '01', 'true true', 'tru']) {
      assert.equal(flag.read(word), undefined, JSON.stringify(word));
    }
  });
});

describe('an integer', () => {
  test('accepts every whole number within its bounds, inclusive', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer(), fc.nat(), (value, minimum, size) => {
        const kind = integer(minimum, minimum + size);
        const inside = value >= minimum && value <= minimum + size && Math.abs(value) < 1e15;
        return kind.read(String(value)) === (inside ? value : undefined);
      }),
    );
    const port = integer(0, 65_535);
    assert.deepEqual(['0', '65535', '65536', '-1'].map(port.read), [0, 65_535, undefined, undefined]);
  });

  test('may have a sign, leading zeros and surrounding spaces', () => {
    const kind = integer(-10, 10);
    assert.deepEqual(['+5', '-5', ' 5 ', '007'].map(kind.read), [5, -5, 5, 7]);
  });

  test('accepts only decimal digits with a sign', () => {
    const kind = integer(-1e9, 1e9);
    const wrong = [
      '1.0',
      '1e3',
      '0x10',
      '1_000',
      '1,000',
      '١',
      '１',
      'Infinity',
      'NaN',
      '--5',
      '5 5',
      '5\0',
      '5px',
      '- 5',
    ];
    for (const word of [...invalidWords, ...wrong])
      assert.equal(kind.read(word), undefined, JSON.stringify(word));
    assert.equal(integer(0, Infinity).read('9'.repeat(400)), undefined);
  });

  test('describes its bounds with the unit, and has them in its schema', () => {
    assert.equal(integer(1, 64, 'windows').allowed, 'a whole number from 1 to 64 (windows)');
    assert.deepEqual(integer(1, 64).schema, { type: 'integer', minimum: 1, maximum: 64 });
    assert.equal(integer(3, Infinity).allowed, 'a whole number of at least 3');
    assert.deepEqual(integer(3, Infinity).schema, { type: 'integer', minimum: 3 });
  });
});

describe('a choice', () => {
  const kind = oneOf(['A4', 'Letter']);

  test('is read in any case, and returned in the spelling of the list', () => {
    assert.deepEqual(['a4', 'LETTER', ' letter '].map(kind.read), ['A4', 'Letter', 'Letter']);
  });

  test('accepts only values of the list', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (word) => {
        const known = ['a4', 'letter'].includes(word.trim().toLowerCase());
        return (kind.read(word) !== undefined) === known;
      }),
    );
    for (const word of [...invalidWords, 'A', 'A4,Letter', 'A4\0'])
      assert.equal(kind.read(word), undefined, word);
  });
});

test('text may be any non-empty string, and is kept unchanged', () => {
  const kind = text('anything');
  fc.assert(fc.property(fc.string({ unit: 'binary', minLength: 1 }), (value) => kind.read(value) === value));
  assert.equal(kind.read(''), undefined);
});

test('a switch accepts on, off and the values of a flag, in any case', () => {
  assert.deepEqual(['on', 'ON', ' on ', 'true', '1'].map(onOff.read), [true, true, true, true, true]);
  assert.deepEqual(['off', 'OFF', ' off ', 'false', '0'].map(onOff.read), [
    false,
    false,
    false,
    false,
    false,
  ]);
  for (const word of [...invalidWords, 'onn', 'on off', 'o', 'of', 'no'])
    assert.equal(onOff.read(word), undefined, word);
});

describe('a list', () => {
  const kind = listOf('numbers', integer(0, 9).read);

  test('is read as its elements in order, without spaces and empty elements', () => {
    assert.deepEqual(kind.read(' 3, 1,,2 ,'), [3, 1, 2]);
    assert.deepEqual(kind.read(''), []);
  });

  test('is invalid if one of its elements is invalid', () => {
    for (const value of ['1,x', 'x', '1;2', '10', '1,\0']) assert.equal(kind.read(value), undefined, value);
  });
});
