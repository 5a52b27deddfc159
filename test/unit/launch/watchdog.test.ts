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

/** A watchdog whose target answers within half a second while `isHealthy` is true. */
function startTestWatchdog() {
  const seen = { pings: 0, timeouts: 0, isHealthy: true };
  const watchdog = startWatchdog({
    ping() {
      seen.pings += 1;
    },
    timeoutMs,
    onTimeout() {
      seen.timeouts += 1;
    },
  });
  const pass = (milliseconds: number) => {
    for (let elapsed = 0; elapsed < milliseconds; elapsed += 500) {
      if (seen.isHealthy) watchdog.reset();
      mock.timers.tick(500);
    }
  };
  return { seen, silence: watchdog, pass };
}

describe('A watched process', () => {
  test('that responds is pinged repeatedly and never reported', () => {
    const { seen, silence, pass } = startTestWatchdog();
    pass(timeoutMs * 10);
    silence[Symbol.dispose]();
    assert.ok(seen.pings > 100);
    assert.equal(seen.timeouts, 0);
  });

  test('that does not respond is reported once, exactly at the timeout', () => {
    const { seen, pass } = startTestWatchdog();
    seen.isHealthy = false;
    pass(timeoutMs - 1000);
    assert.equal(seen.timeouts, 0);
    pass(2000);
    assert.equal(seen.timeouts, 1);
    pass(timeoutMs * 3);
    assert.equal(seen.timeouts, 1);
  });

  test('that does not respond is pinged only once', () => {
    const { seen, pass } = startTestWatchdog();
    seen.isHealthy = false;
    pass(timeoutMs);
    assert.equal(seen.pings, 1);
  });

  test('that responds late gets the full timeout again', () => {
    const { seen, silence, pass } = startTestWatchdog();
    seen.isHealthy = false;
    pass(timeoutMs - 1000);
    silence.reset();
    pass(timeoutMs - 10_000);
    assert.equal(seen.timeouts, 0);
    pass(20_000);
    assert.equal(seen.timeouts, 1);
  });

  test('is not reported when the machine slept before the response', () => {
    let slept = 0;
    for (const clock of [Date, performance]) {
      const now = clock.now.bind(clock);
      mock.method(clock, 'now', () => now() + slept);
    }
    const { seen, silence, pass } = startTestWatchdog();
    seen.isHealthy = false;
    for (let night = 0; night < 5; night += 1) {
      slept += 8 * 3_600_000;
      pass(5000);
    }
    assert.equal(seen.timeouts, 0);
    silence[Symbol.dispose]();
  });

  test('is no longer pinged after the watch has ended', () => {
    const { seen, silence, pass } = startTestWatchdog();
    silence[Symbol.dispose]();
    pass(timeoutMs * 2);
    assert.deepEqual([seen.pings, seen.timeouts], [1, 0]);
  });
});
