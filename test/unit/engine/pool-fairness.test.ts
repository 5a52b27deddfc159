import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import fc from 'fast-check';
import { Pool, type Place, type PoolLimits } from '../../../main/engine/pool.ts';
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

/** Comes and stays; what it does is told in `told`. */
async function come(pool: Pool, account: string, told: string[] = []): Promise<Place> {
  const place = await pool.enter(account, signal);
  told.push(account);
  return place;
}

describe('a pool is fair:', () => {
  test('one letter among five hundred jobs of another account is next', async () => {
    const pool = poolOf({ queue: 1000 });
    const admitted: string[] = [];
    const place = await come(pool, 'many', admitted);
    for (let n = 0; n < 500; n += 1) void come(pool, 'many', admitted);
    const letter = come(pool, 'one', admitted);
    place.leave();
    await letter;
    assert.deepEqual(admitted, ['many', 'one']);
  });

  test('who has fewer windows gets the next one', async () => {
    const pool = poolOf({ workers: 3, queue: 10 });
    const admitted: string[] = [];
    const [, , place] = await Promise.all([come(pool, 'b'), come(pool, 'b'), come(pool, 'a')]);
    const waiting = ['b', 'b', 'a', 'c'].map((account) => come(pool, account, admitted));
    place.leave();
    (await Promise.race(waiting)).leave();
    await waiting[2];
    assert.deepEqual(admitted, ['c', 'a']);
  });

  test('accounts that have as many windows take turns', async () => {
    const { arrive, leave, admitted } = play(poolOf({ queue: 10 }));
    ['a', 'a', 'a', 'b', 'b', 'c'].forEach(arrive);
    for (let n = 0; n < 6; n += 1) await leave();
    assert.equal(admitted.join(' '), 'a b c a b a');
  });

  test('accounts that come again as soon as they have their answer do not keep another waiting', async () => {
    const { arrive, leave, admitted } = play(poolOf({ queue: 10 }));
    ['x', 'many', 'many', 'many', 'y'].forEach(arrive);
    for (let n = 0; n < 7; n += 1) {
      const left = await leave();
      if (left !== 'many') arrive(left);
    }
    assert.equal(admitted.join(' '), 'x many y x many y x many');
  });
});

/** Jobs come, and leave in the order they were admitted. */
function play(pool: Pool) {
  const [admitted, working]: [string[], { account: string; place: Place }[]] = [[], []];
  return {
    admitted,
    arrive: (account: string) => {
      void come(pool, account, admitted).then((place) => working.push({ account, place }));
    },
    /** Whose it was. */
    leave: async () => {
      await new Promise(setImmediate);
      const first = working.shift();
      first?.place.leave();
      await new Promise(setImmediate);
      return first?.account ?? '';
    },
  };
}

describe('a full queue', () => {
  test('makes room for a job of an account with fewer: the newest of the account with most gives way', async () => {
    const pool = poolOf({ queue: 2 });
    const place = await come(pool, 'many');
    const [older, newer] = [come(pool, 'many'), come(pool, 'many')];
    const letter = come(pool, 'one');
    await assert.rejects(newer, unavailable(/others with fewer jobs/));
    assert.deepEqual(pool.state, { working: 1, waiting: 2 });
    place.leave();
    (await letter).leave();
    await older;
  });

  test('refuses at once whoever has as many jobs as others, and says so beforehand', async () => {
    const pool = poolOf({ queue: 2 });
    await come(pool, 'a');
    const waiting = [come(pool, 'b'), come(pool, 'c')];
    for (const account of ['a', 'b', 'c', 'd']) {
      assert.match(pool.refusalOf(account)?.message ?? '', /queue is full/, account);
      await assert.rejects(pool.enter(account, signal), unavailable(/queue is full/), account);
    }
    assert.equal(pool.refusalOf('d')?.kind, 'unavailable');
    assert.deepEqual(pool.state, { working: 1, waiting: waiting.length });
  });

  test('does not let two accounts throw each other out by turns', async () => {
    const pool = poolOf({ queue: 1 });
    await come(pool, 'a');
    const first = come(pool, 'a');
    void come(pool, 'b').catch(() => assert.fail('b was thrown out'));
    await assert.rejects(first, unavailable(/fewer/));
    for (const account of ['a', 'b', 'a', 'c'])
      await assert.rejects(pool.enter(account, signal), unavailable(/queue is full/), account);
  });

  test('asks to come again when, at the pace of late, it will have been worked off', async () => {
    assert.equal(await retryAfterOf(poolOf({ queue: 2 })), 1);
    const pool = poolOf({ queue: 2 });
    let clock = 0;
    mock.method(performance, 'now', () => clock);
    const place = await pool.enter('a', signal);
    clock = 4000;
    place.leave();
    assert.equal(await retryAfterOf(pool), 12);
    mock.restoreAll();
  });
});

