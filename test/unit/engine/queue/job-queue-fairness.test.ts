import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import fc from 'fast-check';
import { JobQueue, type Slot, type JobQueueLimits } from '../../../../main/engine/queue/job-queue.ts';
import { Failure } from '../../../../main/failure/failure.ts';

const openQueue = (limits: Partial<JobQueueLimits>) =>
  new JobQueue({ workers: 1, queue: 1, queueTimeoutMs: 1000, ...limits });

const unavailable = (pattern: RegExp) => (problem: unknown) =>
  problem instanceof Failure &&
  problem.kind === 'unavailable' &&
  (problem.retryAfter ?? 0) > 0 &&
  pattern.test(problem.message);

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
});
afterEach(() => {
  mock.timers.reset();
});

/** Enters the queue with a separate signal, as each job does, and keeps the slot. Appends the account to `admitted`. */
async function enterQueue(jobQueue: JobQueue, account: string, admitted: string[] = []): Promise<Slot> {
  const slot = await jobQueue.enter(account, new AbortController().signal);
  admitted.push(account);
  return slot;
}

describe('a fair queue', () => {
  test('admits one job before five hundred jobs of another account', async () => {
    const jobQueue = openQueue({ queue: 1000 });
    const admitted: string[] = [];
    const slot = await enterQueue(jobQueue, 'many', admitted);
    for (let n = 0; n < 500; n += 1) void enterQueue(jobQueue, 'many', admitted);
    const single = enterQueue(jobQueue, 'one', admitted);
    slot.release();
    await single;
    assert.deepEqual(admitted, ['many', 'one']);
  });

  test('gives the next slot to the account with the fewest slots', async () => {
    const jobQueue = openQueue({ workers: 3, queue: 10 });
    const admitted: string[] = [];
    const [, , slot] = await Promise.all([
      enterQueue(jobQueue, 'b'),
      enterQueue(jobQueue, 'b'),
      enterQueue(jobQueue, 'a'),
    ]);
    const waiting = ['b', 'b', 'a', 'c'].map((account) => enterQueue(jobQueue, account, admitted));
    slot.release();
    (await Promise.race(waiting)).release();
    await waiting[2];
    assert.deepEqual(admitted, ['c', 'a']);
  });

  test('alternates between accounts with the same number of slots', async () => {
    const { arrive, leave, admitted } = play(openQueue({ queue: 10 }));
    ['a', 'a', 'a', 'b', 'b', 'c'].forEach(arrive);
    for (let n = 0; n < 6; n += 1) await leave();
    assert.equal(admitted.join(' '), 'a b c a b a');
  });

  test('does not let accounts that send their next job immediately delay another account', async () => {
    const { arrive, leave, admitted } = play(openQueue({ queue: 10 }));
    ['x', 'many', 'many', 'many', 'y'].forEach(arrive);
    for (let n = 0; n < 7; n += 1) {
      const left = await leave();
      if (left !== 'many') arrive(left);
    }
    assert.equal(admitted.join(' '), 'x many y x many y x many');
  });
});

/** A queue whose jobs finish in the order of their admission. */
function play(jobQueue: JobQueue) {
  const admitted: string[] = [];
  const working: { account: string; slot: Slot }[] = [];
  return {
    admitted,
    arrive: (account: string) => {
      void enterQueue(jobQueue, account, admitted).then((slot) => working.push({ account, slot }));
    },
    /** Ends the oldest running job and returns its account. */
    leave: async () => {
      await new Promise(setImmediate);
      const first = working.shift();
      first?.slot.release();
      await new Promise(setImmediate);
      return first?.account ?? '';
    },
  };
}

