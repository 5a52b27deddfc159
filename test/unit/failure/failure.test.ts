import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogue, type FailureKind } from '../../../main/failure/catalogue.ts';
import { Failure, toFailure } from '../../../main/failure/failure.ts';

test('a failure carries the numbers of its kind, its sentence and its cause', () => {
  for (const kind of Object.keys(catalogue) as FailureKind[]) {
    const failure = new Failure(kind, 'What and why.', { cause: 'all of it', retryAfter: 3 });
    const { status, reason, message, cause, retryAfter } = failure;
    assert.deepEqual(
      { status, reason, message, cause, retryAfter },
      {
        status: catalogue[kind].status,
        reason: catalogue[kind].reason,
        message: 'What and why.',
        cause: 'all of it',
        retryAfter: 3,
      },
    );
    assert.ok(failure instanceof Error);
  }
});

test('a failure has no time for a retry unless one is given', () => {
  assert.equal(new Failure('noInput', 'None.').retryAfter, undefined);
});

test('a failure that was thrown stays the one it is', () => {
  const failure = new Failure('timedOut', 'Too late.');
  assert.equal(toFailure(failure), failure);
});

test('whatever else was thrown is a fault of ours: a fixed sentence outside, the whole cause inside', () => {
  const secret = 'ECONNREFUSED 10.0.0.5:5432 password=hunter2';
  for (const thrown of [new Error(secret), secret, { secret }, null, undefined, 0]) {
    const failure = toFailure(thrown);
    assert.deepEqual([failure.status, failure.reason, failure.cause], [500, 500, thrown]);
    assert.doesNotMatch(failure.message, /ECONN|hunter2|10\.0/);
    assert.equal(failure.message, toFailure('another').message);
  }
});
