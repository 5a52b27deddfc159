import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { CompiledQuery, SqliteQueryCompiler, type KyselyPlugin } from 'kysely';
import { AccountShares } from '../../../main/asynchronous-jobs/account-shares.ts';
import { deleteOutput } from '../../../main/asynchronous-jobs/expiry.ts';
import { Failure } from '../../../main/failure/failure.ts';
import { describeWithDatabases } from '../../support/accounts/accounts.ts';
import {
  convert,
  sampleOutput,
  submitBatch,
  temporaryQueue,
  type TemporaryQueue,
} from '../../support/accounts/asynchronous-jobs.ts';
import { mountSmallDisk, smallDiskSkipReason } from '../../support/service/small-disk.ts';

const isFailure = (kind: Failure['kind'], text: RegExp) => (problem: unknown) =>
  problem instanceof Failure && problem.kind === kind && text.test(problem.message);

const rowsOf = (count: number) => `a\n${'x\n'.repeat(count)}`;

async function countJobs({ database }: TemporaryQueue) {
  return (await database.selectFrom('jobs').select('id').execute()).length;
}

async function keptBytes({ database }: TemporaryQueue, account: number) {
  const { kept_bytes: bytes } = await database
    .selectFrom('accounts')
    .select('kept_bytes')
    .where('id', '=', account)
    .executeTakeFirstOrThrow();
  return bytes;
}

async function convertNext(queue: TemporaryQueue): Promise<string> {
  const job = await queue.claim();
  assert.ok(job);
  await convert(queue, job);
  return job.id;
}

