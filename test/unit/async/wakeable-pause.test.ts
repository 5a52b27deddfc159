import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WakeablePause } from '../../../main/async/wakeable-pause.ts';

const long = 600_000;

test('a pause ends when it is woken, also if that was before it began, and only then', async () => {
  const pause = new WakeablePause();
  const first = pause.wait(long);
  pause.wake();
  await first;
  pause.wake();
  await pause.wait(long);
  let hasEnded = false;
  const last = pause.wait(long).then(() => (hasEnded = true));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(hasEnded, false, 'earlier wakes do not count twice');
  pause.wake();
  await last;
});

test('a pause ends after its time, and when its signal aborts', async () => {
  const pause = new WakeablePause();
  await pause.wait(1);
  const stop = new AbortController();
  const waiting = pause.wait(long, stop.signal);
  stop.abort();
  await waiting;
  await pause.wait(long, stop.signal);
});
