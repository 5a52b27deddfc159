import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogue, type FailureKind } from '../../../main/failure/catalogue.ts';
import { Failure, toFailure } from '../../../main/failure/failure.ts';
import { reportsMissingResource } from '../../../main/failure/failure.ts';

test('a failure has the status and reason of its kind, and the given message, cause and Retry-After', () => {
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

test('a failure has no Retry-After unless one is given', () => {
  assert.equal(new Failure('noInput', 'None.').retryAfter, undefined);
});

test('toFailure returns a thrown Failure unchanged', () => {
  const failure = new Failure('timedOut', 'Too late.');
  assert.equal(toFailure(failure), failure);
});

test('toFailure turns any other thrown value into 500.500 with a fixed message, and keeps the value as the cause', () => {
  const secret = 'ECONNREFUSED 10.0.0.5:5432 password=hunter2';
  for (const thrown of [new Error(secret), secret, { secret }, null, undefined, 0]) {
    const failure = toFailure(thrown);
    assert.deepEqual([failure.status, failure.reason, failure.cause], [500, 500, thrown]);
    assert.doesNotMatch(failure.message, /ECONN|hunter2|10\.0/);
    assert.equal(failure.message, toFailure('another').message);
  }
});

test('a full disk, a lack of descriptors or an I/O error becomes 503.503 with Retry-After, even if it is only the cause of an error', () => {
  const resourceErrors = [
    ...['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EROFS', 'EIO'].map((code) =>
      Object.assign(new Error('of the system'), { code }),
    ),
    new Error('ENOSPC: no space left on device, write'),
    new Error('Worker initialization failure: EMFILE'),
    Object.assign(new Error('database or disk is full'), { errcode: 13 }),
    Object.assign(new Error('disk I/O error'), { errcode: 778 }),
  ];
  for (const error of [...resourceErrors, new Error('a fault', { cause: resourceErrors[0] })]) {
    const { status, reason, retryAfter, cause, message } = toFailure(error);
    assert.deepEqual([status, reason, retryAfter, cause], [503, 503, 5, error], String(error));
    assert.match(message, /cannot write or open its files/);
  }
});

test('an error that only mentions a full disk stays 500.500', () => {
  for (const fault of [
    new Error('the page says ENOSPC'),
    new Error('ENOENT: no such file or directory'),
    Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
    Object.assign(new Error('database is locked'), { errcode: 5 }),
  ])
    assert.equal(toFailure(fault).status, 500, String(fault));
});

test('a program that ran out of resources is recognised by its output', () => {
  const vips =
    'Error: /w/image.png: write error\nsystem error: No space left on device\nwbuffer_write: write failed';
  for (const words of [
    vips,
    'Error: ENOSPC: no space left on device, write',
    'system error: Too many open files',
  ])
    assert.equal(reportsMissingResource(words), true, words);
  for (const words of ['', 'heif: Cannot write output data (9.5000)', 'TypeError: x is undefined'])
    assert.equal(reportsMissingResource(words), false, words);
});

test('a message has at most 10,000 characters', () => {
  assert.equal(new Failure('elementNotFound', 'x'.repeat(20_000)).message.length, 10_000);
});
