import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { openCredits, priceOf, type Charge } from '../../../main/accounts/credits.ts';
import { Failure } from '../../../main/failure/failure.ts';

const noCredits = (problem: unknown) =>
  problem instanceof Failure && problem.kind === 'noCredits' && problem.status === 403;

test('an output costs one credit for each started 500,000 bytes, and at least one', () => {
  assert.deepEqual(
    [0, 1, 499_999, 500_000, 500_001, 1_000_000, 1_000_001].map(priceOf),
    [1, 1, 1, 1, 2, 2, 3],
  );
});

describe('a limited account', () => {
  test('pays what its job cost, and is told what remains', () => {
    const credits = openCredits([{ user: 'ann', key: 'k', credits: 10 }]);
    assert.deepEqual(credits.reserve('ann').settle(3), { consumed: 3, remaining: 7 });
  });

  test('is told what remains less what its other running jobs have reserved', () => {
    const credits = openCredits([{ user: 'ann', key: 'k', credits: 10 }]);
    const running = credits.reserve('ann');
    assert.deepEqual(credits.reserve('ann').settle(3), { consumed: 3, remaining: 6 });
    assert.deepEqual(running.settle(1), { consumed: 1, remaining: 6 });
  });

  test('needs one free credit to start a job', () => {
    const credits = openCredits([
      { user: 'ann', key: 'k', credits: 1 },
      { user: 'bob', key: 'k', credits: 0 },
    ]);
    assert.throws(() => credits.reserve('bob'), noCredits);
    const first = credits.reserve('ann');
    assert.throws(() => credits.reserve('ann'), noCredits);
    first[Symbol.dispose]();
    assert.ok(credits.reserve('ann'));
  });

  test('pays nothing for an output that costs more than is left', () => {
    const credits = openCredits([{ user: 'ann', key: 'k', credits: 5 }]);
    assert.throws(() => credits.reserve('ann').settle(6), noCredits);
    assert.deepEqual(credits.reserve('ann').settle(5), { consumed: 5, remaining: 0 });
  });

  test('gets back, once, what it paid for an output that never arrived', () => {
    const credits = openCredits([{ user: 'ann', key: 'k', credits: 5 }]);
    const charge = credits.reserve('ann');
    charge.settle(4);
    charge.refund();
    charge.refund();
    charge[Symbol.dispose]();
    assert.deepEqual(credits.reserve('ann').settle(5), { consumed: 5, remaining: 0 });
  });
});

test('an account without a limit pays and is told no balance', () => {
  const credits = openCredits([{ user: 'ann', key: 'k' }]);
  assert.deepEqual(credits.reserve('ann').settle(1e9), { consumed: 1e9 });
});

test('an account named twice has the credits of its last entry, as it has the key', () => {
  const limited = { user: 'demo', key: 'demo', credits: 5 };
  const unlimited = { user: 'demo', key: 'mine' };
  assert.deepEqual(openCredits([limited, unlimited]).reserve('demo').settle(1), { consumed: 1 });
  assert.deepEqual(openCredits([unlimited, limited]).reserve('demo').settle(1), {
    consumed: 1,
    remaining: 4,
  });
});

test('the balance of one account is nothing to another', () => {
  const credits = openCredits([
    { user: '__proto__', key: 'k', credits: 1 },
    { user: 'constructor', key: 'k', credits: 9 },
  ]);
  credits.reserve('__proto__').settle(1);
  assert.deepEqual(credits.reserve('constructor').settle(1), { consumed: 1, remaining: 8 });
});

test('no order of reserving, settling, giving back and refunding overdraws an account or loses a credit', () => {
  const steps = fc.array(
    fc.tuple(fc.constantFrom('reserve', 'settle', 'dispose', 'refund'), fc.nat(9), fc.nat(6)),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(fc.nat(12), steps, (start, played) => {
      const credits = openCredits([{ user: 'ann', key: 'k', credits: start }]);
      const charges: { charge: Charge; paid: number; settled: boolean; open: boolean }[] = [];
      const reserved = () => charges.filter(({ open }) => open).length;
      const left = () => start - charges.reduce((sum, { paid }) => sum + paid, 0);
      for (const [step, which, cost] of played) {
        const free = left() - reserved();
        assert.ok(free >= 0, 'overdrawn');
        const one = charges[which % Math.max(1, charges.length)];
        if (step === 'reserve') {
          if (free < 1) assert.throws(() => credits.reserve('ann'), noCredits);
          else charges.push({ charge: credits.reserve('ann'), paid: 0, settled: false, open: true });
        } else if (one === undefined) continue;
        else if (step === 'refund') {
          one.charge.refund();
          one.paid = 0;
        } else if (step === 'dispose') {
          one.charge[Symbol.dispose]();
          one.open = false;
        } else if (!one.settled) {
          one.settled = true;
          one.open = false;
          const free = left() - reserved();
          if (cost > free) assert.throws(() => one.charge.settle(cost), noCredits);
          else assert.deepEqual(one.charge.settle(cost), { consumed: cost, remaining: free - cost });
          one.paid = cost > free ? 0 : cost;
        }
      }
    }),
    { numRuns: 1000 },
  );
});
