import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { listAccounts, requireAccount } from '../../../main/accounts/store/account-records.ts';
import { factsOfRow } from '../../../main/accounts/account.ts';
import { refillIfDue, refillIsDue } from '../../../main/accounts/ledger/refill.ts';
import { temporaryAccounts } from '../../support/accounts/accounts.ts';

/** Converts a local time, the one that operators see, to milliseconds since 1970. */
const at = (text: string) => new Date(text).getTime();

describe('a refill', () => {
  test('is due at the first moment of each day', () => {
    const last = at('2026-03-28T09:00:00');
    assert.equal(refillIsDue('day', last, at('2026-03-28T23:59:59.999')), false);
    assert.equal(refillIsDue('day', last, at('2026-03-29T00:00:00')), true);
    assert.equal(refillIsDue('day', last, at('2027-03-28T09:00:00')), true);
    assert.equal(refillIsDue('day', at('2026-03-29T00:00:00'), at('2026-03-29T00:00:00')), false);
  });

  test('is due at the first moment of each month', () => {
    const last = at('2026-01-31T12:00:00');
    assert.equal(refillIsDue('month', last, at('2026-01-31T23:59:59.999')), false);
    assert.equal(refillIsDue('month', last, at('2026-02-01T00:00:00')), true);
    assert.equal(refillIsDue('month', at('2026-02-01T00:00:00'), at('2026-02-28T23:59:59')), false);
    assert.equal(refillIsDue('month', at('2025-12-31T23:59:59'), at('2026-01-01T00:00:00')), true);
  });

  test('is not due after the clock was set back', () => {
    assert.equal(refillIsDue('day', at('2026-03-28T09:00:00'), at('2026-03-27T09:00:00')), false);
    assert.equal(refillIsDue('month', at('2026-03-01T09:00:00'), at('2026-02-27T09:00:00')), false);
  });

  test('is due once per period, regardless of the number of checks', () => {
    const time = fc.integer({ min: at('2026-01-01T00:00:00'), max: at('2027-01-01T00:00:00') });
    fc.assert(
      fc.property(fc.constantFrom('day', 'month'), time, time, (period, left, right) => {
        const [last, now] = left < right ? [left, right] : [right, left];
        assert.equal(refillIsDue(period, last, now) && refillIsDue(period, now, now), false);
      }),
    );
  });

  test('is due at local midnight, even on a day of 23 hours', () => {
    const program = fileURLToPath(import.meta.resolve('./refill-program.ts'));
    const { stdout } = spawnSync(process.execPath, [program], {
      env: { ...process.env, TZ: 'Europe/Berlin' },
    });
    assert.equal(String(stdout), 'false true\n');
  });
});

describe('an account with a refill', () => {
  test('starts each period with the credits of the refill, and keeps its total of spent credits', async () => {
    await using temporary = await temporaryAccounts();
    await temporary.book.add({ name: 'ann', refill: { credits: 100, period: 'day' } });
    const tomorrow = Date.now() + 86_400_000;
    for (const [granted, spent] of [
      [100, 70],
      [500, 70],
    ] as const) {
      await temporary.database
        .updateTable('accounts')
        .set({ granted, spent, refilled_at: 0 })
        .where('name', '=', 'ann')
        .execute();
      const facts = factsOfRow(await requireAccount(temporary.database, 'ann', tomorrow));
      assert.deepEqual([facts.balance, facts.spent], [100, 70]);
      assert.deepEqual(
        (await listAccounts(temporary.database, tomorrow)).find(({ name }) => name === 'ann')?.balance,
        100,
      );
    }
  });

  test('is refilled once if two callers find the refill due', async () => {
    await using temporary = await temporaryAccounts();
    await temporary.book.add({ name: 'ann', refill: { credits: 100, period: 'day' } });
    const now = Date.now() + 86_400_000;
    const row = await temporary.database
      .selectFrom('accounts')
      .selectAll()
      .where('name', '=', 'ann')
      .executeTakeFirstOrThrow();
    assert.equal((await refillIfDue(temporary.database, row, now)).granted, 100);
    await temporary.database.updateTable('accounts').set({ spent: 30 }).where('name', '=', 'ann').execute();
    const again = await refillIfDue(temporary.database, row, now);
    assert.deepEqual([again.granted, again.spent], [100, 30]);
  });

  test('is no longer refilled once its credits are unlimited', async () => {
    await using temporary = await temporaryAccounts();
    await temporary.book.add({ name: 'ann', refill: { credits: 100, period: 'month' } });
    await temporary.book.setCredits('ann', { kind: 'unlimited' });
    const facts = factsOfRow(await requireAccount(temporary.database, 'ann', Date.now() + 1e10));
    assert.deepEqual([facts.balance, facts.refill], [undefined, undefined]);
  });
});
