import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import fc from 'fast-check';
import { Pool, type PoolLimits } from '../../../main/engine/pool.ts';
import { Failure } from '../../../main/failure/failure.ts';

const poolOf = (limits: Partial<PoolLimits>) =>
  new Pool({ workers: 1, queue: 1, queueTimeout: 1000, ...limits });
const { signal } = new AbortController();

const unavailable = (sentence: RegExp) => (problem: unknown) =>
  problem instanceof Failure &&
  problem.kind === 'unavailable' &&
  (problem.retryAfter ?? 0) > 0 &&
  sentence.test(problem.message);

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
});
afterEach(() => {
  mock.timers.reset();
});

describe('a pool', () => {
  test('admits as many as may work at once, and lets others wait', async () => {
    const pool = poolOf({ workers: 2 });
    await Promise.all([pool.enter(signal), pool.enter(signal)]);
    const third = pool.enter(signal);
    assert.deepEqual([pool.state, pool.full], [{ working: 2, waiting: 1 }, true]);
    pool.leave();
    await third;
    assert.deepEqual([pool.state, pool.full], [{ working: 2, waiting: 0 }, false]);
    pool.leave();
    pool.leave();
    assert.deepEqual(pool.state, { working: 0, waiting: 0 });
  });

  test('refuses at once when nobody more may wait', async () => {
    const pool = poolOf({ queue: 0 });
    await pool.enter(signal);
    assert.ok(pool.full);
    await assert.rejects(pool.enter(signal), unavailable(/queue is full/));
    assert.deepEqual(pool.state, { working: 1, waiting: 0 });
  });

  test('admits those who wait in the order they came', async () => {
    const pool = poolOf({ queue: 3 });
    await pool.enter(signal);
    const admitted: string[] = [];
    const waiting = ['first', 'second', 'third'].map((name) =>
      pool.enter(signal).then(() => admitted.push(name)),
    );
    for (const done of waiting) {
      pool.leave();
      await done;
    }
    assert.deepEqual(admitted, ['first', 'second', 'third']);
  });

  test('refuses whoever waited too long, and not a moment before', async () => {
    const pool = poolOf({});
    await pool.enter(signal);
    const waiting = pool.enter(signal);
    mock.timers.tick(999);
    assert.equal(pool.state.waiting, 1);
    mock.timers.tick(1);
    await assert.rejects(waiting, unavailable(/in time/));
    assert.deepEqual(pool.state, { working: 1, waiting: 0 });
  });

  test('forgets whoever stopped waiting, and gives the place to the next', async () => {
    const pool = poolOf({ queue: 2 });
    await pool.enter(signal);
    const gone = new AbortController();
    const reason = new Error('hung up');
    const impatient = pool.enter(gone.signal);
    const patient = pool.enter(signal);
    gone.abort(reason);
    await assert.rejects(impatient, reason);
    assert.equal(pool.state.waiting, 1);
    pool.leave();
    await patient;
    assert.deepEqual(pool.state, { working: 1, waiting: 0 });
  });

  test('takes nobody whose signal has aborted already', async () => {
    const pool = poolOf({});
    await assert.rejects(pool.enter(AbortSignal.abort(new Error('gone'))), /gone/);
    assert.deepEqual(pool.state, { working: 0, waiting: 0 });
  });

  test('that is closed refuses all who wait and all who come, and lets those who work finish', async () => {
    const pool = poolOf({ queue: 2 });
    await pool.enter(signal);
    const waiting = [pool.enter(signal), pool.enter(signal)];
    pool.close();
    for (const one of waiting) await assert.rejects(one, unavailable(/shutting down/));
    assert.deepEqual(pool.state, { working: 1, waiting: 0 });
    pool.leave();
    await assert.rejects(pool.enter(signal), unavailable(/shutting down/));
    assert.deepEqual(pool.state, { working: 0, waiting: 0 });
  });
});

test('no order of coming, leaving, hanging up and waiting too long takes a pool beyond its limits, or wakes one it refused', async () => {
  const steps = fc.array(
    fc.tuple(fc.constantFrom('come', 'come', 'leave', 'hang up', 'time passes'), fc.nat(20)),
    { maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.nat(3), steps, async (workers, queue, played) => {
      const pool = poolOf({ workers, queue });
      const callers: { outcome: 'waits' | 'works' | 'left' | 'refused'; readonly gone: AbortController }[] =
        [];
      const countOf = (wanted: string) => callers.filter(({ outcome }) => outcome === wanted).length;
      for (const [step, which] of played) {
        if (step === 'come') {
          const caller: (typeof callers)[number] = { outcome: 'waits', gone: new AbortController() };
          callers.push(caller);
          pool.enter(caller.gone.signal).then(
            () => (caller.outcome = 'works'),
            () => (caller.outcome = 'refused'),
          );
        } else if (step === 'leave') {
          const worker = callers.find(({ outcome }) => outcome === 'works');
          if (worker === undefined) continue;
          worker.outcome = 'left';
          pool.leave();
        } else if (step === 'hang up')
          callers[which % Math.max(1, callers.length)]?.gone.abort(new Error('gone'));
        else mock.timers.tick(which * 100);
        // Promises settle in microtasks; setImmediate comes after all of them.
        await new Promise(setImmediate);
        assert.deepEqual(pool.state, { working: countOf('works'), waiting: countOf('waits') });
        assert.ok(pool.state.working <= workers && pool.state.waiting <= queue);
        assert.ok(
          pool.state.waiting === 0 || pool.state.working === workers,
          'somebody waits while a place is free',
        );
      }
    }),
    { numRuns: 200 },
  );
});
