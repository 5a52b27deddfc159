import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pruneJobs } from '../../../main/accounts/job-pruning.ts';
import { removeAccount } from '../../../main/accounts/store/account-records.ts';
import { deleteOutput } from '../../../main/asynchronous-jobs/expiry.ts';
import { describeWithDatabases } from '../../support/accounts/accounts.ts';
import {
  convert,
  submitBatch,
  temporaryQueue,
  type TemporaryQueue,
} from '../../support/accounts/asynchronous-jobs.ts';

/** More rows than one transaction deletes. */
const rows = `a\n${'1\n'.repeat(95)}`;

async function jobIds({ database }: TemporaryQueue): Promise<string[]> {
  const jobs = await database.selectFrom('jobs').select('id').orderBy('id').execute();
  return jobs.map(({ id }) => id);
}

describeWithDatabases(({ kind }) => {
  test('removing an account deletes its jobs that wait, run and have ended, and no other jobs', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann', credits: 100 });
    const bob = await queue.account({ name: 'bob' });
    await submitBatch({ queue, account: ann }, rows);
    const first = await queue.claim();
    assert.ok(first);
    await convert(queue, first);
    const running = await queue.claim();
    assert.ok(running);
    await queue.submit(ann);
    const other = await queue.submit(bob);
    await queue.database
      .updateTable('jobs')
      .set((eb) => ({ debug_log: eb.ref('id') }))
      .where('id', 'in', [first.id, running.id, other])
      .execute();
    assert.deepEqual((await removeAccount(queue.database, 'ann')).sort(), [first.id, running.id].sort());
    assert.deepEqual(await jobIds(queue), [other]);
    await assert.rejects(removeAccount(queue.database, 'ann'), /no account 'ann'/);
  });

  test('pruning deletes a batch with its rows when its output is no longer kept, and not before', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann' });
    const id = await submitBatch({ queue, account: ann }, rows);
    const prune = async () => {
      for await (const _ of pruneJobs(queue.database, { maxJobs: 0, maxAgeMs: 0 }, Date.now() + 1000));
    };
    const row = await queue.claim();
    assert.ok(row);
    await queue.database.updateTable('jobs').set({ outcome: 'canceled' }).where('id', '!=', id).execute();
    await queue.database
      .updateTable('asynchronous_jobs')
      .set({ request: null })
      .where('job_id', '!=', id)
      .execute();
    await prune();
    assert.equal((await jobIds(queue)).length, 96);
    await queue.database.updateTable('jobs').set({ outcome: 'canceled' }).where('id', '=', id).execute();
    await queue.database
      .updateTable('asynchronous_jobs')
      .set({ request: null, batch_state: null, output_headers: '{"kind":"archive"}', expires_at: 1 })
      .where('job_id', '=', id)
      .execute();
    await prune();
    assert.equal((await jobIds(queue)).length, 96);
    await deleteOutput(queue.database, queue.files, id);
    await prune();
    assert.deepEqual(await jobIds(queue), []);
  });

  test('pruning deletes old jobs that are newer than many jobs that are kept', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann' });
    // The batches together have more rows than one query reads.
    for (let batches = 0; batches < 3; batches += 1) {
      await submitBatch({ queue, account: ann }, rows);
      await queue.database.updateTable('jobs').set({ outcome: 'converted' }).execute();
      await queue.database
        .updateTable('asynchronous_jobs')
        .set({ request: null, batch_state: null, expires_at: Date.now() + 3_600_000 })
        .execute();
    }
    const canceled = await queue.submit(ann);
    await queue.database.transaction().execute((transaction) => queue.ends.cancel(transaction, canceled));
    for await (const _ of pruneJobs(queue.database, { maxJobs: 0, maxAgeMs: 0 }, Date.now() + 1000));
    const left = await jobIds(queue);
    assert.deepEqual([left.length, left.includes(canceled)], [3 * 96, false]);
  });
});
