import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { startWatchdog } from '../../../main/launch/service-process.ts';

const timeoutMs = 60_000;

beforeEach(() => {
  mock.timers.enable({ apis: ['setInterval'] });
});
afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

/** A watchdog whose target answers within half a second while `well` is true. */
function watched() {
  const seen = { asked: 0, silent: 0, well: true };
  const silence = startWatchdog({
    ping() {
      seen.asked += 1;
    },
    timeoutMs,
    onTimeout() {
      seen.silent += 1;
    },
  });
  const pass = (milliseconds: number) => {
    for (let elapsed = 0; elapsed < milliseconds; elapsed += 500) {
      if (seen.well) silence.reset();
      mock.timers.tick(500);
    }
  };
  return { seen, silence, pass };
}

describe('A watched process', () => {
  test('that responds is pinged repeatedly and never reported', () => {
    const { seen, silence, pass } = watched();
    pass(timeoutMs * 10);
    silence[Symbol.dispose]();
    assert.ok(seen.asked > 100);
    assert.equal(seen.silent, 0);
  });

  test('that does not respond is reported once, exactly at the timeout', () => {
    const { seen, pass } = watched();
    seen.well = false;
    pass(timeoutMs - 1000);
    assert.equal(seen.silent, 0);
    pass(2000);
    assert.equal(seen.silent, 1);
    pass(timeoutMs * 3);
    assert.equal(seen.silent, 1);
  });

  test('that does not respond has a single pending ping', () => {
    const { seen, pass } = watched();
    seen.well = false;
    pass(timeoutMs);
    assert.equal(seen.asked, 1);
  });

  test('that responds late gets the full timeout again', () => {
    const { seen, silence, pass } = watched();
    seen.well = false;
    pass(timeoutMs - 1000);
    silence.reset();
    pass(timeoutMs - 10_000);
    assert.equal(seen.silent, 0);
    pass(20_000);
    assert.equal(seen.silent, 1);
  });

  test('is not reported when the machine slept before the response', () => {
    let slept = 0;
    for (const clock of [Date, performance]) {
      const now = clock.now.bind(clock);
      mock.method(clock, 'now', () => now() + slept);
    }
    const { seen, silence, pass } = watched();
    seen.well = false;
    for (let night = 0; night < 5; night += 1) {
      slept += 8 * 3_600_000;
      pass(5000);
    }
    assert.equal(seen.silent, 0);
    silence[Symbol.dispose]();
  });

  test('is no longer pinged after the watch has ended', () => {
    const { seen, silence, pass } = watched();
    silence[Symbol.dispose]();
    pass(timeoutMs * 2);
    assert.deepEqual([seen.asked, seen.silent], [1, 0]);
  });
});
