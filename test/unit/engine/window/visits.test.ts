import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { WebContents } from 'electron';
import { visitChannel, type VisitReply } from '../../../../main/engine/page-scripts/preload-channels.ts';
import { watchVisits } from '../../../../main/engine/window/visits.ts';

/**
 * Returns functions that send visits like the preload script of a renderer. `sendVisit` returns the reply. `isFirstVisit` returns
 * whether the reply reports the first visit of the origin in this job.
 */
function openChannel(sheet = '') {
  const ipc = new EventEmitter();
  const visits = watchVisits({ ipc } as unknown as Pick<WebContents, 'ipc'>, sheet);
  const sendVisit = (origin: unknown) => {
    const event: { returnValue?: VisitReply } = {};
    ipc.emit(visitChannel, event, origin);
    return event.returnValue;
  };
  return { visits, sendVisit, isFirstVisit: (origin: unknown) => sendVisit(origin)?.isFirst };
}

test('an origin is reported as visited for the first time once in each job', () => {
  const { visits, isFirstVisit } = openChannel();
  assert.deepEqual(
    [isFirstVisit('http://a'), isFirstVisit('http://a'), isFirstVisit('http://b')],
    [true, false, true],
  );
  visits.begin();
  assert.deepEqual([isFirstVisit('http://a'), isFirstVisit('http://a')], [true, false]);
});

test('an invalid origin gets a reply, because the renderer would hang without one', () => {
  const { isFirstVisit } = openChannel();
  for (const odd of [undefined, null, 7, {}, ['http://a'], Buffer.alloc(9)])
    assert.equal(isFirstVisit(odd), true);
});

test('origins that are too long, or come after a thousand others, are not remembered', () => {
  const { isFirstVisit } = openChannel();
  const long = `http://${'a'.repeat(400)}`;
  assert.deepEqual([isFirstVisit(long), isFirstVisit(long)], [true, true]);
  for (let n = 0; n < 1000; n += 1) isFirstVisit(`http://a${n}`);
  assert.equal(isFirstVisit('http://a999'), false);
  for (let n = 0; n < 2; n += 1) assert.equal(isFirstVisit('http://one-too-many'), true);
});

test('every visit is answered with the style sheet, not only the first of an origin', () => {
  const { sendVisit } = openChannel('.a { color: red }');
  assert.deepEqual(
    [sendVisit('http://a')?.styleSheet, sendVisit('http://a')?.styleSheet],
    ['.a { color: red }', '.a { color: red }'],
  );
});