describeWithDatabases(({ kind }) => {
  describe('The queue', () => {
    test('refuses an account without credits, but repeats the job of its last credit', async () => {
      await using queue = await temporaryQueue(kind);
      const ann = await queue.account({ name: 'ann', credits: 1 });
      const last = await queue.submit(ann, { key: 'k' });
      await convertNext(queue);
      await assert.rejects(queue.submit(ann), isFailure('noCredits', /no credits/));
      await assert.rejects(
        submitBatch({ queue, account: ann }, rowsOf(2)),
        isFailure('noCredits', /no credits/),
      );
      assert.equal(await queue.submit(ann, { key: 'k' }), last);
      assert.equal(await countJobs(queue), 1);
    });

    test('accepts an account whose refill is due', async () => {
      await using queue = await temporaryQueue(kind);
      const ann = await queue.account({ name: 'ann', credits: 0, refill: { credits: 2, period: 'day' } });
      await queue.database.updateTable('accounts').set({ refilled_at: 0 }).execute();
      await queue.submit(ann);
    });

    test('keeps places for other accounts, whatever one of them sends', async () => {
      await using queue = await temporaryQueue(kind);
      const ann = await queue.account({ name: 'ann' });
      const bob = await queue.account({ name: 'bob' });
      const zoe = await queue.account({ name: 'zoe' });
      const limits = { queue: 12 };
      const tooMany = isFailure('tooManyRequests', /of your account wait.*jobs-queue/);
      await assert.rejects(
        submitBatch({ queue, account: ann }, rowsOf(7), { limits }),
        isFailure('valueNotAllowed', /7 rows, but at most 6/),
      );
      await submitBatch({ queue, account: ann }, rowsOf(4), { limits });
      await queue.submit(ann, {}, limits);
      await queue.submit(ann, {}, limits);
      await assert.rejects(queue.submit(ann, {}, limits), tooMany);
      for (let n = 0; n < 3; n += 1) await queue.submit(bob, {}, limits);
      await assert.rejects(queue.submit(bob, {}, limits), tooMany);
      await queue.submit(zoe, {}, limits);
      await queue.claim();
      await queue.claim();
      await queue.submit(bob, {}, limits);
    });

    test('gives each account the number of places that the operator sets', async () => {
      await using queue = await temporaryQueue(kind);
      const ann = await queue.account({ name: 'ann' });
      const limits = { queue: 10, ownJobs: 2 };
      await submitBatch({ queue, account: ann }, rowsOf(2), { limits });
      await assert.rejects(
        queue.submit(ann, {}, limits),
        isFailure('tooManyRequests', /2 asynchronous jobs.*at most 2 may.*jobs-queue-per-account/),
      );
      await queue.submit(await queue.account({ name: 'bob' }), {}, limits);
    });
  });

  test(
    'the queue is counted in indexes, without reading the requests of the waiting jobs',
    { skip: kind === 'postgres' && 'the main thread does not wait for PostgreSQL' },
    async () => {
      await using queue = await temporaryQueue(kind);
      const ann = await queue.account({ name: 'ann' });
      const queries: CompiledQuery[] = [];
      const recorder: KyselyPlugin = {
        transformQuery({ node, queryId }) {
          queries.push(new SqliteQueryCompiler().compileQuery(node, queryId));
          return node;
        },
        transformResult: ({ result }) => Promise.resolve(result),
      };
      const settings = {
        'jobs-queue': 100,
        'jobs-queue-per-account': undefined,
        'uploads-per-account': undefined,
        'outputs-per-account': undefined,
      };
      const shares = new AccountShares({ settings, filesFolder: undefined });
      await shares.admitJobs(queue.database.withPlugin(recorder), ann, { jobs: 1, bytes: 1 });
      const counts = queries.filter(({ sql }) => sql.includes('AS waiting'));
      assert.equal(counts.length, 2);
      for (const { sql, parameters } of counts) {
        const { rows } = await queue.database.executeQuery<{ readonly detail: string }>(
          CompiledQuery.raw(`EXPLAIN QUERY PLAN ${sql}`, [...parameters]),
        );
        const [waiting] = rows.filter(({ detail }) => detail.includes('asynchronous_jobs'));
        assert.match(waiting?.detail ?? '', /USING (COVERING )?INDEX asynchronous_jobs_waiting \(account_id/);
      }
    },
  );

  describe('The disk', () => {
    test('keeps uploads and rows up to the share of the account, until the jobs have ended', async () => {
      await using queue = await temporaryQueue(kind);
      const ann = await queue.account({ name: 'ann' });
      const limits = { uploads: 100_000 };
      const path = join(queue.scratch, 'page.html');
      writeFileSync(path, 'x'.repeat(70_000));
      const files = [{ name: 'file', upload: { path, name: 'page.html', size: 70_000 } }];
      await queue.submit(ann, { fields: {}, files }, limits);
      const full = isFailure('tooManyRequests', /take 0\.1 MB.*uploads-per-account/);
      await assert.rejects(queue.submit(ann, { fields: {}, files }, limits), full);
      const rows = `a\n${'y'.repeat(40_000)}\n`;
      await assert.rejects(submitBatch({ queue, account: ann }, rows, { limits }), full);
      await submitBatch({ queue, account: await queue.account({ name: 'bob' }) }, rows, { limits });
      assert.equal(await countJobs(queue), 3);
      await convertNext(queue);
      await queue.submit(ann, { fields: {}, files }, limits);
    });

    test('keeps outputs up to the share of the account, until they are deleted', async () => {
      await using queue = await temporaryQueue(kind);
      const ann = await queue.account({ name: 'ann' });
      const limits = { outputs: 5 };
      await queue.submit(ann, {}, limits);
      await queue.submit(ann, {}, limits);
      const first = await convertNext(queue);
      await convertNext(queue);
      assert.equal(await keptBytes(queue, ann), 2 * sampleOutput.bytes);
      const full = isFailure('tooManyRequests', /outputs.*outputs-per-account.*DELETE/);
      await assert.rejects(queue.submit(ann, {}, limits), full);
      await queue.submit(await queue.account({ name: 'bob' }), {}, limits);
      await deleteOutput(queue.database, queue.files, first);
      await deleteOutput(queue.database, queue.files, first);
      assert.equal(await keptBytes(queue, ann), sampleOutput.bytes);
      await queue.submit(ann, {}, limits);
      await queue.database.deleteFrom('jobs').execute();
      assert.equal(await keptBytes(queue, ann), 0);
    });
  });
});

test('an account may use no more of the disk than is free', { skip: smallDiskSkipReason }, async () => {
  await using queue = await temporaryQueue('sqlite');
  const ann = await queue.account({ name: 'ann' });
  const filesFolder = join(queue.scratch, 'small');
  using disk = mountSmallDisk(filesFolder, 4);
  const settings = {
    'jobs-queue': 10,
    'jobs-queue-per-account': undefined,
    'uploads-per-account': 1_000_000_000,
    'outputs-per-account': undefined,
  };
  const shares = new AccountShares({ settings, filesFolder });
  await shares.measureDisk();
  await shares.admitJobs(queue.database, ann, { jobs: 1, bytes: 2_000_000 });
  disk.fill(1_000_000);
  await shares.measureDisk();
  const full = isFailure('tooManyRequests', /as much as is free on the disk/);
  await assert.rejects(shares.admitJobs(queue.database, ann, { jobs: 1, bytes: 2_000_000 }), full);
  await assert.rejects(shares.admitOutput(queue.database, ann, 2_000_000), full);
  await shares.admitOutput(queue.database, ann, 500_000);
});
