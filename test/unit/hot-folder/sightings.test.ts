import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openSightings, type Seen } from '../../../main/hot-folder/sightings.ts';

const seenAs = (name: string, signature: string, others: Partial<Seen> = {}): Seen => ({
  ...{ name, signature, still: signature, size: 10, arrived: 1, done: false, ...others },
});
const namesOf = (seen: readonly Seen[]) => seen.map(({ name }) => name);

describe('A source', () => {
  test('is ready once it has not changed for long enough, and not before', () => {
    const sightings = openSightings();
    assert.deepEqual(sightings.look([seenAs('a', '1')], 0, 2000), { ready: [], next: 2000 });
    assert.equal(sightings.look([seenAs('a', '1')], 1500, 2000).next, 500);
    assert.deepEqual(sightings.look([seenAs('a', '2')], 1900, 2000), { ready: [], next: 2000 });
    assert.deepEqual(sightings.look([seenAs('a', '2')], 3800, 2000).ready, []);
    assert.deepEqual(namesOf(sightings.look([seenAs('a', '2')], 3900, 2000).ready), ['a']);
  });

  test('waits for what belongs to it, but that changes nothing once it is dealt with', () => {
    const sightings = openSightings();
    sightings.look([seenAs('a', '1', { still: 'x' })], 0, 1000);
    assert.deepEqual(sightings.look([seenAs('a', '1', { still: 'y' })], 1000, 1000).ready, []);
    assert.equal(sightings.look([seenAs('a', '1', { still: 'y' })], 2000, 1000).ready.length, 1);
    sightings.hold('a', '1');
    assert.deepEqual(sightings.look([seenAs('a', '1', { still: 'z' })], 9000, 1000).ready, []);
  });

  test('that is empty may just have been made, and is given half a minute', () => {
    const sightings = openSightings();
    sightings.look([seenAs('a', '1', { size: 0 })], 0, 1000);
    assert.deepEqual(sightings.look([seenAs('a', '1', { size: 0 })], 20_000, 1000).ready, []);
    assert.equal(sightings.look([seenAs('a', '1', { size: 0 })], 30_000, 1000).ready.length, 1);
  });

  test('that was dealt with comes again when it is changed, or goes and comes back', () => {
    const sightings = openSightings();
    sightings.look([seenAs('a', '1')], 0, 0);
    sightings.hold('a', '1');
    assert.deepEqual(sightings.look([seenAs('a', '1')], 1, 0).ready, []);
    assert.equal(sightings.look([seenAs('a', '2')], 2, 0).ready.length, 1);
    sightings.hold('a', '2');
    sightings.look([], 3, 0);
    assert.equal(sightings.look([seenAs('a', '2')], 4, 0).ready.length, 1);
  });

  test('with a newer output is done at first sight; changed later it is not, whatever its time says', () => {
    const sightings = openSightings();
    assert.deepEqual(sightings.look([seenAs('a', '1', { done: true })], 0, 0).ready, []);
    assert.equal(sightings.look([seenAs('a', '2', { done: true })], 1, 0).ready.length, 1);
  });

  test('whose newer version came meanwhile is not taken for dealt with', () => {
    const sightings = openSightings();
    sightings.look([seenAs('a', '2')], 0, 0);
    sightings.hold('a', '1');
    assert.equal(sightings.look([seenAs('a', '2')], 1, 0).ready.length, 1);
  });

  test('that was put off is not tried before its time', () => {
    const sightings = openSightings();
    sightings.look([seenAs('a', '1')], 0, 0);
    sightings.later('a', '1', 500);
    assert.deepEqual(sightings.look([seenAs('a', '1')], 100, 0), { ready: [], next: 400 });
    assert.equal(sightings.delays('a'), 1);
    assert.deepEqual([sightings.putOff(100), sightings.putOff(500)], [1, 0]);
    assert.equal(sightings.look([seenAs('a', '1')], 500, 0).ready.length, 1);
  });
});

test('the oldest comes first', () => {
  const sightings = openSightings();
  const all = [
    seenAs('b', '1', { arrived: 2 }),
    seenAs('c', '1', { arrived: 1 }),
    seenAs('a', '1', { arrived: 2 }),
  ];
  assert.deepEqual(namesOf(sightings.look(all, 0, 0).ready), ['c', 'a', 'b']);
});
