import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { WebContents } from 'electron';
import { visitChannel, type VisitReply } from '../../../../main/engine/page-scripts/visit-channel.ts';
import { watchVisits } from '../../../../main/engine/window/visits.ts';

/** Acts like a renderer: sends any message on the channel and waits for the reply. */
function openChannel(sheet = '') {
  const ipc = new EventEmitter();
  const visits = watchVisits({ ipc } as unknown as Pick<WebContents, 'ipc'>, sheet);
  const sendVisit = (origin: unknown) => {
    const event: { returnValue?: VisitReply } = {};
    ipc.emit(visitChannel, event, origin);
    return event.returnValue;
  };
  return { visits, sendVisit, say: (origin: unknown) => sendVisit(origin)?.isFirst };
}

test('an origin is reported as visited for the first time once in each job', () => {
  const { visits, say } = openChannel();
  assert.deepEqual([say('http://a'), say('http://a'), say('http://b')], [true, false, true]);
  visits.begin();
  assert.deepEqual([say('http://a'), say('http://a')], [true, false]);
});

test('an invalid origin gets a reply, because the renderer would hang without one', () => {
  const { say } = openChannel();
  for (const odd of [undefined, null, 7, {}, ['http://a'], Buffer.alloc(9)]) assert.equal(say(odd), true);
});

test('origins that are too long, or come after a thousand others, are not remembered', () => {
  const { say } = openChannel();
  const long = `http://${'a'.repeat(400)}`;
  assert.deepEqual([say(long), say(long)], [true, true]);
  for (let n = 0; n < 1000; n += 1) say(`http://a${n}`);
  assert.equal(say('http://a999'), false);
  for (let n = 0; n < 2; n += 1) assert.equal(say('http://one-too-many'), true);
});

test('every visit is answered with the style sheet, not only the first of an origin', () => {
  const { sendVisit } = openChannel('.a { color: red }');
  assert.deepEqual(
    [sendVisit('http://a')?.sheet, sendVisit('http://a')?.sheet],
    ['.a { color: red }', '.a { color: red }'],
  );
});
