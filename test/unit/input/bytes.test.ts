import assert from 'node:assert/strict';
import { test } from 'node:test';
import { includesText } from '../../../main/input/bytes.ts';

test('a text is found at every place, also across the slices of the search', async () => {
  const text = 'platen://job/';
  for (const at of [0, 7_999_990, 7_999_999, 8_000_000, 16_000_100 - text.length]) {
    const bytes = Buffer.alloc(16_000_100);
    assert.equal(await includesText(bytes, text), false);
    bytes.write(text, at);
    assert.equal(await includesText(bytes, text), true, `at ${at}`);
  }
});
