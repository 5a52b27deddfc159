import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  IdleRendererLost,
  lossReason,
  RendererLost,
  withRetries,
} from '../../../main/engine/renderer-loss.ts';
import type { Run } from '../../../main/job/job.ts';

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

test('a conversion that loses two renderers fails with 400.326, and its message states the reason of each loss', async () => {
  const causes = {
    'crashed crashed': 'the renderer crashed',
    'killed killed': 'the renderer was killed',
    'crashed killed': 'the renderer crashed, then the renderer was killed',
    'closed clean-exit': 'the window was closed, then the renderer ended itself',
    'unheard-of unheard-of': 'unheard-of',
  };
  for (const [reasons, cause] of Object.entries(causes))
    await assert.rejects(convertLosing(reasons.split(' ')).result, {
      kind: 'rendererLost',
      message: `The conversion failed in two windows: ${cause}. Simplify the page.`,
    });
});

test('a conversion that loses one renderer is repeated, and its log contains the reason', async () => {
  const { result, notes } = convertLosing(['killed']);
  assert.equal(await result, 'converted');
  assert.deepEqual(notes, ['The renderer was killed. The conversion was restarted in another window.']);
});

test('a conversion whose renderer has run out of memory is not repeated', async () => {
  const { result, notes } = convertLosing(['oom']);
  await assert.rejects(result, { kind: 'tooComplex' });
  assert.deepEqual(notes, []);
});

test('windows that had lost their renderer before do not count as attempts', async () => {
  const idle = new IdleRendererLost('killed');
  const { result, attempts } = convertLosing(['killed', idle, idle, idle]);
  assert.equal(await result, 'converted');
  assert.deepEqual(attempts, [false, true, true, true, true]);
  const twice = convertLosing(['killed', idle, 'killed']);
  await assert.rejects(twice.result, { kind: 'rendererLost' });
  const endless = convertLosing(['killed', ...Array.from({ length: 50 }, () => idle)]);
  await assert.rejects(endless.result, { kind: 'unavailable' });
});

/**
 * Converts a page whose renderers are lost for these reasons, one after the other. `attempts` says for each attempt whether it is a
 * repetition.
 */
function convertLosing(reasons: readonly (string | IdleRendererLost)[]) {
  const notes: string[] = [];
  const attempts: boolean[] = [];
  const remaining = [...reasons];
  const run = {
    signal: new AbortController().signal,
    log: { note: (text: string) => notes.push(text) },
  } as unknown as Run;
  const result = withRetries(run, (isRepeated) => {
    attempts.push(isRepeated);
    const reason = remaining.shift();
    if (reason === undefined) return Promise.resolve('converted');
    return Promise.reject(typeof reason === 'string' ? new RendererLost(reason) : reason);
  });
  return { result, notes, attempts };
}
