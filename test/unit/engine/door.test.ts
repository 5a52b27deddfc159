import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comeIn, openDoor } from '../../../main/engine/door.ts';
import { Pool } from '../../../main/engine/pool.ts';
import type { Job } from '../../../main/job/job.ts';
import { DebugLog } from '../../../main/log/debug-log.ts';

test('whoever leaves twice has left once: the memory kept for others is not given away a second time', async () => {
  const limits = { workers: 3, queue: 3, queueTimeout: 50 };
  const options = { ...limits, memoryReserve: 100, freeMemory: () => 0 };
  const door = openDoor(new Pool(limits), () => Promise.resolve(), options);
  const { signal } = new AbortController();
  const run = { job: { account: 'a' } as Job, log: new DebugLog(), folder: '', signal };
  const first = await comeIn(run, door);
  first.leave();
  first.leave();
  const second = await comeIn(run, door);
  await assert.rejects(comeIn(run, door), /The machine is short of memory/);
  second.leave();
  (await comeIn(run, door)).leave();
});
