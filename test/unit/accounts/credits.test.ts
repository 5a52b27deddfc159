import assert from 'node:assert/strict';
import { test } from 'node:test';
import { priceOf } from '../../../main/accounts/ledger/credits.ts';

test('an output costs one credit for each 500,000 bytes or part thereof, and at least one', () => {
  assert.deepEqual(
    [0, 1, 499_999, 500_000, 500_001, 1_000_000, 1_000_001].map(priceOf),
    [1, 1, 1, 1, 2, 2, 3],
  );
});
