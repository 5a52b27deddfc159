import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { pruneJobs } from '../../../main/accounts/job-pruning.ts';
import { stateOf } from '../../../main/accounts/store/job-records.ts';
import { deleteExpiredOutputs, deleteOldKeys, deleteOutput } from '../../../main/asynchronous-jobs/expiry.ts';
import { currentEpoch } from '../../../main/encryption/keyring.ts';
import { removeUnneededFiles } from '../../../main/asynchronous-jobs/files/kept-files.ts';
import { nextRetryMs } from '../../../main/asynchronous-jobs/job-end.ts';
import { resultOf } from '../../../main/asynchronous-jobs/job-output.ts';
import { readOutput } from '../../../main/asynchronous-jobs/stored-output.ts';
import { newJobId } from '../../../main/job/job.ts';
import { Failure } from '../../../main/failure/failure.ts';
import { setWebhookSecrets, testKeyring } from '../../support/accounts/keyring.ts';
import { describeWithDatabases } from '../../support/accounts/accounts.ts';
import {
  sampleOutput,
  temporaryQueue,
  type TemporaryQueue,
} from '../../support/accounts/asynchronous-jobs.ts';

const keepMs = 60_000;
const failed = { outcome: 'failed', status: 400, reason: 324, message: 'No element.', stages: {} } as const;

async function spentBy({ database }: TemporaryQueue, account: number): Promise<number> {
  const { spent } = await database
    .selectFrom('accounts')
    .select('spent')
    .where('id', '=', account)
    .executeTakeFirstOrThrow();
  return spent;
}

async function record({ jobs }: TemporaryQueue, id: string) {
  const job = await jobs.find(id);
  assert.ok(job);
  return job;
}

/** Claims the next job and converts it to three bytes. */
async function convertNext(queue: TemporaryQueue, claim = queue.claim): Promise<string> {
  const job = await claim();
  assert.ok(job);
  await using entry = await queue.priced(job);
  await queue.storeSample(job.id);
  await entry.charge(
    {},
    () => {},
    (transaction) => queue.ends.complete(transaction, job.id, { output: sampleOutput, keepMs }),
  );
  return job.id;
}

async function withCallbacks(queue: TemporaryQueue) {
  await setWebhookSecrets(queue.database, 'whsec_x');
  return { fields: { text: 'x', callback_url: 'http://127.0.0.1/hook' } };
}

