import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { closeLeftBatches } from '../../../main/asynchronous-jobs/batch/closing-batches.ts';
import { describeWithDatabases } from '../../support/accounts/accounts.ts';
import {
  convert,
  submitBatch,
  temporaryQueue,
  type TemporaryQueue,
} from '../../support/accounts/asynchronous-jobs.ts';

const rows = `a\n${`${'x'.repeat(5000)}\n`.repeat(600)}`;
const limits = { queue: 5000 };

async function countRows({ database }: TemporaryQueue): Promise<number> {
  const found = await database
    .selectFrom('asynchronous_jobs')
    .select('job_id')
    .where('batch_id', 'is not', null)
    .execute();
  return found.length;
}

describeWithDatabases(({ kind }) => {
  test('while the rows of a batch are inserted, others read and write, and nothing of the batch can be seen or run', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann' });
    const bob = await queue.account({ name: 'bob' });
    const submitted = submitBatch({ queue, account: ann }, rows, { limits, key: 'k' });
    let turns = 0;
    for (;;) {
      await pause(1);
      const inserted = await countRows(queue);
      const own = await queue.submit(bob, {}, limits);
      const claimed = [await queue.claim(), await queue.claim()];
      const { jobs } = await queue.jobs.list({ account: ann, limit: 10 });
      const hasRun = claimed.some((job) => job !== undefined && job.id !== own);
      // The batch may have become visible since the claim.
      if (hasRun) assert.equal(jobs.length, 1);
      if (jobs.length > 0) break;
      if (inserted > 0) turns += 1;
    }
    assert.ok(turns > 0);
    const id = await submitted;
    assert.equal(await countRows(queue), 600);
    assert.equal((await queue.jobs.find(id, ann))?.totals?.rows, 600);
    assert.equal(await submitBatch({ queue, account: ann }, rows, { limits, key: 'k' }), id);
  });

  test('a batch whose node ended during the insertion is removed, and its key is free', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann' });
    const left = await submitBatch({ queue, account: ann }, 'a\n1\n2\n3\n');
    // As the end of the node leaves it.
    await queue.database
      .updateTable('asynchronous_jobs')
      .set({ batch_state: 'receiving' })
      .where('job_id', '=', left)
      .execute();
    await closeLeftBatches(queue.database);
    assert.equal(await countRows(queue), 3);
    await queue.database.updateTable('jobs').set({ node_id: 'ended' }).where('id', '=', left).execute();
    assert.equal(await queue.claim(), undefined);
    await closeLeftBatches(queue.database);
    assert.deepEqual(await queue.database.selectFrom('jobs').selectAll().execute(), []);
    assert.deepEqual(await queue.database.selectFrom('asynchronous_jobs').selectAll().execute(), []);
  });

  test('a batch that was canceled shows it immediately, and its rows are canceled also after a crash', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann' });
    const id = await submitBatch({ queue, account: ann }, `a\n${'x\n'.repeat(120)}`, { limits });
    const job = await queue.claim();
    assert.ok(job);
    await convert(queue, job);
    await queue.database.transaction().execute((transaction) => queue.ends.cancel(transaction, id));
    const state = async () => {
      const batch = await queue.jobs.find(id);
      return [batch?.outcome, batch?.totals?.done, batch?.totals?.canceled];
    };
    assert.deepEqual(await state(), ['canceled', 1, 119]);
    assert.equal(await queue.claim(), undefined);
    await closeLeftBatches(queue.database);
    assert.deepEqual(await state(), ['canceled', 1, 119]);
    const open = queue.database.selectFrom('asynchronous_jobs').select('job_id');
    assert.deepEqual(await open.where('request', 'is not', null).execute(), []);
    assert.deepEqual(await open.where('batch_state', 'is not', null).execute(), []);
    const { expires_at: expiry } = await queue.database
      .selectFrom('asynchronous_jobs')
      .select('expires_at')
      .where('job_id', '=', job.id)
      .executeTakeFirstOrThrow();
    assert.ok(expiry !== null && expiry <= Date.now());
  });

  test('of simultaneous requests for a batch with the same key, one creates it', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann' });
    const submit = () => submitBatch({ queue, account: ann }, 'a\n1\n2\n', { key: 'k' });
    const ids = await Promise.all([submit(), submit(), submit()]);
    assert.equal(new Set(ids).size, 1);
    assert.equal(await countRows(queue), 2);
    for (let job = await queue.claim(); job !== undefined; job = await queue.claim())
      await convert(queue, job);
    assert.equal((await queue.jobs.find(ids[0]))?.outcome, 'converted');
  });
});
