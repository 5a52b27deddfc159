import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pruneJobs, type Retention } from '../../../../main/accounts/job-pruning.ts';
import { failedResult, temporaryLedger, type TestLedger } from '../../../support/accounts/ledger.ts';
import { describeWithDatabases } from '../../../support/accounts/accounts.ts';

describeWithDatabases(({ kind }) => {
  const hour = 3_600_000;
  const now = 1_700_000_000_000;

  /** Inserts an ended job with a debug log. */
  async function endedJob(ledger: TestLedger, account: number, when: number): Promise<string> {
    const entry = await ledger.begin(account, when);
    const facts = { tag: null, input: null, output_format: null, parameters: null, input_bytes: null };
    await entry.describe({ ...facts, debug_log: `log of ${entry.id}` });
    await entry.fail(failedResult);
    return entry.id;
  }

  async function prune({ database }: TestLedger, keeping: Retention): Promise<string[]> {
    const logs: string[] = [];
    for await (const some of pruneJobs(database, keeping, now)) logs.push(...some);
    return logs;
  }

  async function ids({ jobs }: TestLedger, account?: number): Promise<string[]> {
    return (await jobs.list({ account, limit: 500 })).jobs.map(({ id }) => id);
  }

  test('pruning keeps the newest jobs of each account, and returns the debug logs of the removed jobs', async () => {
    await using ledger = await temporaryLedger(kind);
    const ann = await ledger.account({ name: 'ann' });
    const bob = await ledger.account({ name: 'bob' });
    const anns: string[] = [];
    for (let n = 0; n < 450; n += 1) anns.unshift(await endedJob(ledger, ann, now - hour + n));
    const bobs = [await endedJob(ledger, bob, now - 2 * hour)];
    const logs = await prune(ledger, { maxJobs: 3, maxAgeMs: 24 * hour });
    assert.deepEqual(await ids(ledger, ann), anns.slice(0, 3));
    assert.deepEqual(await ids(ledger, bob), bobs);
    assert.deepEqual(
      logs.sort(),
      anns
        .slice(3)
        .map((id) => `log of ${id}`)
        .sort(),
    );
    assert.deepEqual(await prune(ledger, { maxJobs: 3, maxAgeMs: 24 * hour }), []);
  });

  test('pruning removes old jobs unless they are running', async () => {
    await using ledger = await temporaryLedger(kind);
    const ann = await ledger.account({ name: 'ann' });
    const running = await ledger.begin(ann, now - 3 * hour);
    const old = await endedJob(ledger, ann, now - 2 * hour);
    const fresh = await endedJob(ledger, ann, now - hour / 2);
    assert.deepEqual(await prune(ledger, { maxJobs: 100, maxAgeMs: hour }), [`log of ${old}`]);
    assert.deepEqual(await ids(ledger), [fresh, running.id]);
  });

  test('pruning keeps jobs that still count towards the per-minute limit', async () => {
    await using ledger = await temporaryLedger(kind);
    const ann = await ledger.account({ name: 'ann', jobsPerMinute: 2 });
    for (const when of [90_000, 50_000, 30_000]) await endedJob(ledger, ann, now - when);
    await prune(ledger, { maxJobs: 0, maxAgeMs: 1 });
    await assert.rejects(ledger.begin(ann, now), /limit of 2 jobs per minute/);
  });

  test('pages of the job list neither overlap nor skip jobs, and an account sees only its own jobs', async () => {
    await using ledger = await temporaryLedger(kind);
    const ann = await ledger.account({ name: 'ann' });
    const bob = await ledger.account({ name: 'bob' });
    const anns: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      anns.unshift(await endedJob(ledger, ann, now + n));
      await endedJob(ledger, bob, now + n);
    }
    const first = await ledger.jobs.list({ account: ann, limit: 2 });
    assert.equal(first.next, anns[1]);
    const second = await ledger.jobs.list({ account: ann, limit: 2, before: first.next });
    assert.deepEqual(
      [...first.jobs, ...second.jobs].map(({ id }) => id),
      anns,
    );
    assert.equal(second.next, null);
    assert.equal((await ledger.jobs.list({ limit: 500 })).jobs.length, 8);
    assert.equal(await ledger.jobs.find(String(anns[0]), bob), undefined);
    assert.equal((await ledger.jobs.find(String(anns[0])))?.account, 'ann');
  });
});
