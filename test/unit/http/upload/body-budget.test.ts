import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBodyBudget, bodyMemoryBytes } from '../../../../main/http/upload/body-budget.ts';
import { Failure } from '../../../../main/failure/failure.ts';

const refused = (problem: unknown) =>
  problem instanceof Failure && problem.kind === 'unavailable' && (problem.retryAfter ?? 0) > 0;

test('the body budget refuses a declared size beyond its free memory before the body arrives', () => {
  const budget = openBodyBudget({ maxBytes: 100, maxBodies: 100 });
  using first = budget.open('ann', 60);
  first.add(60);
  assert.throws(() => budget.open('ann', 41), refused);
  budget.open('ann', 40);
});

test('the body budget refuses a body of undeclared size when it exceeds the free memory', () => {
  const budget = openBodyBudget({ maxBytes: 100, maxBodies: 100 });
  using first = budget.open('ann', 0);
  first.add(60);
  using second = budget.open('ann', 0);
  second.add(40);
  assert.throws(() => {
    second.add(1);
  }, refused);
});

test('the body budget does not reserve memory for a declared size', () => {
  const budget = openBodyBudget({ maxBytes: 100, maxBodies: 100 });
  using _announced = budget.open('ann', 100);
  using second = budget.open('ann', 100);
  second.add(100);
});

test('the body budget frees the memory of stored files and of finished requests', () => {
  const budget = openBodyBudget({ maxBytes: 100, maxBodies: 100 });
  {
    using first = budget.open('ann', 0);
    first.add(100);
    assert.throws(() => budget.open('ann', 10), refused);
    first.keep(90);
    budget.open('ann', 10);
  }
  using next = budget.open('ann', 100);
  next.add(100);
});

test('the body budget frees the memory of a file while it arrives', () => {
  const budget = openBodyBudget({ maxBytes: 100, maxBodies: 100 });
  using first = budget.open('ann', 0);
  first.add(80);
  first.release(70);
  using second = budget.open('ann', 90);
  second.add(90);
});

test('the body budget may be exceeded by a single request', () => {
  using withinBudget = openBodyBudget({ maxBytes: 100, maxBodies: 100 }).open('ann', 1000);
  withinBudget.add(1000);
});

test('the body budget is large enough for the largest request', () => {
  assert.equal(bodyMemoryBytes(1e15), 1e15);
  assert.ok(bodyMemoryBytes(1) > 1e6);
});

test('the body budget gives an account at most half of the free slots, and releases each slot once', () => {
  const budget = openBodyBudget({ maxBytes: 100, maxBodies: 16 });
  const take = (account: string) => {
    const shares = [];
    try {
      for (;;) shares.push(budget.open(account, 0));
    } catch (problem) {
      assert.ok(refused(problem));
    }
    return shares;
  };
  const slow = take('slow');
  assert.equal(slow.length, 8);
  assert.deepEqual(
    [take('ann').length, take('bob').length, take('cid').length, take('dan').length],
    [4, 2, 1, 1],
  );
  slow[0]?.keep(1);
  slow[0]?.[Symbol.dispose]();
  assert.equal(take('slow').length, 0);
  for (const share of slow) share[Symbol.dispose]();
  assert.ok(take('eve').length > 1);
});
