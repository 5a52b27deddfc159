import assert from 'node:assert/strict';
import { after, afterEach, before, describe, mock, test } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { removeAccount, setBalance } from '../../../main/accounts/store/account-records.ts';
import { Failure } from '../../../main/failure/failure.ts';
import {
  failedResult,
  convertedResult,
  temporaryLedger,
  type TestLedger,
} from '../../support/accounts/ledger.ts';
import { describeWithDatabases } from '../../support/accounts/accounts.ts';

describeWithDatabases(({ kind }) => {
  const noCredits = (problem: unknown) =>
    problem instanceof Failure && problem.kind === 'noCredits' && problem.status === 403;

  describe('A job', () => {
    let ledger: TestLedger;
    before(async () => (ledger = await temporaryLedger(kind)));
    after(() => ledger[Symbol.asyncDispose]());
    afterEach(() => {
      mock.timers.reset();
    });
    const names = Array.from({ length: 100 }, (_, n) => `account${n}`);
    const account = (credits: number | 'unlimited') => ledger.account({ name: names.pop() ?? '', credits });
    const balance = async (id: number) => {
      const { granted, spent } = await ledger.accountRow(id);
      return (granted ?? Infinity) - spent;
    };

    test('is charged its price; the receipt has the remaining balance', async () => {
      const ann = await account(10);
      const entry = await ledger.begin(ann);
      assert.deepEqual(await entry.hold(3, convertedResult), { consumed: 3, remaining: 7 });
      assert.equal(await balance(ann), 10);
      await entry.charge({ print: 12.5 }, () => {});
      assert.equal(await balance(ann), 7);
      const row = await ledger.jobRow(entry.id);
      assert.deepEqual(
        [row.outcome, row.status, row.reason, row.reserved, row.charged, row.output_bytes, row.stages],
        ['converted', 200, 0, 0, 3, 1000, '{"print":12.5}'],
      );
    });

    test('has a receipt with the balance minus the reservations of other running jobs', async () => {
      const ann = await account(10);
      const first = await ledger.begin(ann);
      const second = await ledger.begin(ann);
      assert.deepEqual(await second.hold(3, convertedResult), { consumed: 3, remaining: 6 });
      assert.deepEqual(await first.hold(2, convertedResult), { consumed: 2, remaining: 5 });
    });

    test('needs one free credit to start', async () => {
      const ann = await account(1);
      const first = await ledger.begin(ann);
      const second = await ledger.begin(ann);
      assert.equal(first.hasCredit, true);
      assert.equal(second.hasCredit, false);
      await first.fail(failedResult);
      assert.equal((await ledger.begin(ann)).hasCredit, true);
    });

    test('costs nothing if its price exceeds the balance; reservations of other jobs remain', async () => {
      const ann = await account(5);
      const otherJob = await ledger.begin(ann);
      await otherJob.hold(2, convertedResult);
      const entry = await ledger.begin(ann);
      await assert.rejects(entry.hold(4, convertedResult), noCredits);
      await entry.fail({ ...failedResult, status: 403, reason: 105 });
      assert.equal(await balance(ann), 5);
      assert.deepEqual(await (await ledger.begin(ann)).hold(3, convertedResult), {
        consumed: 3,
        remaining: 0,
      });
    });

    test('is refunded once if the client disconnects', async () => {
      const ann = await account(5);
      const entry = await ledger.begin(ann);
      await entry.hold(4, convertedResult);
      await entry.charge({}, () => {});
      await entry.refund();
      await entry.refund();
      await entry[Symbol.asyncDispose]();
      assert.equal(await balance(ann), 5);
      const { outcome, charged, status } = await ledger.jobRow(entry.id);
      assert.deepEqual([outcome, charged, status], ['caller gone', 0, null]);
    });

    test('releases its reservation when it fails or ends without a result', async () => {
      const ann = await account(5);
      const failed = await ledger.begin(ann);
      await failed.hold(3, convertedResult);
      await failed.fail(failedResult);
      {
        await using left = await ledger.begin(ann);
        await left.hold(5, convertedResult);
      }
      assert.deepEqual(await (await ledger.begin(ann)).hold(5, convertedResult), {
        consumed: 5,
        remaining: 0,
      });
      const { message, reserved, charged } = await ledger.jobRow(failed.id);
      assert.deepEqual([message, reserved, charged], ['No.', 0, 0]);
    });

    test('commits its charge before acknowledging it, in the same event-loop turn', async () => {
      const ann = await account(5);
      const entry = await ledger.begin(ann);
      await entry.hold(2, convertedResult);
      let isNextTurn = false;
      let spent: unknown;
      setImmediate(() => (isNextTurn = true));
      await entry.charge({}, () => {
        // A server answers over a network, so another turn may come between its commit and the answer.
        if (kind === 'postgres') return;
        assert.equal(isNextTurn, false);
        // Reads through a second connection, like another process.
        using otherProcess = new DatabaseSync(ledger.path);
        spent = otherProcess.prepare('SELECT spent FROM accounts WHERE id = ?').get(ann);
      });
      if (kind === 'sqlite') assert.deepEqual({ ...(spent as object) }, { spent: 2 });
      assert.equal((await ledger.accountRow(ann)).spent, 2);
    });

    test('of an account without a limit has a receipt without a balance, and its price counts as spent', async () => {
      const rich = await account('unlimited');
      const entry = await ledger.begin(rich);
      assert.deepEqual(await entry.hold(7, convertedResult), { consumed: 7 });
      await entry.charge({}, () => {});
      assert.equal((await ledger.accountRow(rich)).spent, 7);
    });

    test('completes although its account is removed meanwhile; new jobs of that account are refused', async () => {
      const removed = await account(5);
      const entry = await ledger.begin(removed);
      const name = (await ledger.accountRow(removed)).name;
      await removeAccount(ledger.database, name);
      assert.equal(entry.hasCredit, true);
      assert.deepEqual(await entry.hold(2, convertedResult), { consumed: 2 });
      let acknowledged = false;
      await entry.charge({}, () => (acknowledged = true));
      assert.ok(acknowledged);
      await entry.refund();
      await assert.rejects(
        ledger.begin(removed),
        (problem) => problem instanceof Failure && problem.kind === 'unauthorized',
      );
    });

    test('left running by a service that ended is recorded as interrupted, holds no credits and cannot be charged', async () => {
      const ann = await account(5);
      const entry = await ledger.begin(ann);
      await entry.hold(4, convertedResult);
      await ledger.crash();
      const { outcome, reserved, message } = await ledger.jobRow(entry.id);
      assert.deepEqual([outcome, reserved], ['interrupted', 0]);
      assert.match(message ?? '', /ended before the job/);
      await assert.rejects(entry.charge({}, never), /has already ended/);
      assert.equal(await balance(ann), 5);
    });

    test('keeps its reservation when an operator reduces the credits', async () => {
      const ann = await account(10);
      const { name } = await ledger.accountRow(ann);
      const entry = await ledger.begin(ann);
      await entry.hold(4, convertedResult);
      const change = async (kind: 'set' | 'add', credits: number) => {
        const { account: facts, reserved } = await setBalance(ledger.database, name, {
          change: { kind, credits },
          now: Date.now(),
        });
        return [facts.balance, reserved];
      };
      assert.deepEqual(await change('add', -6), [4, undefined]);
      assert.deepEqual(await change('add', -1), [4, 4]);
      assert.deepEqual(await change('set', 0), [4, 4]);
      await entry.charge({}, () => {});
      assert.equal(await balance(ann), 0);
    });

    test('that runs past midnight uses the credits of the new day', async () => {
      mock.timers.enable({ apis: ['Date'], now: new Date(2026, 10, 21, 23, 59, 59) });
      const refill = { credits: 50, period: 'day' } as const;
      const ann = await ledger.account({ name: 'nightly', credits: 1, refill });
      const entry = await ledger.begin(ann);
      mock.timers.setTime(new Date(2026, 10, 22, 0, 0, 1).getTime());
      assert.deepEqual(await entry.hold(3, convertedResult), { consumed: 3, remaining: 47 });
    });

    test('keeps its reservation past midnight, even if it exceeds the refill', async () => {
      mock.timers.enable({ apis: ['Date'], now: new Date(2026, 10, 21, 23, 59, 59) });
      const refill = { credits: 5, period: 'day' } as const;
      const ann = await ledger.account({ name: 'large', credits: 64, refill });
      const entry = await ledger.begin(ann);
      await entry.hold(64, convertedResult);
      mock.timers.setTime(new Date(2026, 10, 22, 0, 0, 1).getTime());
      const next = await ledger.begin(ann);
      assert.equal(next.hasCredit, false);
      await entry.charge({}, () => {});
      assert.equal(await balance(ann), 0);
    });

    test('that is the first of a new period finds its account refilled', async () => {
      const ann = await ledger.account({ name: 'daily', credits: 0, refill: { credits: 3, period: 'day' } });
      const yesterday = Date.now() - 25 * 3_600_000;
      await ledger.database
        .updateTable('accounts')
        .set({ refilled_at: yesterday })
        .where('id', '=', ann)
        .execute();
      const entry = await ledger.begin(ann);
      assert.equal(entry.hasCredit, true);
      assert.deepEqual(await entry.hold(3, convertedResult), { consumed: 3, remaining: 0 });
    });
  });

  describe('A limit of an account', () => {
    const refused = (retryAfter: number) => (problem: unknown) =>
      problem instanceof Failure && problem.status === 429 && problem.retryAfter === retryAfter;

    test('on concurrent jobs counts only running jobs; refused jobs are not recorded', async () => {
      await using ledger = await temporaryLedger(kind);
      const ann = await ledger.account({ name: 'ann', jobsAtOnce: 2 });
      const first = await ledger.begin(ann);
      await ledger.begin(ann);
      await assert.rejects(ledger.begin(ann), refused(1));
      await first.fail(failedResult);
      await ledger.begin(ann);
      const rows = await ledger.database.selectFrom('jobs').select('id').execute();
      assert.equal(rows.length, 3);
    });

    test('on jobs per minute refuses a job with the seconds until the next one may start', async () => {
      await using ledger = await temporaryLedger(kind);
      const ann = await ledger.account({ name: 'ann', jobsPerMinute: 2 });
      const start = 1_700_000_000_000;
      await ledger.begin(ann, start);
      await ledger.begin(ann, start + 20_500);
      await assert.rejects(ledger.begin(ann, start + 30_000), refused(30));
      await assert.rejects(ledger.begin(ann, start + 59_001), refused(1));
      await ledger.begin(ann, start + 60_000);
      await assert.rejects(ledger.begin(ann, start + 60_001), refused(21));
      await ledger.begin(ann, start + 60_001 + 21_000);
    });

    test('does not affect other accounts', async () => {
      await using ledger = await temporaryLedger(kind);
      const ann = await ledger.account({ name: 'ann', jobsAtOnce: 1, jobsPerMinute: 1 });
      const bob = await ledger.account({ name: 'bob', jobsAtOnce: 1, jobsPerMinute: 1 });
      await ledger.begin(ann);
      await ledger.begin(bob);
    });
  });

  function never(): void {
    throw new Error('this callback must not be called');
  }
});
