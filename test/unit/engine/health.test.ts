import assert from 'node:assert/strict';
import { test } from 'node:test';
import pino from 'pino';
import { BrowserFault } from '../../../main/engine/browser-fault.ts';
import { openHealth, type CanaryOutcome, type HealthOptions } from '../../../main/engine/health.ts';
import { Failure } from '../../../main/failure/failure.ts';

const pace = { gap: 1, firstWait: 1, longestWait: 2 };

/** A health whose canaries end as the list says, the last one again and again; each run is awaited by `next`. */
function watched(ends: readonly (Error | undefined)[], over: Partial<HealthOptions> = {}) {
  const seen = { outcomes: [] as CanaryOutcome[], distrusted: 0, hopeless: [] as string[], converted: 0 };
  let wake = () => {};
  const health = openHealth({
    convert() {
      const end = ends[Math.min(seen.converted++, ends.length - 1)];
      return end === undefined ? Promise.resolve() : Promise.reject(end);
    },
    distrust: () => (seen.distrusted += 1),
    onRun(outcome) {
      seen.outcomes.push(outcome);
      setImmediate(() => {
        wake();
      });
    },
    onHopeless: (sentence) => seen.hopeless.push(sentence),
    ...{ log: pino({ level: 'silent' }), pace },
    ...over,
  });
  const until = async (runs: number) => {
    while (seen.outcomes.length < runs) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { health, seen, until };
}

test('nothing is converted while nothing is doubted', async () => {
  const { health, seen } = watched([undefined]);
  await new Promise((resolve) => setImmediate(resolve));
  health[Symbol.dispose]();
  assert.equal(seen.converted, 0);
});

test('a canary that comes out right is converted once, however often it is asked for at once', async () => {
  const { health, seen, until } = watched([undefined]);
  for (let n = 0; n < 100; n += 1) health.doubt('a test');
  await until(1);
  assert.deepEqual(seen.outcomes, ['passed']);
  assert.deepEqual([seen.distrusted, health.problem()], [0, undefined]);
  health[Symbol.dispose]();
});

test('after three failures in a row the problem is told, and no more when a canary has come out right', async () => {
  const bad = new Error('blank');
  const { health, seen, until } = watched([bad, bad, bad, undefined]);
  health.doubt('a test');
  await until(2);
  assert.equal(health.problem(), undefined);
  await until(3);
  assert.equal(health.problem(), 'conversions fail: blank');
  await until(4);
  assert.equal(health.problem(), undefined);
  assert.deepEqual([seen.distrusted, seen.hopeless], [3, []]);
  health[Symbol.dispose]();
});

test('after eight failures in a row the service is given up, once', async () => {
  const { health, seen, until } = watched([new Error('blank')]);
  health.doubt('a test');
  await until(8);
  health.doubt('a test');
  assert.deepEqual(seen.hopeless, ['the canary could not be converted 8 times in a row: blank']);
  assert.equal(seen.converted, 8);
});

test('a canary for which there is no window says nothing, and is tried again', async () => {
  const busy = new Failure('unavailable', 'busy');
  const { health, seen, until } = watched([busy, busy, busy, busy, undefined]);
  health.doubt('a test');
  await until(5);
  assert.deepEqual(seen.outcomes, [...Array.from({ length: 4 }, () => 'inconclusive'), 'passed']);
  assert.deepEqual([seen.distrusted, health.problem()], [0, undefined]);
  health[Symbol.dispose]();
});

test('a canary for which no window could be opened has failed, whatever a caller is told of it', async () => {
  const cause = new BrowserFault('no window could be opened');
  const { health, seen, until } = watched([new Failure('unavailable', 'try again', { cause })]);
  health.doubt('a test');
  await until(8);
  assert.deepEqual(new Set(seen.outcomes), new Set(['failed']));
  assert.equal(seen.hopeless.length, 1);
  health[Symbol.dispose]();
});