describe('a full queue', () => {
  test('refuses the newest queued job of the account with the most jobs, to make room for an account with fewer', async () => {
    const jobQueue = openQueue({ queue: 2 });
    const slot = await enterQueue(jobQueue, 'many');
    const older = enterQueue(jobQueue, 'many');
    const newer = enterQueue(jobQueue, 'many');
    const single = enterQueue(jobQueue, 'one');
    await assert.rejects(newer, unavailable(/an account with fewer jobs/));
    assert.deepEqual(jobQueue.state, { working: 1, waiting: 2 });
    slot.release();
    (await single).release();
    await older;
  });

  test('immediately refuses jobs of every account if no account has two queued jobs; refusalOf() returns the same failure', async () => {
    const jobQueue = openQueue({ queue: 2 });
    await enterQueue(jobQueue, 'a');
    const waiting = [enterQueue(jobQueue, 'b'), enterQueue(jobQueue, 'c')];
    for (const account of ['a', 'b', 'c', 'd']) {
      assert.match(jobQueue.refusalOf(account)?.message ?? '', /queue is full/, account);
      await assert.rejects(enterQueue(jobQueue, account), unavailable(/queue is full/), account);
    }
    assert.equal(jobQueue.refusalOf('d')?.kind, 'unavailable');
    assert.deepEqual(jobQueue.state, { working: 1, waiting: waiting.length });
  });

  test("does not let two accounts displace each other's jobs in turns", async () => {
    const jobQueue = openQueue({ queue: 1 });
    await enterQueue(jobQueue, 'a');
    const first = enterQueue(jobQueue, 'a');
    void enterQueue(jobQueue, 'b').catch(() => assert.fail('the job of b was refused'));
    await assert.rejects(first, unavailable(/fewer/));
    for (const account of ['a', 'b', 'a', 'c'])
      await assert.rejects(enterQueue(jobQueue, account), unavailable(/queue is full/), account);
  });

  test('refuses jobs with a Retry-After that depends on the recent job time', async () => {
    assert.equal(await retryAfterOf(openQueue({ queue: 2 })), 1);
    const jobQueue = openQueue({ queue: 2 });
    let clock = 0;
    mock.method(performance, 'now', () => clock);
    const slot = await enterQueue(jobQueue, 'a');
    clock = 4000;
    slot.release();
    assert.equal(await retryAfterOf(jobQueue), 12);
    mock.restoreAll();
  });
});

/** Fills an empty queue that has one worker. Returns the Retry-After of the next job, which is refused. */
async function retryAfterOf(jobQueue: JobQueue): Promise<number | undefined> {
  const slot = await enterQueue(jobQueue, 'a');
  const waiting = [new AbortController(), new AbortController()];
  const waits = waiting.map((controller, index) =>
    jobQueue.enter(`w${index}`, controller.signal).catch(() => undefined),
  );
  const retryAfter = jobQueue.refusalOf('d')?.retryAfter;
  waiting.forEach((controller) => {
    controller.abort();
  });
  await Promise.all(waits);
  slot.release();
  return retryAfter;
}

interface Caller {
  outcome: 'waits' | 'works' | 'left' | 'refused';
  slot?: Slot;
  /** The number of jobs admitted before this one, while it was the first queued job of an account without a running job. */
  passed: number;
  readonly account: string;
  readonly abortController: AbortController;
}

test('a job queue never exceeds its limits, admits a refused job, or delays an account by more than one job of each other account', async () => {
  const steps = fc.array(
    fc.tuple(
      fc.constantFrom('come', 'come', 'come', 'leave', 'leave', 'disconnect', 'time passes'),
      fc.nat(20),
    ),
    { maxLength: 60 },
  );
  const accounts = ['a', 'b', 'c'];
  const play = async (workers: number, queue: number, sequence: readonly (readonly [string, number])[]) => {
    const jobQueue = openQueue({ workers, queue });
    const callers: Caller[] = [];
    const callersWith = (outcome: string) => callers.filter((caller) => caller.outcome === outcome);
    const admitted = (caller: Caller, slot: Slot) => {
      assert.equal(caller.outcome, 'waits', 'a refused job was admitted');
      Object.assign(caller, { outcome: 'works', slot });
      const isFirst = (candidate: Caller) =>
        callersWith('waits').find(({ account }) => account === candidate.account) === candidate &&
        !callersWith('works').some(({ account }) => account === candidate.account);
      for (const competitor of callersWith('waits').filter(isFirst)) {
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
        jobQueue.enter(account, caller.abortController.signal).then(
          (slot) => {
            admitted(caller, slot);
          },
          () => (caller.outcome = 'refused'),
        );
      },
      leave(which) {
        const working = callersWith('works');
        const worker = working[which % Math.max(1, working.length)];
        if (worker === undefined) return;
        worker.outcome = 'left';
        worker.slot?.release();
      },
      disconnect(which) {
        callers[which % Math.max(1, callers.length)]?.abortController.abort(new Error('gone'));
      },
      'time passes'(which) {
        mock.timers.tick(which * 100);
      },
    };
    for (const [step, which] of sequence) {
      act[step]?.(which);
      // Promises settle in microtasks; setImmediate comes after all of them.
      await new Promise(setImmediate);
      assert.deepEqual(jobQueue.state, {
        working: callersWith('works').length,
        waiting: callersWith('waits').length,
      });
      assert.ok(jobQueue.state.working <= workers && jobQueue.state.waiting <= queue);
      assert.ok(
        jobQueue.state.waiting === 0 || jobQueue.state.working === workers,
        'a job waits while a slot is free',
      );
    }
  };
  await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.nat(5), steps, play), { numRuns: 300 });
});
