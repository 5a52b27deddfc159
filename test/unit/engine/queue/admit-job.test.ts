import assert from 'node:assert/strict';
import { test } from 'node:test';
import { admitJob } from '../../../../main/engine/queue/admit-job.ts';
import { MemoryGate } from '../../../../main/engine/queue/memory-gate.ts';
import { JobQueue } from '../../../../main/engine/queue/job-queue.ts';
import type { Job } from '../../../../main/job/job.ts';
import { DebugLog } from '../../../../main/log/debug-log.ts';

test('a job that releases its slot twice frees its memory only once', async () => {
  const limits = { workers: 3, queue: 3, queueTimeoutMs: 50 };
  const memoryGate = new MemoryGate({
    reserveBytes: 100,
    freeBytes: () => 0,
    closeIdleWindows: () => Promise.resolve(),
  });
  const source = { queue: new JobQueue(limits), memoryGate, options: limits };
  const { signal } = new AbortController();
  const run = { job: { account: 'a' } as Job, log: new DebugLog(), folder: { path: () => '' }, signal };
  const first = await admitJob(run, source);
  first.release();
  first.release();
  const second = await admitJob(run, source);
  await assert.rejects(admitJob(run, source), /The machine is short of memory/);
  second.release();
  (await admitJob(run, source)).release();
});
