import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SourceTracker, type ScannedSource } from '../../../main/hot-folder/source-tracker.ts';

const seenAs = (name: string, signature: string, others: Partial<ScannedSource> = {}): ScannedSource => ({
  name,
  signature,
  stabilityKey: signature,
  size: 10,
  arrivedAt: 1,
  isConverted: false,
  ...others,
});
const namesOf = (seen: readonly ScannedSource[]) => seen.map(({ name }) => name);

describe('A source', () => {
  test('is ready only after it has not changed for the settle time', () => {
    const tracker = new SourceTracker();
    assert.deepEqual(tracker.update([seenAs('a', '1')], 0, 2000), { ready: [], nextReadyMs: 2000 });
    assert.equal(tracker.update([seenAs('a', '1')], 1500, 2000).nextReadyMs, 500);
    assert.deepEqual(tracker.update([seenAs('a', '2')], 1900, 2000), { ready: [], nextReadyMs: 2000 });
    assert.deepEqual(tracker.update([seenAs('a', '2')], 3800, 2000).ready, []);
    assert.deepEqual(namesOf(tracker.update([seenAs('a', '2')], 3900, 2000).ready), ['a']);
  });

  test('waits until its sibling files stop changing, unless it was converted', () => {
    const tracker = new SourceTracker();
    tracker.update([seenAs('a', '1', { stabilityKey: 'x' })], 0, 1000);
    assert.deepEqual(tracker.update([seenAs('a', '1', { stabilityKey: 'y' })], 1000, 1000).ready, []);
    assert.equal(tracker.update([seenAs('a', '1', { stabilityKey: 'y' })], 2000, 1000).ready.length, 1);
    tracker.markHandled('a', '1');
    assert.deepEqual(tracker.update([seenAs('a', '1', { stabilityKey: 'z' })], 9000, 1000).ready, []);
  });

  test('that is empty is ready only after half a minute', () => {
    const tracker = new SourceTracker();
    tracker.update([seenAs('a', '1', { size: 0 })], 0, 1000);
    assert.deepEqual(tracker.update([seenAs('a', '1', { size: 0 })], 20_000, 1000).ready, []);
    assert.equal(tracker.update([seenAs('a', '1', { size: 0 })], 30_000, 1000).ready.length, 1);
  });

  test('is ready again when it changes, or disappears and returns', () => {
    const tracker = new SourceTracker();
    tracker.update([seenAs('a', '1')], 0, 0);
    tracker.markHandled('a', '1');
    assert.deepEqual(tracker.update([seenAs('a', '1')], 1, 0).ready, []);
    assert.equal(tracker.update([seenAs('a', '2')], 2, 0).ready.length, 1);
    tracker.markHandled('a', '2');
    tracker.update([], 3, 0);
    assert.equal(tracker.update([seenAs('a', '2')], 4, 0).ready.length, 1);
  });

  test('with a newer output counts as converted at first, but not after a change', () => {
    const tracker = new SourceTracker();
    assert.deepEqual(tracker.update([seenAs('a', '1', { isConverted: true })], 0, 0).ready, []);
    assert.equal(tracker.update([seenAs('a', '2', { isConverted: true })], 1, 0).ready.length, 1);
  });

  test('that changed during its conversion is converted again', () => {
    const tracker = new SourceTracker();
    tracker.update([seenAs('a', '2')], 0, 0);
    tracker.markHandled('a', '1');
    assert.equal(tracker.update([seenAs('a', '2')], 1, 0).ready.length, 1);
  });

  test('that was postponed is ready again only after its delay', () => {
    const tracker = new SourceTracker();
    tracker.update([seenAs('a', '1')], 0, 0);
    tracker.postpone('a', '1', 500);
    assert.deepEqual(tracker.update([seenAs('a', '1')], 100, 0), { ready: [], nextReadyMs: 400 });
    assert.equal(tracker.countPostponements('a'), 1);
    assert.deepEqual([tracker.countPostponed(100), tracker.countPostponed(500)], [1, 0]);
    assert.equal(tracker.update([seenAs('a', '1')], 500, 0).ready.length, 1);
  });
});

test('the source that arrived first is ready first, then the others by name', () => {
  const tracker = new SourceTracker();
  const all = [
    seenAs('b', '1', { arrivedAt: 2 }),
    seenAs('c', '1', { arrivedAt: 1 }),
    seenAs('a', '1', { arrivedAt: 2 }),
  ];
  assert.deepEqual(namesOf(tracker.update(all, 0, 0).ready), ['c', 'a', 'b']);
});
