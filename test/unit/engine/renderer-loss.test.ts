import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lossReason } from '../../../main/engine/renderer-loss.ts';

const lowMemory = 150e6;
const highMemory = 3.3e9;

test('a renderer that used 3.3 GB and was trapped or killed counts as out of memory', () => {
  for (const exitCode of [4, 5, 6])
    assert.equal(lossReason({ reason: 'crashed', exitCode }, highMemory), 'oom');
  assert.equal(lossReason({ reason: 'killed', exitCode: 9 }, highMemory), 'oom');
  assert.equal(lossReason({ reason: 'memory-eviction', exitCode: 0 }, lowMemory), 'oom');
});

test('a renderer that used 150 MB, had a segmentation fault or exited cleanly is lost for the reason from Electron', () => {
  assert.equal(lossReason({ reason: 'crashed', exitCode: 5 }, lowMemory), 'crashed');
  assert.equal(lossReason({ reason: 'killed', exitCode: 9 }, 0), 'killed');
  assert.equal(lossReason({ reason: 'crashed', exitCode: 11 }, highMemory), 'crashed');
  assert.equal(lossReason({ reason: 'clean-exit', exitCode: 5 }, highMemory), 'clean-exit');
});
