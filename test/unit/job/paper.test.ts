import assert from 'node:assert/strict';
import { test } from 'node:test';
import { geometryFor } from '../../../main/job/paper.ts';
import { paperSizes } from '../../../main/job/option-kinds.ts';
import { optionsOf } from './forms.ts';

/** Returns the width and height of the paper in millimetres, rounded to a hundredth. */
function millimetres(fields: Readonly<Record<string, string>>): readonly [number, number] {
  const { width, height } = geometryFor(optionsOf(fields)).paper;
  return [Math.round(width * 2540) / 100, Math.round(height * 2540) / 100];
}

test('paper is A4 portrait by default', () => {
  assert.deepEqual(millimetres({}), [210, 297]);
});

test('each named size has the dimensions of its standard', () => {
  const expected = {
    A0: [841, 1189],
    A1: [594, 841],
    A2: [420, 594],
    A3: [297, 420],
    A4: [210, 297],
    A5: [148, 210],
    A6: [105, 148],
    Letter: [215.9, 279.4],
    Legal: [215.9, 355.6],
    Tabloid: [279.4, 431.8],
    Ledger: [431.8, 279.4],
  };
  const actual = Object.fromEntries(
    Object.keys(paperSizes).map((name) => [name, millimetres({ page_size: name })]),
  );
  assert.deepEqual(actual, expected);
});

test('page_width and page_height each take precedence over page_size', () => {
  assert.deepEqual(millimetres({ page_width: '100mm' }), [100, 297]);
  assert.deepEqual(millimetres({ page_height: '100mm', page_size: 'A5' }), [148, 100]);
  assert.deepEqual(millimetres({ page_width: '300mm', page_height: '100mm' }), [300, 100]);
});

test('landscape makes the longer side horizontal', () => {
  assert.deepEqual(millimetres({ orientation: 'landscape' }), [297, 210]);
  assert.deepEqual(millimetres({ orientation: 'landscape', page_size: 'Ledger' }), [431.8, 279.4]);
  assert.deepEqual(
    millimetres({ orientation: 'landscape', page_width: '100mm', page_height: '200mm' }),
    [200, 100],
  );
});

test('portrait does not rotate paper that is wider than high', () => {
  assert.deepEqual(millimetres({ orientation: 'portrait', page_size: 'Ledger' }), [431.8, 279.4]);
});
