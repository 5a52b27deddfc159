import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { sha256Of } from '../../../main/async/sha256.ts';

test('a digest computed in slices is the SHA-256 of all bytes', async () => {
  for (const length of [0, 1, 4_000_000, 4_000_001, 9_000_000]) {
    const bytes = randomBytes(length);
    assert.equal(await sha256Of(bytes), createHash('sha256').update(bytes).digest('hex'), `${length} bytes`);
  }
});

test('the event loop runs while a long digest is computed', async () => {
  let turns = 0;
  const count = setInterval(() => (turns += 1), 0);
  await sha256Of(Buffer.alloc(100_000_000), 'base64');
  clearInterval(count);
  assert.ok(turns > 5, `${turns} turns`);
});
