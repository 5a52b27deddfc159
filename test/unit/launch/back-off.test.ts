import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  afterExit,
  afterRestartRequest,
  maxFailedStarts,
  emptyHistory,
  restartDelayMs,
  type RestartHistory,
} from '../../../main/launch/supervise.ts';

const seconds = 1000;
const hour = 3_600 * seconds;

/** Returns the restart history after services that listened for these times in milliseconds; undefined is a failed start. */
const after = (...listened: readonly (number | undefined)[]): RestartHistory =>
  listened.reduce(afterExit, emptyHistory);

describe('A service that ended restarts', () => {
  test('immediately, then after 1, 2, 4 s and so on, up to a minute', () => {
    const waits = Array.from({ length: 10 }, (_, n) =>
      restartDelayMs(after(...Array.from({ length: n + 1 }, () => 0))),
    );
    assert.deepEqual(
      waits,
      [0, 1, 2, 4, 8, 16, 32, 60, 60, 60].map((wait) => wait * seconds),
    );
  });

  test('immediately if it had run for an hour, but not if it had run for a minute', () => {
    assert.equal(restartDelayMs(after(0, 0, 0, hour)), 0);
    assert.equal(restartDelayMs(after(0, 0, 0, 60 * seconds)), 4 * seconds);
  });

  test('with a count of all restarts, including those after failed starts', () => {
    assert.equal(after(hour, 0, undefined, hour).restarts, 4);
  });
});

test('consecutive failed starts are retried for about four minutes', () => {
  const failing = Array.from({ length: maxFailedStarts - 1 }, (_, n) =>
    after(hour, ...Array.from({ length: n + 1 }, () => undefined)),
  );
  const waits = [after(hour), ...failing].map(restartDelayMs);
  assert.equal(waits.reduce((sum, wait) => sum + wait) / seconds, 243);
});

test('a successful start resets the count of failed starts', () => {
  assert.equal(
    after(0, ...Array.from({ length: maxFailedStarts }, () => undefined)).failedStarts,
    maxFailedStarts,
  );
  assert.equal(after(0, undefined, undefined, 0, undefined).failedStarts, 1);
});

test('a requested restart is immediate, is not counted as a restart, and resets the back-off', () => {
  const requested = afterRestartRequest(after(0, 0, undefined, 0));
  assert.deepEqual([requested.restarts, requested.hasListened], [4, true]);
  assert.equal(restartDelayMs(requested), 0);
  assert.equal(restartDelayMs(afterExit(requested, 0)), 0);
  assert.equal(restartDelayMs([0, 0].reduce(afterExit, requested)), 1 * seconds);
});
