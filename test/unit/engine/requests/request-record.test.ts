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
  record.open();
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
  record.open();
  assert.ok(record.begin(style));
  record.fail(style, aborted);
  assert.deepEqual(record.failures, []);
});

test('requests are refused before the document of the job begins to load, and after the job', () => {
  const record = new RequestRecord();
  const image = { id: 2, method: 'GET', resourceType: 'image', url: 'http://example.com/image' };
  const emptyPage = { id: 3, method: 'GET', resourceType: 'mainFrame', url: 'platen://job/open' };
  assert.ok(!record.begin(style));
  assert.ok(!record.begin(image));
  assert.ok(record.begin(emptyPage));
  assert.ok(!record.touchedNetwork);
  record.open();
  assert.ok(record.begin(image));
  record.endJob();
  assert.ok(!record.begin({ ...image, id: 4 }));
  assert.ok(record.begin({ ...emptyPage, id: 5 }));
});

test('a pending request has its address for display, without the folder of the job and without credentials', () => {
  const record = new RequestRecord();
  record.open();
  assert.ok(record.begin(style));
  const image = { id: 2, method: 'GET', resourceType: 'image', url: 'http://a:b@example.com/?token=c' };
  assert.ok(record.begin(image));
  assert.deepEqual(
    record.pending.map(({ shownUrl }) => shownUrl),
    ['css/a.css', 'http://example.com/?token=***'],
  );
});
