import assert from 'node:assert/strict';
import { test } from 'node:test';
import pino from 'pino';
import { BrowserFault } from '../../../../main/engine/renderer-loss.ts';
import {
  HealthMonitor,
  type CanaryOutcome,
  type HealthMonitorOptions,
} from '../../../../main/engine/health/health-monitor.ts';
import { Failure } from '../../../../main/failure/failure.ts';

const intervals = { minGapMs: 1, firstRetryMs: 1, maxRetryMs: 2 };

/**
 * Opens a health monitor whose canaries fail with the listed errors, or succeed for undefined. The last entry applies to all
 * further canaries. `until` waits until this number of canaries has ended.
 */
function openMonitor(ends: readonly (Error | undefined)[], overrides: Partial<HealthMonitorOptions> = {}) {
  const recorded = {
    outcomes: [] as CanaryOutcome[],
    replacements: 0,
    unrecoverable: [] as string[],
    converted: 0,
  };
  let wake = () => {};
  const health = new HealthMonitor({
    convertCanary() {
      const end = ends[Math.min(recorded.converted++, ends.length - 1)];
      return end === undefined ? Promise.resolve() : Promise.reject(end);
    },
    replaceAllWindows: () => (recorded.replacements += 1),
    onRun(outcome) {
      recorded.outcomes.push(outcome);
      setImmediate(() => {
        wake();
      });
    },
    onUnrecoverable: (reason) => recorded.unrecoverable.push(reason),
    log: pino({ level: 'silent' }),
    intervals,
    ...overrides,
  });
  const until = async (runs: number) => {
    while (recorded.outcomes.length < runs) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { health, recorded, until };
}

test('no canary is converted while no fault is reported', async () => {
  const { health, recorded } = openMonitor([undefined]);
  await new Promise((resolve) => setImmediate(resolve));
  health[Symbol.dispose]();
  assert.equal(recorded.converted, 0);
});

test('a hundred faults reported together cause one canary if it succeeds', async () => {
  const { health, recorded, until } = openMonitor([undefined]);
  for (let n = 0; n < 100; n += 1) health.reportFault('a test');
  await until(1);
  assert.deepEqual(recorded.outcomes, ['passed']);
  assert.deepEqual([recorded.replacements, health.problem()], [0, undefined]);
  health[Symbol.dispose]();
});

test('three failed canaries in a row are a problem until one succeeds; each failure replaces all windows', async () => {
  const bad = new Error('blank');
  const { health, recorded, until } = openMonitor([bad, bad, bad, undefined]);
  health.reportFault('a test');
  await until(2);
  assert.equal(health.problem(), undefined);
  await until(3);
  assert.equal(health.problem(), 'conversions fail: blank');
  await until(4);
  assert.equal(health.problem(), undefined);
  assert.deepEqual([recorded.replacements, recorded.unrecoverable], [3, []]);
  health[Symbol.dispose]();
});

test('eight failed canaries in a row report the service as unrecoverable, once, and end the canaries', async () => {
  const { health, recorded, until } = openMonitor([new Error('blank')]);
  health.reportFault('a test');
  await until(8);
  health.reportFault('a test');
  assert.equal(recorded.unrecoverable.length, 1);
  assert.match(recorded.unrecoverable[0] ?? '', /8 times in a row: blank/);
  assert.equal(recorded.converted, 8);
});

test('a canary that gets no window is inconclusive and is repeated', async () => {
  const busy = new Failure('unavailable', 'busy');
  const { health, recorded, until } = openMonitor([busy, busy, busy, busy, undefined]);
  health.reportFault('a test');
  await until(5);
  assert.deepEqual(recorded.outcomes, [...Array.from({ length: 4 }, () => 'inconclusive'), 'passed']);
  assert.deepEqual([recorded.replacements, health.problem()], [0, undefined]);
  health[Symbol.dispose]();
});

test('a canary fails when the browser cannot open a window', async () => {
  const cause = new BrowserFault('no window could be opened');
  const { health, recorded, until } = openMonitor([new Failure('unavailable', 'try again', { cause })]);
  health.reportFault('a test');
  await until(8);
  assert.deepEqual(new Set(recorded.outcomes), new Set(['failed']));
  assert.equal(recorded.unrecoverable.length, 1);
  health[Symbol.dispose]();
});
