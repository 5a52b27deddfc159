import assert from 'node:assert/strict';
import { test } from 'node:test';
import { releaseJobs } from '../../../main/accounts/nodes/node-jobs.ts';
import type { Database } from '../../../main/accounts/store/tables.ts';
import { maxNodeLosses } from '../../../main/asynchronous-jobs/claim.ts';
import { requeueJob } from '../../../main/asynchronous-jobs/job-end.ts';
import { describeWithDatabases } from '../../support/accounts/accounts.ts';
import { temporaryQueue } from '../../support/accounts/asynchronous-jobs.ts';

describeWithDatabases(({ kind }) => {
  test('interactive jobs of an account run before its batch jobs, and jobs in their order', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann' });
    const batch = [await queue.submit(ann), await queue.submit(ann)];
    const interactive = await queue.submit(ann, { fields: { text: 'x', priority: 'interactive' } });
    const claimed = [await queue.claim(), await queue.claim(), await queue.claim(), await queue.claim()];
    assert.deepEqual(
      claimed.map((job) => job?.id),
      [interactive, ...batch, undefined],
    );
  });

  test('of several accounts, the one that runs the fewest jobs is next, then the one that was served longest ago', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann' });
    const bob = await queue.account({ name: 'bob' });
    const zoe = await queue.account({ name: 'zoe' });
    for (let n = 0; n < 4; n += 1) await queue.submit(ann);
    for (let n = 0; n < 2; n += 1) await queue.submit(bob);
    await queue.submit(zoe);
    const order: number[] = [];
    for (let n = 0; n < 7; n += 1) {
      const job = await queue.claim();
      order.push(job?.account.id ?? 0);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    assert.deepEqual(order, [ann, bob, zoe, ann, bob, ann, ann]);
    const served = await queue.submit(ann);
    await queue.submit(zoe);
    assert.equal((await queue.claim())?.account.id, zoe);
    assert.equal((await queue.claim())?.id, served);
  });

  test('interactive jobs of one account do not run before the jobs of another', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann' });
    const bob = await queue.account({ name: 'bob' });
    for (let n = 0; n < 5; n += 1)
      await queue.submit(ann, { fields: { text: 'x', priority: 'interactive' } });
    await queue.submit(bob);
    const order = [await queue.claim(), await queue.claim(), await queue.claim()];
    assert.deepEqual(
      order.map((job) => job?.account.id),
      [ann, bob, ann],
    );
  });

  test('an account at a limit is passed over until it may run another job; synchronous jobs count too', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann', jobsAtOnce: 1 });
    const bob = await queue.account({ name: 'bob', jobsPerMinute: 1 });
    await using running = await queue.jobs.begin({
      id: '0'.repeat(26),
      account: { id: ann },
      now: Date.now(),
    });
    const waiting = await queue.submit(ann);
    await queue.submit(bob);
    await queue.submit(bob);
    assert.equal((await queue.claim())?.account.id, bob);
    assert.equal(await queue.claim(), undefined);
    await running.fail({ outcome: 'failed', status: 400, reason: 311, message: 'No.', stages: {} });
    assert.equal((await queue.claim())?.id, waiting);
    assert.equal(await queue.claim(), undefined);
  });

  test('a claimed job holds a credit; without credits it is claimed without one, and then fails like a synchronous job', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann', credits: 1 });
    await queue.submit(ann);
    await queue.submit(ann);
    const first = await queue.claim();
    const second = await queue.claim();
    assert.deepEqual([first?.free, second?.free], [1, 0]);
    const row = await queue.jobRow(first?.id ?? '');
    assert.deepEqual([row.reserved, row.node_id, row.started_at], [1, queue.node, first?.startedAt]);
    assert.equal((await queue.jobRow(second?.id ?? '')).reserved, 0);
    assert.ok(second);
    await using entry = queue.jobs.entryOf(second, { free: second.free });
    assert.equal(entry.hasCredit, false);
  });

  test('a job that was put back waits for its next attempt, and the attempt does not count', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann', credits: 5 });
    const id = await queue.submit(ann);
    for (let n = 0; n < 5; n += 1) {
      const job = await queue.claim();
      assert.equal(job?.id, id);
      await requeueJob(queue.database, job, 0);
    }
    const job = await queue.claim();
    assert.ok(job);
    await requeueJob(queue.database, job, 60_000);
    assert.equal(await queue.claim(), undefined);
    const row = await queue.jobRow(id);
    assert.deepEqual([row.outcome, row.reserved, row.started_at, row.node_id], [null, 0, null, null]);
    // The late end of an attempt that was put back changes nothing.
    await queue.ends.fail(queue.database, job, {
      outcome: 'failed',
      status: 400,
      reason: 311,
      message: 'No.',
      stages: {},
    });
    assert.equal((await queue.jobRow(id)).outcome, null);
  });

  test('the jobs of a node that died are claimed only as suspects, those of a node that ended like others', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann', credits: 5 });
    const suspect = await queue.submit(ann);
    await queue.claim();
    await queue.loseNode();
    const givenBack = await queue.submit(ann);
    assert.equal((await queue.claim())?.id, givenBack);
    await queue.database
      .transaction()
      .execute((transaction) => releaseJobs(transaction, { node: queue.node, isLost: false }));
    assert.equal((await queue.claim())?.id, givenBack);
    assert.equal(await queue.claim(), undefined);
    const claimed = await queue.claimSuspect();
    assert.deepEqual([claimed?.id, claimed?.free], [suspect, 4]);
    assert.equal(await queue.claimSuspect(), undefined);
    assert.ok(claimed);
    await requeueJob(queue.database, claimed, 0);
    assert.equal(await queue.claim(), undefined);
    assert.equal((await queue.claimSuspect())?.id, suspect);
  });

  test('a job that outlives no node, although it runs apart, fails in the end', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann', credits: 5 });
    const id = await queue.submit(ann);
    assert.equal((await queue.claim())?.id, id);
    for (let losses = 1; losses < maxNodeLosses; losses += 1) {
      await queue.loseNode();
      assert.equal((await queue.claimSuspect())?.id, id);
    }
    await queue.loseNode();
    assert.equal(await queue.claimSuspect(), undefined);
    const row = await queue.jobRow(id);
    assert.deepEqual([row.outcome, row.status, row.reason, row.reserved], ['failed', 500, 500, 0]);
    assert.match(row.message ?? '', /ended 5 times/);
  });

  test('nodes that claim at the same time get each job once and stay within the limits of the account', async () => {
    await using queue = await temporaryQueue(kind);
    const ann = await queue.account({ name: 'ann', jobsAtOnce: 4 });
    const bob = await queue.account({ name: 'bob' });
    for (let n = 0; n < 8; n += 1) await queue.submit(ann);
    for (let n = 0; n < 20; n += 1) await queue.submit(bob);
    // Only one node uses an SQLite file. Its claims share a connection.
    const open = () => (kind === 'postgres' ? queue.open() : queue.database);
    const connections = [queue.database, await open(), await open()];
    try {
      const claimed = (await Promise.all(connections.map((database, n) => claimAll(database, n)))).flat();
      assert.equal(new Set(claimed.map(({ id }) => id)).size, claimed.length);
      assert.equal(claimed.filter(({ account }) => account.id === bob).length, 20);
      assert.equal(claimed.filter(({ account }) => account.id === ann).length, 4);
    } finally {
      for (const database of connections) if (database !== queue.database) await database.destroy();
    }

    async function claimAll(database: Database, node: number) {
      const claimed = [];
      for (let misses = 0; misses < 3;) {
        const job = await queue.claim(`node ${node}`, database);
        if (job === undefined) misses += 1;
        else claimed.push(job);
      }
      return claimed;
    }
  });
});
