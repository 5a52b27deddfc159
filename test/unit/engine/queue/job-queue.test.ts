import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { JobQueue, type JobQueueLimits } from '../../../../main/engine/queue/job-queue.ts';
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

describe('a job queue', () => {
  test('admits as many jobs as may run, and queues the others', async () => {
    const pool = poolOf({ workers: 2 });
    const [first, second] = await Promise.all([pool.enter('a', signal), pool.enter('a', signal)]);
    const third = pool.enter('a', signal);
    assert.deepEqual([pool.state, pool.isFull], [{ working: 2, waiting: 1 }, true]);
    first.release();
    await third;
    assert.deepEqual([pool.state, pool.isFull], [{ working: 2, waiting: 0 }, false]);
    second.release();
    (await third).release();
    assert.deepEqual(pool.state, { working: 0, waiting: 0 });
  });

  test('frees a slot once, even if it is released twice', async () => {
    const pool = poolOf({ workers: 2 });
    const [first] = await Promise.all([pool.enter('a', signal), pool.enter('b', signal)]);
    first.release();
    first.release();
    assert.deepEqual(pool.state, { working: 1, waiting: 0 });
  });

  test('refuses a job immediately when it is full', async () => {
    const pool = poolOf({ queue: 0 });
    await pool.enter('a', signal);
    assert.ok(pool.isFull);
    await assert.rejects(pool.enter('b', signal), unavailable(/queue is full/));
    assert.deepEqual(pool.state, { working: 1, waiting: 0 });
  });

  test('admits the jobs of an account in order of arrival', async () => {
    const pool = poolOf({ queue: 3 });
    let place = await pool.enter('a', signal);
    const admitted: string[] = [];
    const waiting = ['first', 'second', 'third'].map(async (name) => {
      const slot = await pool.enter('a', signal);
      admitted.push(name);
      return slot;
    });
    for (const job of waiting) {
      place.release();
      place = await job;
    }
    assert.deepEqual(admitted, ['first', 'second', 'third']);
  });

  test('refuses a job exactly when its queue timeout is over', async () => {
    const pool = poolOf({});
    await pool.enter('a', signal);
    const waiting = pool.enter('a', signal);
    mock.timers.tick(999);
    assert.equal(pool.state.waiting, 1);
    mock.timers.tick(1);
    await assert.rejects(waiting, unavailable(/in time/));
    assert.deepEqual(pool.state, { working: 1, waiting: 0 });
  });

  test('forgets an aborted job and admits the next one', async () => {
    const pool = poolOf({ queue: 2 });
    const place = await pool.enter('a', signal);
    const controller = new AbortController();
    const reason = new Error('hung up');
    const impatient = pool.enter('a', controller.signal);
    const patient = pool.enter('a', signal);
    controller.abort(reason);
    await assert.rejects(impatient, reason);
    assert.equal(pool.state.waiting, 1);
    place.release();
    await patient;
    assert.deepEqual(pool.state, { working: 1, waiting: 0 });
  });

  test('refuses a job whose signal is already aborted', async () => {
    const pool = poolOf({});
    await assert.rejects(pool.enter('a', AbortSignal.abort(new Error('gone'))), /gone/);
    assert.deepEqual(pool.state, { working: 0, waiting: 0 });
  });

  test('refuses queued and new jobs once closed, and lets running ones finish', async () => {
    const pool = poolOf({ queue: 2 });
    const place = await pool.enter('a', signal);
    const waiting = [pool.enter('a', signal), pool.enter('b', signal)];
    pool.close();
    for (const job of waiting) await assert.rejects(job, unavailable(/shutting down/));
    assert.deepEqual(pool.state, { working: 1, waiting: 0 });
    place.release();
    await assert.rejects(pool.enter('a', signal), unavailable(/shutting down/));
    assert.equal(pool.refusalOf('a')?.retryAfter, 10);
    assert.deepEqual(pool.state, { working: 0, waiting: 0 });
  });
});

test('a refusal names what the queue is for', async () => {
  const signal = new AbortController().signal;
  for (const [resource, words] of [
    ['window', /^All windows are busy/],
    ['input process', /^All input processes are busy/],
  ] as const) {
    const queue = new JobQueue({ workers: 1, queue: 0, queueTimeoutMs: 1000 }, resource);
    await queue.enter('a', signal);
    await assert.rejects(queue.enter('b', signal), { message: words });
  }
});
