import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestRecord } from '../../../../main/engine/requests/request-record.ts';
import { outcomeOf } from '../../../../main/engine/diagnostics/recording/network-errors.ts';

const style = {
  id: 1,
  method: 'GET',
  resourceType: 'stylesheet',
  url: 'platen://job/0f5b4d6e-7a51-4c0f-9b1c-2f8f5f6b7a10/css/a.css',
};
const aborted = outcomeOf({ error: 'net::ERR_ABORTED' });

test('a style sheet that Chromium cancels because its file is missing counts as failed', () => {
  const record = new RequestRecord();
  assert.ok(record.begin(style));
  const responseHeaders = { 'content-type': ['text/plain'] };
  record.fail({ ...style, statusCode: 404, responseHeaders }, aborted);
  assert.deepEqual(
    record.failures.map(({ how }) => how),
    ['was answered with status 404'],
  );
});

test('a style sheet that the page cancels does not count as failed', () => {
  const record = new RequestRecord();
  assert.ok(record.begin(style));
  record.fail(style, aborted);
  assert.deepEqual(record.failures, []);
});
