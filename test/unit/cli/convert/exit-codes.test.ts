import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classOf, exitCodeOf } from '../../../../main/cli/convert/exit-codes.ts';
import { catalogue } from '../../../../main/failure/catalogue.ts';

const codeOf = (status: number, reason: number) => exitCodeOf([classOf(status, reason)]);

test('the exit code depends on the kind of failure', () => {
  assert.equal(exitCodeOf([]), 0);
  const codes = {
    500.5: 1,
    400.311: 2,
    400.305: 3,
    400.312: 3,
    400.322: 4,
    400.323: 5,
    503.503: 5,
    401.106: 6,
  };
  for (const [number, code] of Object.entries(codes)) {
    const [status = 0, reason = 0] = number === '500.5' ? [500, 500] : number.split('.').map(Number);
    assert.equal(codeOf(status, reason), code, number);
  }
  for (const { status, reason } of Object.values(catalogue)) assert.notEqual(codeOf(status, reason), 0);
});

test('of several failures, the first in the order fault, account, time, network, usage, input sets the exit code', () => {
  assert.equal(exitCodeOf(['input', 'time', 'network']), 5);
  assert.equal(exitCodeOf(['input', 'network', 'input']), 4);
  assert.equal(exitCodeOf(['fault', 'account']), 1);
});

test('a response with unknown codes counts as a fault', () => {
  assert.equal(codeOf(502, 502), 1);
});
