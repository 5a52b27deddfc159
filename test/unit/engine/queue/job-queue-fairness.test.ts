import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import fc from 'fast-check';
import { JobQueue, type Slot, type JobQueueLimits } from '../../../../main/engine/queue/job-queue.ts';
import { Failure } from '../../../../main/failure/failure.ts';

const poolOf = (limits: Partial<JobQueueLimits>) =>
  new JobQueue({ workers: 1, queue: 1, queueTimeoutMs: 1000, ...limits });
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

/** Enters the queue and keeps the slot. Appends the account to `admitted`. */
async function enterQueue(pool: JobQueue, account: string, admitted: string[] = []): Promise<Slot> {
  const place = await pool.enter(account, signal);
  admitted.push(account);
  return place;
}

describe('a fair queue', () => {
  test('admits one job before five hundred jobs of another account', async () => {
    const pool = poolOf({ queue: 1000 });
    const admitted: string[] = [];
    const place = await enterQueue(pool, 'many', admitted);
    for (let n = 0; n < 500; n += 1) void enterQueue(pool, 'many', admitted);
    const letter = enterQueue(pool, 'one', admitted);
    place.release();
    await letter;
    assert.deepEqual(admitted, ['many', 'one']);
  });

  test('gives the next window to the account with fewer windows', async () => {
    const pool = poolOf({ workers: 3, queue: 10 });
    const admitted: string[] = [];
    const [, , place] = await Promise.all([
      enterQueue(pool, 'b'),
      enterQueue(pool, 'b'),
      enterQueue(pool, 'a'),
    ]);
    const waiting = ['b', 'b', 'a', 'c'].map((account) => enterQueue(pool, account, admitted));
    place.release();
    (await Promise.race(waiting)).release();
    await waiting[2];
    assert.deepEqual(admitted, ['c', 'a']);
  });

  test('alternates between accounts with equally many windows', async () => {
    const { arrive, leave, admitted } = play(poolOf({ queue: 10 }));
    ['a', 'a', 'a', 'b', 'b', 'c'].forEach(arrive);
    for (let n = 0; n < 6; n += 1) await leave();
    assert.equal(admitted.join(' '), 'a b c a b a');
  });

  test('does not let accounts that send their next job immediately delay another account', async () => {
    const { arrive, leave, admitted } = play(poolOf({ queue: 10 }));
    ['x', 'many', 'many', 'many', 'y'].forEach(arrive);
    for (let n = 0; n < 7; n += 1) {
      const left = await leave();
      if (left !== 'many') arrive(left);
    }
    assert.equal(admitted.join(' '), 'x many y x many y x many');
  });
});

/** A queue whose jobs finish in the order of their admission. */
function play(pool: JobQueue) {
  const [admitted, working]: [string[], { account: string; place: Slot }[]] = [[], []];
  return {
    admitted,
    arrive: (account: string) => {
      void enterQueue(pool, account, admitted).then((place) => working.push({ account, place }));
    },
    /** Ends the oldest running job and returns its account. */
    leave: async () => {
      await new Promise(setImmediate);
      const first = working.shift();
      first?.place.release();
      await new Promise(setImmediate);
      return first?.account ?? '';
    },
  };
}

