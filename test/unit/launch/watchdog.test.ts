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

/** Starts a watchdog whose target responds within half a second while `isHealthy` is true. */
function startTestWatchdog() {
  const target = { pings: 0, timeouts: 0, isHealthy: true };
  const watchdog = startWatchdog({
    ping() {
      target.pings += 1;
    },
    timeoutMs,
    onTimeout() {
      target.timeouts += 1;
    },
  });
  const passTime = (milliseconds: number) => {
    for (let elapsed = 0; elapsed < milliseconds; elapsed += 500) {
      if (target.isHealthy) watchdog.reset();
      mock.timers.tick(500);
    }
  };
  return { target, watchdog, passTime };
}

describe('A watched process', () => {
  test('that responds is pinged repeatedly and never reported', () => {
    const { target, watchdog, passTime } = startTestWatchdog();
    passTime(timeoutMs * 10);
    watchdog[Symbol.dispose]();
    assert.ok(target.pings > 100);
    assert.equal(target.timeouts, 0);
  });

  test('that does not respond is reported once, exactly at the timeout', () => {
    const { target, passTime } = startTestWatchdog();
    target.isHealthy = false;
    passTime(timeoutMs - 1000);
    assert.equal(target.timeouts, 0);
    passTime(2000);
    assert.equal(target.timeouts, 1);
    passTime(timeoutMs * 3);
    assert.equal(target.timeouts, 1);
  });

  test('that does not respond is pinged only once', () => {
    const { target, passTime } = startTestWatchdog();
    target.isHealthy = false;
    passTime(timeoutMs);
    assert.equal(target.pings, 1);
  });

  test('that responds late gets the full timeout again', () => {
    const { target, watchdog, passTime } = startTestWatchdog();
    target.isHealthy = false;
    passTime(timeoutMs - 1000);
    watchdog.reset();
    passTime(timeoutMs - 10_000);
    assert.equal(target.timeouts, 0);
    passTime(20_000);
    assert.equal(target.timeouts, 1);
  });

  test('is not reported when the machine slept before the response', () => {
    let slept = 0;
    for (const clock of [Date, performance]) {
      const now = clock.now.bind(clock);
      mock.method(clock, 'now', () => now() + slept);
    }
    const { target, watchdog, passTime } = startTestWatchdog();
    target.isHealthy = false;
    for (let night = 0; night < 5; night += 1) {
      slept += 8 * 3_600_000;
      passTime(5000);
    }
    assert.equal(target.timeouts, 0);
    watchdog[Symbol.dispose]();
  });

  test('is no longer pinged after the watch has ended', () => {
    const { target, watchdog, passTime } = startTestWatchdog();
    watchdog[Symbol.dispose]();
    passTime(timeoutMs * 2);
    assert.deepEqual([target.pings, target.timeouts], [1, 0]);
  });
});
