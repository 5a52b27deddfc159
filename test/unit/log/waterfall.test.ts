import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestDetail, EventOf } from '../../../main/log/events.ts';
import {
  percent,
  barPosition,
  ticks,
  statusLabel,
  failureReason,
  phasesOf,
  requestsByBegin,
} from '../../../main/log/waterfall.ts';

test('requests are in the order of their starts, not of their ends', () => {
  const slow = request('slow', { began: 10 }, { at: 900, took: 890 });
  const quick = request('quick', { began: 20 }, { at: 30, took: 10 });
  const unknown = request('unknown', {}, { at: 40, took: 35 });
  assert.deepEqual(
    requestsByBegin([quick, unknown, slow]).map(({ text }) => text),
    ['unknown', 'slow', 'quick'],
  );
});

test('the bar of a request is divided into its connect, wait and receive phases', () => {
  const phases = { connect: 5, send: 1, wait: 20, receive: 4 };
  assert.deepEqual(phasesOf(request('a', { began: 100, phases }, { at: 130, took: 30 })), [
    { name: 'connect', from: 100, to: 105 },
    { name: 'wait', from: 105, to: 126 },
    { name: 'receive', from: 126, to: 130 },
  ]);
});

test('a failed request is one bar', () => {
  const phases = { connect: 5, send: 0, wait: 20, receive: 0 };
  const failed = request('a', { began: 0, failed: 'could not be loaded', phases }, { at: 50, took: 50 });
  assert.deepEqual(phasesOf(failed), [{ name: 'failed', from: 0, to: 50 }]);
});

test('a response that was cancelled because of its status shows only the status', () => {
  assert.equal(failureReason({ status: 404, failed: 'was cancelled' }), undefined);
  assert.equal(failureReason({ status: 404, failed: 'could not be loaded' }), 'could not be loaded');
  assert.equal(failureReason({ failed: 'was cancelled' }), 'was cancelled');
  assert.equal(statusLabel({ status: 404, failed: 'was cancelled' }), 404);
  assert.equal(statusLabel({ blocked: 'a private address' }), 'refused');
  assert.equal(statusLabel({ status: 200, blocked: 'too large' }), 'refused');
});

test('a bar stays on its axis, even if short or late', () => {
  assert.deepEqual(barPosition(250, 500, 1000), { start: 25, width: 25 });
  assert.deepEqual(barPosition(1000, 1000, 1000), { start: 99.6, width: 0.4 });
  assert.equal(percent(20, 0), 0);
});

test('the time axis has three to six round numbers', () => {
  assert.deepEqual(ticks(760), [0, 200, 400, 600]);
  for (const duration of [1, 7, 33, 118, 999, 60_000])
    assert.ok(ticks(duration).length >= 3 && ticks(duration).length <= 6, String(duration));
  assert.deepEqual(ticks(0), [0]);
});

function request(
  text: string,
  detail: RequestDetail,
  { at, took }: { readonly at: number; readonly took: number },
): EventOf<'request'> {
  return { kind: 'request', text, at, took, detail };
}
