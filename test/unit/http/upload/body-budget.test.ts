import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBodyBudget, bodyMemoryBytes } from '../../../../main/http/upload/body-budget.ts';
import { Failure } from '../../../../main/failure/failure.ts';

const refused = (problem: unknown) =>
  problem instanceof Failure && problem.kind === 'unavailable' && (problem.retryAfter ?? 0) > 0;

test('the body budget refuses a declared size beyond its free memory before the body arrives', () => {
  const budget = openBodyBudget(100);
  using first = budget.open(60);
  first.add(60);
  assert.throws(() => budget.open(41), refused);
  budget.open(40);
});

test('the body budget refuses a body of undeclared size when it exceeds the free memory', () => {
  const budget = openBodyBudget(100);
  using first = budget.open(0);
  first.add(60);
  using second = budget.open(0);
  second.add(40);
  assert.throws(() => {
    second.add(1);
  }, refused);
});

test('the body budget does not reserve memory for a declared size', () => {
  const budget = openBodyBudget(100);
  using _announced = budget.open(100);
  using second = budget.open(100);
  second.add(100);
});

test('the body budget frees the memory of stored files and of finished requests', () => {
  const budget = openBodyBudget(100);
  {
    using first = budget.open(0);
    first.add(100);
    assert.throws(() => budget.open(10), refused);
    first.keep(90);
    budget.open(10);
  }
  using next = budget.open(100);
  next.add(100);
});

test('the body budget frees the memory of a file while it arrives', () => {
  const budget = openBodyBudget(100);
  using first = budget.open(0);
  first.add(80);
  first.release(70);
  using second = budget.open(90);
  second.add(90);
});

test('the body budget may be exceeded by a single request', () => {
  using withinBudget = openBodyBudget(100).open(1000);
  withinBudget.add(1000);
});

test('the body budget is large enough for the largest request', () => {
  assert.equal(bodyMemoryBytes(1e15), 1e15);
  assert.ok(bodyMemoryBytes(1) > 1e6);
});