describeWithDatabases(({ kind }) => {
  test('a converted job is charged once, keeps its output, and has a callback', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann', credits: 5 });
    await queue.submit(ann, await withCallbacks(queue));
    const id = await convertNext(queue);
    assert.equal(await spentBy(queue, ann), 1);
    const job = await record(queue, id);
    assert.deepEqual([stateOf(job), job.charged, job.reserved, job.output_deleted], ['done', 1, 0, 0]);
    assert.ok(Math.abs((job.expires_at ?? 0) - Date.now() - keepMs) < 5000);
    assert.deepEqual(resultOf(job, Date.now()), { kind: 'output', output: sampleOutput });
    const stored = await buffer(
      Readable.from(readOutput({ ...queue, keyring: testKeyring }, { job: id, ...sampleOutput })),
    );
    assert.equal(stored.toString(), 'abc');
    const [callback] = await queue.callbackBodies();
    assert.deepEqual(
      [callback?.type, callback?.data.id, callback?.data.state, callback?.data.consumed_credits],
      ['job.done', id, 'done', 1],
    );
    // Nothing is claimed or given back any more.
    await queue.loseNode();
    assert.equal(await queue.claim(), undefined);
    assert.equal(await queue.claimSuspect(), undefined);
    assert.equal((await record(queue, id)).outcome, 'converted');
  });

  test('a failed job has the failure of the synchronous call as its result, and a callback', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann', credits: 5 });
    const id = await queue.submit(ann, await withCallbacks(queue));
    const claimed = await queue.claim();
    assert.ok(claimed);
    await using entry = queue.jobs.entryOf(claimed, { free: claimed.free });
    await entry.endWith((transaction) => queue.ends.fail(transaction, claimed, failed));
    // A second end changes nothing.
    await entry.endWith((transaction) =>
      queue.ends.fail(transaction, claimed, { ...failed, message: 'Second.' }),
    );
    const job = await record(queue, id);
    assert.deepEqual([stateOf(job), job.charged, job.reserved, job.message], ['failed', 0, 0, 'No element.']);
    const result = resultOf(job, Date.now());
    assert.ok(result.kind === 'failure');
    assert.deepEqual(
      [result.failure.kind, result.failure.status, result.failure.reason, result.failure.message],
      ['elementNotFound', 400, 324, 'No element.'],
    );
    assert.deepEqual(
      (await queue.callbackBodies()).map(({ type }) => type),
      ['job.failed'],
    );
  });

  test('a queued job that is canceled never runs; a running job that is canceled cannot be charged', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann', credits: 5 });
    const form = await withCallbacks(queue);
    const queued = await queue.submit(ann, form);
    assert.equal(await queue.ends.cancel(queue.database, queued), true);
    assert.equal(await queue.ends.cancel(queue.database, queued), false);
    assert.equal(await queue.claim(), undefined);
    const running = await queue.submit(ann, form);
    const claimed = await queue.claim();
    assert.ok(claimed);
    await using entry = await queue.priced(claimed, 3);
    assert.equal(await queue.ends.cancel(queue.database, running), true);
    await assert.rejects(
      entry.charge(
        {},
        () => {},
        (transaction) => queue.ends.complete(transaction, running, { output: sampleOutput, keepMs }),
      ),
      /already ended/,
    );
    for (const id of [queued, running]) {
      const job = await record(queue, id);
      assert.deepEqual([stateOf(job), job.reserved, job.output_headers], ['canceled', 0, null]);
      assert.throws(
        () => resultOf(job, Date.now()),
        (problem) =>
          problem instanceof Failure && problem.kind === 'outputGone' && problem.message.includes('canceled'),
      );
    }
    assert.equal(await spentBy(queue, ann), 0);
    assert.deepEqual(
      (await queue.callbackBodies()).map(({ type }) => type),
      ['job.canceled', 'job.canceled'],
    );
  });

  test('a job that was given back to the queue is charged only by the node that runs it now', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann', credits: 5 });
    const id = await queue.submit(ann);
    const lost = await queue.claim('a node that is stopped');
    assert.ok(lost);
    await using late = await queue.priced(lost);
    await queue.loseNode(lost.node);
    assert.equal(await convertNext(queue, queue.claimSuspect), id);
    await assert.rejects(
      late.charge(
        {},
        () => {},
        (transaction) =>
          queue.ends.complete(transaction, id, { output: { ...sampleOutput, file: 'output-2' }, keepMs }),
      ),
      /already ended/,
    );
    assert.equal(await spentBy(queue, ann), 1);
    assert.match((await record(queue, id)).output_headers ?? '', /"output-1"/);
  });

  test('after its end a job keeps only its output; a deleted or expired output is gone', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann' });
    await queue.submit(ann);
    const job = await queue.claim();
    assert.ok(job);
    await queue.files.write(job.id, '0', Readable.from([Buffer.from('upload')]));
    await removeUnneededFiles(queue.database, queue.files, job.id);
    assert.equal((await buffer(Readable.from(queue.files.read(job.id, '0')))).toString(), 'upload');
    await using entry = await queue.priced(job);
    await queue.storeSample(job.id);
    await entry.charge(
      {},
      () => {},
      (transaction) => queue.ends.complete(transaction, job.id, { output: sampleOutput, keepMs }),
    );
    await removeUnneededFiles(queue.database, queue.files, job.id);
    await assert.rejects(buffer(Readable.from(queue.files.read(job.id, '0'))), /missing/);
    await queue.files.sweep();
    await deleteExpiredOutputs(queue.database, queue.files);
    // 12 bytes of nonce, 16 of tag.
    assert.equal((await buffer(Readable.from(queue.files.read(job.id, sampleOutput.file)))).length, 31);
    const kept = await record(queue, job.id);
    assert.throws(() => resultOf(kept, Date.now() + 2 * keepMs), /has expired/);
    await queue.database.updateTable('asynchronous_jobs').set({ expires_at: 1 }).execute();
    await deleteExpiredOutputs(queue.database, queue.files);
    assert.throws(() => resultOf({ ...kept, output_deleted: 1 }, 0), /deleted or has expired/);
    assert.equal((await record(queue, job.id)).output_deleted, 1);
    await assert.rejects(buffer(Readable.from(queue.files.read(job.id, sampleOutput.file))), /missing/);
  });

  test('the sweep deletes files without a job, and those that an ended job no longer needs', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann' });
    await queue.submit(ann);
    const done = await convertNext(queue);
    const waiting = await queue.submit(ann);
    const removed = newJobId();
    for (const id of [done, waiting])
      await queue.files.write(id, '0', Readable.from([Buffer.from('upload')]));
    // A table cannot have files of a job that does not exist.
    if (kind === 'sqlite') {
      await queue.files.write(removed, '0', Readable.from([Buffer.from('upload')]));
      const old = new Date(Date.now() - 7_200_000);
      for (const id of [done, waiting, removed]) utimesSync(join(queue.scratch, 'job-files', id), old, old);
    }
    await queue.files.sweep();
    const exists = (id: string, name: string) =>
      buffer(Readable.from(queue.files.read(id, name))).then(
        () => true,
        () => false,
      );
    assert.deepEqual(
      [
        await exists(done, sampleOutput.file),
        await exists(done, '0'),
        await exists(waiting, '0'),
        await exists(removed, '0'),
      ],
      [true, false, true, false],
    );
  });

  test('the record keeps jobs that wait or run, and jobs whose output is kept', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann' });
    const prune = async () => {
      for await (const _ of pruneJobs(queue.database, { maxJobs: 0, maxAgeMs: 0 }, Date.now() + 1000));
      const rows = await queue.database.selectFrom('jobs').select('id').orderBy('id').execute();
      return rows.map(({ id }) => id);
    };
    await queue.submit(ann);
    const done = await convertNext(queue);
    const running = await queue.submit(ann);
    await queue.claim();
    const queued = await queue.submit(ann);
    assert.deepEqual(await prune(), [done, running, queued]);
    await deleteOutput(queue.database, queue.files, done);
    assert.deepEqual(await prune(), [running, queued]);
  });

  test('keys are kept as long as a request or an output is encrypted with them', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann' });
    const oldestInUse = async () => {
      let found: { requests?: number; results?: number } = {};
      await deleteOldKeys(queue.database, {
        deleteOldKeys(oldest) {
          found = oldest;
          return Promise.resolve();
        },
      });
      return found;
    };
    assert.deepEqual(await oldestInUse(), { requests: Infinity, results: Infinity });
    await queue.submit(ann);
    await convertNext(queue);
    await queue.submit(ann);
    await queue.submit(ann);
    const newest = currentEpoch();
    const used = await oldestInUse();
    assert.ok(Math.abs(Number(used.requests) - newest) <= 1);
    assert.equal(used.results, Number(sampleOutput.key.split('.')[0]));
  });
});

test('a job that cannot be converted at the moment is tried again later each time, for a day', () => {
  const begin = 1_790_000_000_000;
  const job = newJobId(begin);
  const second = 1000;
  const hour = 3_600_000;
  assert.equal(nextRetryMs(job, begin + second), 5 * second);
  assert.equal(nextRetryMs(job, begin + 600 * second), 60 * second);
  assert.equal(nextRetryMs(job, begin + 10 * hour), 300 * second);
  assert.equal(nextRetryMs(job, begin + 25 * hour), undefined);
});
