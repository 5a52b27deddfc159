import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBodyBudget, bodyMemoryBytes } from '../../../../main/http/upload/body-budget.ts';
import { Failure } from '../../../../main/failure/failure.ts';

const isRefusal = (kind: Failure['kind']) => (problem: unknown) =>
  problem instanceof Failure && problem.kind === kind && (problem.retryAfter ?? 0) > 0;
const refused = isRefusal('unavailable');

const budgetOf = (maxBytes: number, freeDiskBytes?: number) =>
  openBodyBudget({ maxBytes, freeDiskBytes: () => freeDiskBytes });

const ann = { id: 1 };
const bob = { id: 2 };

test('the body budget refuses a declared size beyond its free memory before the body arrives', () => {
  const budget = budgetOf(100);
  using first = budget.open(ann, 60);
  first.add(60);
  assert.throws(() => budget.open(bob, 41), refused);
  budget.open(bob, 40);
});

test('the body budget refuses a body of undeclared size when it exceeds the free memory', () => {
  const budget = budgetOf(100);
  using first = budget.open(ann, 0);
  first.add(60);
  using second = budget.open(bob, 0);
  second.add(40);
  assert.throws(() => {
    second.add(1);
  }, refused);
});

test('the body budget does not reserve memory for a declared size', () => {
  const budget = budgetOf(100);
  using _announced = budget.open(ann, 100);
  using second = budget.open(bob, 100);
  second.add(100);
});

test('the body budget frees the memory of stored files and of finished requests', () => {
  const budget = budgetOf(100);
  {
    using first = budget.open(ann, 0);
    first.add(100);
    assert.throws(() => budget.open(bob, 10), refused);
    first.keep(90);
    budget.open(bob, 10);
  }
  using next = budget.open(ann, 100);
  next.add(100);
});

test('the body budget frees the memory of a file while it arrives', () => {
  const budget = budgetOf(100);
  using first = budget.open(ann, 0);
  first.add(80);
  first.release(70);
  using second = budget.open(bob, 90);
  second.add(90);
});

test('the body budget may be exceeded by a single request', () => {
  using withinBudget = budgetOf(100).open(ann, 1000);
  withinBudget.add(1000);
});

test('the bodies of one account use at most half of the body budget', () => {
  const budget = budgetOf(100);
  using first = budget.open(ann, 0);
  using second = budget.open(ann, 0);
  first.add(30);
  second.add(20);
  for (const body of [first, second])
    assert.throws(() => {
      body.add(1);
    }, isRefusal('tooManyRequests'));
  assert.throws(() => budget.open(ann, 1), isRefusal('tooManyRequests'));
  using other = budget.open(bob, 50);
  other.add(50);
});

test('the body budget leaves memory to the next account, however many use their share', () => {
  const budget = budgetOf(10_000);
  for (let id = 1; id <= 5; id += 1) {
    const bodies = [budget.open({ id }, 0), budget.open({ id }, 0)];
    assert.throws(() => {
      for (;;) for (const body of bodies) body.add(1);
    }, isRefusal('tooManyRequests'));
  }
  using next = budget.open({ id: 6 }, 0);
  next.add(1);
});

test('an account can use its share of the body budget again when its requests have ended', () => {
  const budget = budgetOf(100);
  for (let round = 0; round < 3; round += 1) {
    using first = budget.open(ann, 0);
    using second = budget.open(ann, 0);
    first.add(25);
    second.add(25);
  }
});

test('the body budget is large enough for two of the largest requests', () => {
  assert.equal(bodyMemoryBytes({ 'max-upload': 1e15, 'max-output': 1 }), 2e15);
  assert.equal(bodyMemoryBytes({ 'max-upload': 1, 'max-output': 1e15 }), 2e15);
  assert.ok(bodyMemoryBytes({ 'max-upload': 1, 'max-output': 1 }) > 1e6);
});

test('the body budget is a quarter of the memory, but at most 1.5 GB, because V8 cannot hold more', () => {
  const small = { 'max-upload': 1, 'max-output': 1 };
  assert.equal(bodyMemoryBytes(small, 4e9), 1e9);
  assert.equal(bodyMemoryBytes(small, 64e9), 1.5e9);
});

test('the uploads of an account take no more of the disk than is free, and others can still use it', () => {
  const budget = budgetOf(100, 500);
  const upload = (account: { readonly id: number }, bytes: number) => {
    const body = budget.open(account, 0);
    body.add(0);
    body.release(bytes);
    return body;
  };
  using first = upload(ann, 300);
  {
    using _second = upload(ann, 300);
    assert.throws(() => {
      first.add(1);
    }, isRefusal('tooManyRequests'));
    using other = upload(bob, 300);
    other.add(1);
  }
  first.add(1);
});
