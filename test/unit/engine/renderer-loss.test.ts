import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lossReason } from '../../../main/engine/renderer-loss.ts';

const [little, much] = [150e6, 3.3e9];

test('a renderer that was full and ended by a trap, or by the system, was lost for want of memory', () => {
  for (const exitCode of [4, 5, 6]) assert.equal(lossReason({ reason: 'crashed', exitCode }, much), 'oom');
  assert.equal(lossReason({ reason: 'killed', exitCode: 9 }, much), 'oom');
  assert.equal(lossReason({ reason: 'memory-eviction', exitCode: 0 }, little), 'oom');
});

test('a renderer that had little, or touched wrong memory, was lost for another reason', () => {
  assert.equal(lossReason({ reason: 'crashed', exitCode: 5 }, little), 'crashed');
  assert.equal(lossReason({ reason: 'killed', exitCode: 9 }, 0), 'killed');
  assert.equal(lossReason({ reason: 'crashed', exitCode: 11 }, much), 'crashed');
  assert.equal(lossReason({ reason: 'clean-exit', exitCode: 5 }, much), 'clean-exit');
});
