import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { NodeView } from '../../../../main/console/contract.ts';
import { nodeBadge } from '../../../../renderer/nodes/node-state.ts';
import { language } from '../../../../renderer/texts/text.ts';

const badge = (changes: Partial<NodeView> = {}) => {
  const { text, tone } = nodeBadge({
    id: '1',
    name: 'left',
    version: '0.1.0',
    windows: 2,
    running: 1,
    started: 0,
    isThis: false,
    isDraining: false,
    ...changes,
  });
  return [text, tone];
};

afterEach(() => {
  language.value = 'en';
});

test('a node is shown as running, draining, drained, or without jobs', () => {
  assert.deepEqual(badge(), ['Running', 'good']);
  assert.deepEqual(badge({ isDraining: true }), ['Draining', 'warning']);
  assert.deepEqual(badge({ isDraining: true, running: 0 }), ['Drained', 'warning']);
  assert.deepEqual(badge({ problem: 'the queue is full' }), ['Accepts no jobs', 'error']);
});

test('a node that does not answer is shown as that, whatever it said before', () => {
  const silent = { silentMs: 12_345, isDraining: true, problem: 'the queue is full' };
  assert.deepEqual(badge(silent), ['No response for 12 s', 'error']);
  language.value = 'de';
  assert.deepEqual(badge(silent), ['Seit 12 s keine Antwort', 'error']);
});
