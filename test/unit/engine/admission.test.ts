import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAdmission } from '../../../main/engine/admission.ts';
import { Failure } from '../../../main/failure/failure.ts';

function opened(free: { bytes: number | undefined }) {
  let rooms = 0;
  const makeRoom = () => {
    rooms += 1;
    return Promise.resolve();
  };
  return { admission: openAdmission({ reserve: 100, free: () => free.bytes, makeRoom }), rooms: () => rooms };
}

const patient = { signal: new AbortController().signal, longest: 60_000 };

test('jobs begin at once while there is memory, or nobody knows', async () => {
  for (const bytes of [100, undefined]) {
    const { admission, rooms } = opened({ bytes });
    await Promise.all([admission.enter(patient), admission.enter(patient)]);
    assert.deepEqual([admission.isShort(), rooms()], [false, 0]);
  }
});

test('while memory is short one job at a time is let through, in the order they came', async () => {
  const { admission, rooms } = opened({ bytes: 0 });
  const begun: number[] = [];
  const jobs = [0, 1, 2].map((n) => admission.enter(patient).then(() => begun.push(n)));
  await jobs[0];
  assert.deepEqual([begun, admission.isShort()], [[0], true]);
  assert.ok(rooms() > 0, 'no idle window was closed');
  admission.leave();
  await jobs[1];
  assert.deepEqual(begun, [0, 1]);
  admission.leave();
  await jobs[2];
});

test('jobs that wait begin when memory has come back', async () => {
  const free = { bytes: 0 };
  const { admission } = opened(free);
  await admission.enter(patient);
  const second = admission.enter(patient);
  free.bytes = 100;
  await second;
});

test('what idle windows have given back counts at once, whatever was free a moment before', async () => {
  let [bytes, known] = [0, 0];
  const makeRoom = () => {
    bytes = 100;
    return Promise.resolve();
  };
  const free = (longest?: number) => (longest === 0 ? (known = bytes) : known);
  const admission = openAdmission({ reserve: 100, free, makeRoom });
  // One is let through in any case.
  const first = admission.enter(patient);
  await admission.enter({ ...patient, longest: 2000 });
  await first;
});

test('whoever waits for idle windows to be closed is first in the queue, may leave it, and waits no longer than it may', async () => {
  let close = () => {};
  const makeRoom = () => new Promise<void>((resolve) => (close = resolve));
  const admission = openAdmission({ reserve: 100, free: () => 0, makeRoom });
  const gone = new AbortController();
  const leaving = admission.enter({ ...patient, signal: gone.signal });
  gone.abort(new Error('gone'));
  await assert.rejects(leaving, /gone/);
  await assert.rejects(
    admission.enter({ ...patient, longest: 1 }),
    (problem) => problem instanceof Failure && problem.kind === 'unavailable',
  );
  const begun: string[] = [];
  const first = admission.enter(patient).then(() => begun.push('first'));
  const second = admission.enter(patient).then(() => begun.push('second'));
  close();
  await first;
  assert.deepEqual(begun, ['first']);
  admission.leave();
  await second;
});

test('a job that waits too long is 503, one whose caller has gone is not, and neither keeps its place', async () => {
  const free = { bytes: 0 };
  const { admission } = opened(free);
  await admission.enter(patient);
  await assert.rejects(
    admission.enter({ ...patient, longest: 1 }),
    (problem) => problem instanceof Failure && problem.kind === 'unavailable',
  );
  const gone = new AbortController();
  const leaving = admission.enter({ ...patient, signal: gone.signal });
  gone.abort(new Error('gone'));
  await assert.rejects(leaving, /gone/);
  const last = admission.enter(patient);
  admission.leave();
  await last;
});
