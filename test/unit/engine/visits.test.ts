import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { WebContents } from 'electron';
import { arrivalChannel, type Arrival } from '../../../main/engine/visit-channel.ts';
import { watchVisits } from '../../../main/engine/visits.ts';

/** What a renderer can do: say anything on the channel, and wait for the answer. */
function openChannel(sheet = '') {
  const ipc = new EventEmitter();
  const visits = watchVisits({ ipc } as unknown as Pick<WebContents, 'ipc'>, sheet);
  const tell = (origin: unknown) => {
    const event: { returnValue?: Arrival } = {};
    ipc.emit(arrivalChannel, event, origin);
    return event.returnValue;
  };
  return { visits, tell, say: (origin: unknown) => tell(origin)?.isFirst };
}

test('an origin is new once in a job, and again in the next', () => {
  const { visits, say } = openChannel();
  assert.deepEqual([say('http://a'), say('http://a'), say('http://b')], [true, false, true]);
  visits.begin();
  assert.deepEqual([say('http://a'), say('http://a')], [true, false]);
});

test('what is no origin is answered, since a renderer without an answer would hang', () => {
  const { say } = openChannel();
  for (const odd of [undefined, null, 7, {}, ['http://a'], Buffer.alloc(9)]) assert.equal(say(odd), true);
});

test('a renderer that names origins for ever makes nothing grow', () => {
  const { say } = openChannel();
  const long = `http://${'a'.repeat(400)}`;
  assert.deepEqual([say(long), say(long)], [true, true]);
  for (let n = 0; n < 1000; n += 1) say(`http://a${n}`);
  assert.equal(say('http://a999'), false);
  for (let n = 0; n < 2; n += 1) assert.equal(say('http://one-too-many'), true);
});

test('every frame is told the sheet that pages have', () => {
  const { tell } = openChannel('.a { color: red }');
  assert.deepEqual(
    [tell('http://a')?.sheet, tell('http://a')?.sheet],
    ['.a { color: red }', '.a { color: red }'],
  );
});
