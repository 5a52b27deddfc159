import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import pino, { type Logger } from 'pino';
import { AccountShares } from '../../../main/asynchronous-jobs/account-shares.ts';
import { BatchMerger } from '../../../main/asynchronous-jobs/batch/batch-merger.ts';
import { describeWithDatabases } from '../../support/accounts/accounts.ts';
import {
  convert,
  submitBatch,
  temporaryQueue,
  type TemporaryQueue,
} from '../../support/accounts/asynchronous-jobs.ts';
import { testKeyring } from '../../support/accounts/keyring.ts';
import { mountSmallDisk, smallDiskSkipReason } from '../../support/service/small-disk.ts';
import { waitUntil } from '../../support/wait-until.ts';

const settings = {
  'jobs-queue': 100,
  'jobs-queue-per-account': undefined,
  'uploads-per-account': undefined,
  'outputs-per-account': undefined,
};

describeWithDatabases(({ kind }) => {
  test('a batch of one account does not wait for all batches of another that came first', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann' });
    const bob = await queue.account({ name: 'bob' });
    for (const account of [ann, ann, ann, ann, bob])
      await submitBatch({ queue, account }, 'a\n1\n', { fields: { merge: 'true' } });
    await convertRows(queue);
    // The outputs are no PDF documents, so each merge ends with an error in the log.
    const merged: number[] = [];
    const log = pino({}, { write: (line: string) => void merged.push(accountOf(line)) });
    const accounts = new Map(
      (await queue.jobs.list({ limit: 10 })).jobs.map(({ id, account_id }) => [id, account_id]),
    );
    const accountOf = (line: string) => accounts.get((JSON.parse(line) as { job: string }).job) ?? 0;
    await using merger = openMerger(queue, log);
    merger.begin();
    await waitUntil('all batches are merged', () => merged.length === 5);
    // Two merges run at the same time, and the second batch of ann may end first.
    assert.ok(merged.slice(0, 3).includes(bob), String(merged));
  });

  test('a merge that finds the disk full is tried again later', { skip: smallDiskSkipReason }, async () => {
    await using queue = await temporaryQueue(kind);
    using disk = mountSmallDisk(join(queue.scratch, 'work'), 1);
    const account = await queue.account({ name: 'ann' });
    const batch = await submitBatch({ queue, account }, 'a\n1\n', { fields: { merge: 'true' } });
    await convertRows(queue);
    disk.fill(0);
    const problems: string[] = [];
    const log = pino({}, { write: (line: string) => void problems.push(line) });
    await using merger = openMerger(queue, log);
    merger.begin();
    await waitUntil('the merge fails', () => problems.length > 0);
    await waitUntil('the batch waits again', async () => (await queue.jobRow(batch)).started_at === null);
    assert.equal((await queue.jobRow(batch)).outcome, null);
  });

  function openMerger(queue: TemporaryQueue, log: Logger): BatchMerger {
    return new BatchMerger({
      database: queue.database,
      files: queue.files,
      keyring: testKeyring,
      shares: new AccountShares({ settings, filesFolder: undefined }),
      ends: queue.ends,
      node: { id: queue.node },
      isShared: kind === 'postgres',
      workFolder: join(queue.scratch, 'work'),
      shutdown: new AbortController().signal,
      mayBegin: () => true,
      log,
      onJobEnded: () => {},
    });
  }
});

/** Converts all rows that wait, to outputs that are no PDF documents. */
async function convertRows(queue: TemporaryQueue): Promise<void> {
  for (let job = await queue.claim(); job !== undefined; job = await queue.claim()) await convert(queue, job);
}
