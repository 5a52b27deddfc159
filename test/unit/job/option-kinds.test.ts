import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { upload, viewportWidth } from '../../../main/job/option-kinds.ts';

describe('a viewport width', () => {
  test('accepts a preset, in any case', () => {
    const read = ['small', 'medium', 'large', 'balanced', 'MEDIUM', ' Balanced '].map(viewportWidth.read);
    assert.deepEqual(read, [480, 1024, 1200, 'balanced', 1024, 'balanced']);
  });

  test('accepts 96 to 65000 pixels, with or without px', () => {
    fc.assert(
      fc.property(fc.nat(200_000), fc.constantFrom('', 'px', ' px', 'PX'), (pixels, unit) => {
        const expected = pixels >= 96 && pixels <= 65_000 ? pixels : undefined;
        return viewportWidth.read(`${pixels}${unit}`) === expected;
      }),
    );
    assert.deepEqual(['95', '96', '65000', '65001px'].map(viewportWidth.read), [
      undefined,
      96,
      65_000,
      undefined,
    ]);
  });

  test('refuses other text, such as signs, fractions, other units and full-width digits', () => {
    const wrong = [
      '',
      ' ',
      'constructor',
      '__proto__',
      'toString',
      '-800',
      '+800',
      '800.5',
      '8e2',
      '800pt',
      'px',
      '800 000',
      '800px;',
      '９６０',
      '\0',
      '800\0',
      '9'.repeat(400),
    ];
    for (const written of wrong)
      assert.equal(viewportWidth.read(written), undefined, JSON.stringify(written));
  });
});

test('text is not accepted in place of an uploaded file', () => {
  fc.assert(fc.property(fc.string(), (text) => upload.read(text) === undefined));
});
