import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Request } from 'express';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import type { Failure } from '../../../../main/failure/failure.ts';
import { watchUpload } from '../../../../main/http/upload/receive.ts';

const upload = () => new PassThrough() as unknown as Request & PassThrough;
const isTimeout = (pattern: RegExp) => (problem: Failure) =>
  problem.kind === 'requestTimeout' && pattern.test(problem.message);

test('the service times out a request that keeps sending after the total timeout', async () => {
  const request = upload();
  using timeout = watchUpload(request, 300);
  const timer = setInterval(() => request.write('x'), 5);
  request.resume();
  await assert.rejects(timeout.expired, isTimeout(/longer than 0\.3 seconds/));
  clearInterval(timer);
});

test('the service never times out a complete request, and reads nothing from it before a reader is attached', async () => {
  const request = upload();
  using timeout = watchUpload(request, 30);
  assert.equal(request.readableFlowing, null);
  request.end('x');
  request.resume();
  await once(request, 'end');
  const later = new Promise((resolve) => setTimeout(resolve, 60, 'nothing happened'));
  assert.equal(await Promise.race([timeout.expired, later]), 'nothing happened');
});