/** What the first is told for whom there is no place, of a pool of one worker that nobody is in. */
async function retryAfterOf(pool: Pool): Promise<number | undefined> {
  const place = await pool.enter('a', signal);
  const waiting = [new AbortController(), new AbortController()];
  const waits = waiting.map((gone, index) => pool.enter(`w${index}`, gone.signal).catch(() => undefined));
  const retryAfter = pool.refusalOf('d')?.retryAfter;
  waiting.forEach((gone) => {
    gone.abort();
  });
  await Promise.all(waits);
  place.leave();
  return retryAfter;
}

interface Caller {
  outcome: 'waits' | 'works' | 'left' | 'refused';
  place?: Place;
  /** Others that have been admitted since it has been first of its account, which had no window. */
  passed: number;
  readonly account: string;
  readonly gone: AbortController;
}

test('no order of coming, leaving, hanging up and waiting too long takes a pool beyond its limits, wakes one it refused, or keeps one waiting for more than a turn of each other account', async () => {
  const steps = fc.array(
    fc.tuple(fc.constantFrom('come', 'come', 'come', 'leave', 'leave', 'hang up', 'time passes'), fc.nat(20)),
    { maxLength: 60 },
  );
  const accounts = ['a', 'b', 'c'];
  const play = async (workers: number, queue: number, played: readonly (readonly [string, number])[]) => {
    const pool = poolOf({ workers, queue });
    const callers: Caller[] = [];
    const those = (outcome: string) => callers.filter((caller) => caller.outcome === outcome);
    const admitted = (caller: Caller, place: Place) => {
      assert.equal(caller.outcome, 'waits', 'one that was refused is admitted');
      Object.assign(caller, { outcome: 'works', place });
      const isFirst = (other: Caller) =>
        those('waits').find(({ account }) => account === other.account) === other &&
        !those('works').some(({ account }) => account === other.account);
      for (const other of those('waits').filter(isFirst)) {
        other.passed += 1;
        assert.ok(other.passed < accounts.length, `${other.account} was passed over`);
      }
    };
    const act: Record<string, (which: number) => void> = {
      come(which) {
        const account = accounts[which % accounts.length] ?? '';
        const caller: Caller = { outcome: 'waits', passed: 0, account, gone: new AbortController() };
        callers.push(caller);
        pool.enter(account, caller.gone.signal).then(
          (place) => {
            admitted(caller, place);
          },
          () => (caller.outcome = 'refused'),
        );
      },
      leave(which) {
        const working = those('works');
        const worker = working[which % Math.max(1, working.length)];
        if (worker === undefined) return;
        worker.outcome = 'left';
        worker.place?.leave();
      },
      'hang up'(which) {
        callers[which % Math.max(1, callers.length)]?.gone.abort(new Error('gone'));
      },
      'time passes'(which) {
        mock.timers.tick(which * 100);
      },
    };
    for (const [step, which] of played) {
      act[step]?.(which);
      // Promises settle in microtasks; setImmediate comes after all of them.
      await new Promise(setImmediate);
      assert.deepEqual(pool.state, { working: those('works').length, waiting: those('waits').length });
      assert.ok(pool.state.working <= workers && pool.state.waiting <= queue);
      assert.ok(
        pool.state.waiting === 0 || pool.state.working === workers,
        'somebody waits while a place is free',
      );
    }
  };
  await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.nat(5), steps, play), { numRuns: 300 });
});
