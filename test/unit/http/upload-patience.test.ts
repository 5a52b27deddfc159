import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Request } from 'express';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import type { Failure } from '../../../main/failure/failure.ts';
import { watchUpload } from '../../../main/http/upload-patience.ts';

const upload = () => new PassThrough() as unknown as Request & PassThrough;
const isTimeout = (sentence: RegExp) => (problem: Failure) =>
  problem.kind === 'requestTimeout' && sentence.test(problem.message);

test('a request of which nothing comes for a while is given up', async () => {
  const request = upload();
  using patience = watchUpload(request, { whole: 60_000, idle: 20 });
  request.resume();
  await assert.rejects(patience.worn, isTimeout(/^Nothing of the request came for 0\.02 seconds\.$/));
});

test('a request that we do not read for a while is given up only when its whole time is over', async () => {
  const request = upload();
  using patience = watchUpload(request, { whole: 200, idle: 20 });
  request.write('x');
  await assert.rejects(patience.worn, isTimeout(/longer than 0\.2 seconds/));
});

test('a request that keeps coming is given up when its whole time is over', async () => {
  const request = upload();
  using patience = watchUpload(request, { whole: 300, idle: 60_000 });
  const timer = setInterval(() => request.write('x'), 5);
  request.resume();
  await assert.rejects(patience.worn, isTimeout(/longer than 0\.3 seconds/));
  clearInterval(timer);
});

test('a request that has come whole is given up no more, and nothing of it is read before its reader is there', async () => {
  const request = upload();
  using patience = watchUpload(request, { whole: 30, idle: 20 });
  assert.equal(request.isPaused(), true);
  request.end('x');
  request.resume();
  await once(request, 'end');
  const later = new Promise((resolve) => setTimeout(resolve, 60, 'nothing happened'));
  assert.equal(await Promise.race([patience.worn, later]), 'nothing happened');
});
