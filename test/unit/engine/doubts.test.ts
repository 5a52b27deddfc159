import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BrowserFault, notProduced } from '../../../main/engine/browser-fault.ts';
import { openDoubts } from '../../../main/engine/doubts.ts';
import { Failure, noRoom } from '../../../main/failure/failure.ts';

const { signal } = new AbortController();

/** What is told when jobs end so, one after the other. */
async function toldOf(...ends: readonly Error[]): Promise<readonly string[]> {
  const told: string[] = [];
  const doubts = openDoubts((why) => told.push(why));
  for (const end of ends) await assert.rejects(doubts.observe(signal, Promise.reject(end)), end);
  return told;
}

const cause = { problem: 'net::ERR_FAILED' };

test('a browser that opens no window, prints nothing or captures nothing is doubted at the first time', async () => {
  const fault = new BrowserFault('no window could be opened');
  assert.deepEqual(await toldOf(new Failure('unavailable', 'Try again.', { cause: fault })), [
    'no window could be opened',
  ]);
  assert.deepEqual(await toldOf(notProduced('Too complex.', new Error('Printing failed'))), [
    'a print or a capture failed',
  ]);
});

test('however often pages have too much in them, nobody doubts the browser', async () => {
  const excess = [
    new Failure('tooComplex', 'It is larger than a page may be.', { cause }),
    new Failure('tooComplex', 'It needs more memory.', { cause: new Error('oom') }),
    new Failure('tooComplex', 'It is larger than an output may be.'),
  ];
  assert.deepEqual(await toldOf(...excess, ...excess), []);
});

test('however often jobs find no room, nobody doubts the browser', async () => {
  const busy = new Failure('unavailable', 'All windows are busy.', { retryAfter: 1 });
  const full = noRoom(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
  assert.deepEqual(await toldOf(busy, full, busy, full), []);
});

test('three jobs in a row that end by a fault or the job limit are doubted, and no others', async () => {
  const late = new Failure('timedOut', 'The job ran out of time.');
  const refused = new Failure('pageNotLoaded', 'It did not answer.', { cause });
  assert.deepEqual(await toldOf(late, new Error('a fault'), refused, late, late), []);
  assert.equal((await toldOf(late, new Error('a fault'), late)).length, 1);
});