describe('a full queue', () => {
  test('refuses the newest queued job of the account with the most jobs, to make room for an account with fewer', async () => {
    const pool = poolOf({ queue: 2 });
    const place = await enterQueue(pool, 'many');
    const [older, newer] = [enterQueue(pool, 'many'), enterQueue(pool, 'many')];
    const letter = enterQueue(pool, 'one');
    await assert.rejects(newer, unavailable(/an account with fewer jobs/));
    assert.deepEqual(pool.state, { working: 1, waiting: 2 });
    place.release();
    (await letter).release();
    await older;
  });

  test('immediately refuses every account if none has two jobs, and refusalOf predicts it', async () => {
    const pool = poolOf({ queue: 2 });
    await enterQueue(pool, 'a');
    const waiting = [enterQueue(pool, 'b'), enterQueue(pool, 'c')];
    for (const account of ['a', 'b', 'c', 'd']) {
      assert.match(pool.refusalOf(account)?.message ?? '', /queue is full/, account);
      await assert.rejects(pool.enter(account, signal), unavailable(/queue is full/), account);
    }
    assert.equal(pool.refusalOf('d')?.kind, 'unavailable');
    assert.deepEqual(pool.state, { working: 1, waiting: waiting.length });
  });

  test("does not let two accounts displace each other's jobs by turns", async () => {
    const pool = poolOf({ queue: 1 });
    await enterQueue(pool, 'a');
    const first = enterQueue(pool, 'a');
    void enterQueue(pool, 'b').catch(() => assert.fail('b was thrown out'));
    await assert.rejects(first, unavailable(/fewer/));
    for (const account of ['a', 'b', 'a', 'c'])
      await assert.rejects(pool.enter(account, signal), unavailable(/queue is full/), account);
  });

  test('sends a Retry-After that follows the recent job time', async () => {
    assert.equal(await retryAfterOf(poolOf({ queue: 2 })), 1);
    const pool = poolOf({ queue: 2 });
    let clock = 0;
    mock.method(performance, 'now', () => clock);
    const place = await pool.enter('a', signal);
    clock = 4000;
    place.release();
    assert.equal(await retryAfterOf(pool), 12);
    mock.restoreAll();
  });
});

/** Returns the Retry-After of the first refused job of an empty queue with one worker. */
async function retryAfterOf(pool: JobQueue): Promise<number | undefined> {
  const place = await pool.enter('a', signal);
  const waiting = [new AbortController(), new AbortController()];
  const waits = waiting.map((controller, index) =>
    pool.enter(`w${index}`, controller.signal).catch(() => undefined),
  );
  const retryAfter = pool.refusalOf('d')?.retryAfter;
  waiting.forEach((controller) => {
    controller.abort();
  });
  await Promise.all(waits);
  place.release();
  return retryAfter;
}

interface Caller {
  outcome: 'waits' | 'works' | 'left' | 'refused';
  place?: Slot;
  /** The number of jobs admitted before this one, while it was the first queued job of an account without a running job. */
  passed: number;
  readonly account: string;
  readonly abortController: AbortController;
}

test('a job queue never exceeds limits, admits refused jobs, or delays an account by over one turn of each other', async () => {
  const steps = fc.array(
    fc.tuple(fc.constantFrom('come', 'come', 'come', 'leave', 'leave', 'hang up', 'time passes'), fc.nat(20)),
    { maxLength: 60 },
  );
  const accounts = ['a', 'b', 'c'];
  const play = async (workers: number, queue: number, played: readonly (readonly [string, number])[]) => {
    const pool = poolOf({ workers, queue });
    const callers: Caller[] = [];
    const those = (outcome: string) => callers.filter((caller) => caller.outcome === outcome);
    const admitted = (caller: Caller, place: Slot) => {
      assert.equal(caller.outcome, 'waits', 'a refused job was admitted');
      Object.assign(caller, { outcome: 'works', place });
      const isFirst = (candidate: Caller) =>
        those('waits').find(({ account }) => account === candidate.account) === candidate &&
        !those('works').some(({ account }) => account === candidate.account);
      for (const competitor of those('waits').filter(isFirst)) {
        competitor.passed += 1;
        assert.ok(competitor.passed < accounts.length, `${competitor.account} was passed over`);
      }
    };
    const act: Record<string, (which: number) => void> = {
      come(which) {
        const account = accounts[which % accounts.length] ?? '';
        const caller: Caller = {
          outcome: 'waits',
          passed: 0,
          account,
          abortController: new AbortController(),
        };
        callers.push(caller);
        pool.enter(account, caller.abortController.signal).then(
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
        worker.place?.release();
      },
      'hang up'(which) {
        callers[which % Math.max(1, callers.length)]?.abortController.abort(new Error('gone'));
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
