import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PDFFont } from '@cantoo/pdf-lib';
import { linesOf } from '../../../../../main/output/finish/form-fields/field-font.ts';

/** Breaks a text with a font in which each character is one point wide. */
function broken(text: string, width: number) {
  let measured = 0;
  const font = {
    widthOfTextAtSize(line: string) {
      measured += line.length;
      return Array.from(line).length;
    },
  } as unknown as PDFFont;
  const lines = linesOf({ font, characters: new Set() }, text, { size: 1, width });
  return { lines, measured };
}

test('a word that is too long for its line is broken between characters', () => {
  assert.deepEqual(broken('ab cdefghi j', 3).lines, ['ab ', 'cde', 'fgh', 'i j']);
  assert.deepEqual(broken('a\u{1f600}\u{1f600}b', 2).lines, ['a\u{1f600}', '\u{1f600}b']);
  assert.deepEqual(broken('\u{1f600}b', 1).lines, ['\u{1f600}', 'b']);
});

test('each character of a long word is measured only a few times', () => {
  const { lines, measured } = broken('x'.repeat(100_000), 50);
  assert.equal(lines.length, 2000);
  assert.ok(measured < 100_000 * 20, `${measured} characters`);
});
