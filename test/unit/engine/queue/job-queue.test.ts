import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { JobQueue, type JobQueueLimits } from '../../../../main/engine/queue/job-queue.ts';
import { Failure } from '../../../../main/failure/failure.ts';

const openQueue = (limits: Partial<JobQueueLimits>) =>
  new JobQueue({ workers: 1, queue: 1, queueTimeoutMs: 1000, ...limits });
const { signal } = new AbortController();

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

describe('a job queue', () => {
  test('admits as many jobs as may run, and queues the others', async () => {
    const jobQueue = openQueue({ workers: 2 });
    const [first, second] = await Promise.all([jobQueue.enter('a', signal), jobQueue.enter('a', signal)]);
    const third = jobQueue.enter('a', signal);
    assert.deepEqual([jobQueue.state, jobQueue.isFull], [{ working: 2, waiting: 1 }, true]);
    first.release();
    await third;
    assert.deepEqual([jobQueue.state, jobQueue.isFull], [{ working: 2, waiting: 0 }, false]);
    second.release();
    (await third).release();
    assert.deepEqual(jobQueue.state, { working: 0, waiting: 0 });
  });

  test('frees a slot once, even if it is released twice', async () => {
    const jobQueue = openQueue({ workers: 2 });
    const [first] = await Promise.all([jobQueue.enter('a', signal), jobQueue.enter('b', signal)]);
    first.release();
    first.release();
    assert.deepEqual(jobQueue.state, { working: 1, waiting: 0 });
  });

  test('refuses a job immediately when it is full', async () => {
    const jobQueue = openQueue({ queue: 0 });
    await jobQueue.enter('a', signal);
    assert.ok(jobQueue.isFull);
    await assert.rejects(jobQueue.enter('b', signal), unavailable(/queue is full/));
    assert.deepEqual(jobQueue.state, { working: 1, waiting: 0 });
  });

  test('admits the jobs of an account in order of arrival', async () => {
    const jobQueue = openQueue({ queue: 3 });
    let runningJob = await jobQueue.enter('a', signal);
    const admitted: string[] = [];
    const waiting = ['first', 'second', 'third'].map(async (name) => {
      const slot = await jobQueue.enter('a', signal);
      admitted.push(name);
      return slot;
    });
    for (const job of waiting) {
      runningJob.release();
      runningJob = await job;
    }
    assert.deepEqual(admitted, ['first', 'second', 'third']);
  });

  test('refuses a job exactly when its queue timeout is over', async () => {
    const jobQueue = openQueue({});
    await jobQueue.enter('a', signal);
    const waiting = jobQueue.enter('a', signal);
    mock.timers.tick(999);
    assert.equal(jobQueue.state.waiting, 1);
    mock.timers.tick(1);
    await assert.rejects(waiting, unavailable(/in time/));
    assert.deepEqual(jobQueue.state, { working: 1, waiting: 0 });
  });

  test('removes an aborted job and admits the next one', async () => {
    const jobQueue = openQueue({ queue: 2 });
    const runningJob = await jobQueue.enter('a', signal);
    const controller = new AbortController();
    const reason = new Error('the caller disconnected');
    const impatient = jobQueue.enter('a', controller.signal);
    const patient = jobQueue.enter('a', signal);
    controller.abort(reason);
    await assert.rejects(impatient, reason);
    assert.equal(jobQueue.state.waiting, 1);
    runningJob.release();
    await patient;
    assert.deepEqual(jobQueue.state, { working: 1, waiting: 0 });
  });

  test('refuses a job whose signal is already aborted', async () => {
    const jobQueue = openQueue({});
    await assert.rejects(jobQueue.enter('a', AbortSignal.abort(new Error('gone'))), /gone/);
    assert.deepEqual(jobQueue.state, { working: 0, waiting: 0 });
  });

  test('refuses queued and new jobs once closed, and lets running ones finish', async () => {
    const jobQueue = openQueue({ queue: 2 });
    const runningJob = await jobQueue.enter('a', signal);
    const waiting = [jobQueue.enter('a', signal), jobQueue.enter('b', signal)];
    jobQueue.close();
    for (const job of waiting) await assert.rejects(job, unavailable(/shutting down/));
    assert.deepEqual(jobQueue.state, { working: 1, waiting: 0 });
    runningJob.release();
    await assert.rejects(jobQueue.enter('a', signal), unavailable(/shutting down/));
    assert.equal(jobQueue.refusalOf('a')?.retryAfter, 10);
    assert.deepEqual(jobQueue.state, { working: 0, waiting: 0 });
  });
});

test('the message of a refusal names the resource that jobs wait for', async () => {
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
