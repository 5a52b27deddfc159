import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begins, breaksOff, newTraffic } from '../../main/engine/request-record.ts';
import { outcomeOf } from '../../main/engine/recording/failure-words.ts';

const style = {
  ...{ id: 1, method: 'GET', resourceType: 'stylesheet' },
  url: 'platen://job/0f5b4d6e-7a51-4c0f-9b1c-2f8f5f6b7a10/css/a.css',
};
const aborted = outcomeOf({ error: 'net::ERR_ABORTED' });

test('a style that Chromium calls off because its file is missing has failed all the same', () => {
  const traffic = newTraffic();
  assert.ok(begins(traffic, style));
  const responseHeaders = { 'content-type': ['text/plain'] };
  breaksOff(traffic, { ...style, statusCode: 404, responseHeaders }, aborted);
  assert.deepEqual(
    traffic.failures.map(({ how }) => how),
    ['was answered with status 404'],
  );
});

test('a style that a page itself calls off has not failed', () => {
  const traffic = newTraffic();
  assert.ok(begins(traffic, style));
  breaksOff(traffic, style, aborted);
  assert.deepEqual(traffic.failures, []);
});
