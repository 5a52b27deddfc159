import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replacementReason } from '../../../../main/engine/window/replacement.ts';

test('every replacement of a window has one of the known reasons', () => {
  const cases: readonly (readonly [string | undefined, string])[] = [
    [undefined, 'window-jobs reached'],
    ['crashed', 'crashed'],
    ['oom', 'out of memory'],
    ['killed', 'killed'],
    ['its job ran out of time', 'timed out'],
    ['its job was ended', 'job ended early'],
    ['not cleaned: Error: took more than 5000 ms', 'not cleaned'],
    ['its page could not be set going again', 'other'],
    ['constructor', 'other'],
  ];
  for (const [broken, reason] of cases) assert.equal(replacementReason(broken), reason);
});
