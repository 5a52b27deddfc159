import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import {
  failedResult,
  convertedResult,
  temporaryLedger,
  type TestLedger,
} from '../../support/accounts/ledger.ts';

describe('The end of a job while the database is locked', { timeout: 60_000 }, () => {
  test('is written when the lock is released, which frees the reserved credits', async () => {
    await using ledger = await temporaryLedger();
    const ann = await ledger.account({ name: 'ann', credits: 3, jobsAtOnce: 2 });
    const failed = await ledger.begin(ann);
    const left = await ledger.begin(ann);
    await failed.hold(2, convertedResult);
    {
      using _lock = ledger.lock();
      await Promise.all([failed.fail(failedResult), left[Symbol.asyncDispose]()]);
      assert.equal((await ledger.jobRow(failed.id)).outcome, null);
      assert.equal(ledger.reported.length, 2);
      assert.match(ledger.reported.join(), new RegExp(`cannot record the outcome of job ${failed.id}`));
    }
    await failed[Symbol.asyncDispose]();
    assert.equal((await ended(ledger, failed.id)).message, 'No.');
    assert.equal((await ended(ledger, left.id)).outcome, 'interrupted');
    const next = await ledger.begin(ann);
    await ledger.begin(ann);
    assert.deepEqual(await next.hold(2, convertedResult), { consumed: 2, remaining: 0 });
  });

  test('is written before the service stops', async () => {
    await using ledger = await temporaryLedger();
    const ann = await ledger.account({ name: 'ann', credits: 3 });
    const entry = await ledger.begin(ann);
    await entry.hold(3, convertedResult);
    await entry.charge({}, () => {});
    {
      using _lock = ledger.lock();
      await entry.refund();
      await entry[Symbol.asyncDispose]();
      assert.equal((await ledger.accountRow(ann)).spent, 3);
    }
    await ledger.jobs[Symbol.asyncDispose]();
    assert.equal((await ledger.accountRow(ann)).spent, 0);
  });
});

async function ended(ledger: TestLedger, id: string) {
  for (;;) {
    const job = await ledger.jobRow(id);
    if (job.outcome !== null) return job;
    await turn();
  }
}
