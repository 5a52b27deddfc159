import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryGate } from '../../../../main/engine/queue/memory-gate.ts';
import { Failure } from '../../../../main/failure/failure.ts';

function openGate(free: { bytes: number | undefined }) {
  let makeRoomCalls = 0;
  const closeIdleWindows = () => {
    makeRoomCalls += 1;
    return Promise.resolve();
  };
  return {
    gate: new MemoryGate({ reserveBytes: 100, freeBytes: () => free.bytes, closeIdleWindows }),
    makeRoomCalls: () => makeRoomCalls,
  };
}

const patient = { signal: new AbortController().signal, timeoutMs: 60_000 };

test('jobs begin immediately while memory is free or unknown', async () => {
  for (const bytes of [100, undefined]) {
    const { gate, makeRoomCalls } = openGate({ bytes });
    await Promise.all([gate.enter(patient), gate.enter(patient)]);
    assert.deepEqual([gate.isShort(), makeRoomCalls()], [false, 0]);
  }
});

test('while memory is short, one job at a time is admitted, in order of arrival', async () => {
  const { gate, makeRoomCalls } = openGate({ bytes: 0 });
  const started: number[] = [];
  const jobs = [0, 1, 2].map((n) => gate.enter(patient).then(() => started.push(n)));
  await jobs[0];
  assert.deepEqual([started, gate.isShort()], [[0], true]);
  assert.ok(makeRoomCalls() > 0, 'no idle window was closed');
  gate.leave();
  await jobs[1];
  assert.deepEqual(started, [0, 1]);
  gate.leave();
  await jobs[2];
});

test('waiting jobs begin when memory is free again', async () => {
  const free = { bytes: 0 };
  const { gate } = openGate(free);
  await gate.enter(patient);
  const second = gate.enter(patient);
  free.bytes = 100;
  await second;
});

test('memory freed by closing idle windows counts immediately, despite an earlier measurement', async () => {
  let bytes = 0;
  let measured = 0;
  const closeIdleWindows = () => {
    bytes = 100;
    return Promise.resolve();
  };
  const freeBytes = (maxAgeMs?: number) => (maxAgeMs === 0 ? (measured = bytes) : measured);
  const gate = new MemoryGate({ reserveBytes: 100, freeBytes, closeIdleWindows });
  // One job is always admitted.
  const first = gate.enter(patient);
  await gate.enter({ ...patient, timeoutMs: 2000 });
  await first;
});

test('a job that waits for idle windows to close can be aborted, times out, and starts before later jobs', async () => {
  let close = () => {};
  const closeIdleWindows = () => new Promise<void>((resolve) => (close = resolve));
  const gate = new MemoryGate({ reserveBytes: 100, freeBytes: () => 0, closeIdleWindows });
  const controller = new AbortController();
  const aborted = gate.enter({ ...patient, signal: controller.signal });
  controller.abort(new Error('gone'));
  await assert.rejects(aborted, /gone/);
  await assert.rejects(
    gate.enter({ ...patient, timeoutMs: 1 }),
    (problem) => problem instanceof Failure && problem.kind === 'unavailable',
  );
  const started: string[] = [];
  const first = gate.enter(patient).then(() => started.push('first'));
  const second = gate.enter(patient).then(() => started.push('second'));
  close();
  await first;
  assert.deepEqual(started, ['first']);
  gate.leave();
  await second;
});

test('a job that waits too long fails with 503; like an aborted job, it no longer blocks the next one', async () => {
  const free = { bytes: 0 };
  const { gate } = openGate(free);
  await gate.enter(patient);
  await assert.rejects(
    gate.enter({ ...patient, timeoutMs: 1 }),
    (problem) => problem instanceof Failure && problem.kind === 'unavailable',
  );
  const controller = new AbortController();
  const aborted = gate.enter({ ...patient, signal: controller.signal });
  controller.abort(new Error('gone'));
  await assert.rejects(aborted, /gone/);
  const last = gate.enter(patient);
  gate.leave();
  await last;
});
