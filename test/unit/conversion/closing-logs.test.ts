import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { watchClosingLogs } from '../../../main/conversion/job-log.ts';

describe('A reader of a debug log', () => {
  test('waits until the last line of a job whose response has ended is written', async () => {
    const logs = watchClosingLogs();
    const happened: string[] = [];
    logs.begin('a');
    const readers = [1, 2].map(async (n) => {
      await logs.closed('a');
      happened.push(`reader ${n}`);
    });
    await turn();
    happened.push('last line');
    logs.end('a');
    await Promise.all(readers);
    assert.deepEqual(happened, ['last line', 'reader 1', 'reader 2']);
  });

  test('does not wait for the log of another job, the log of a running job or a complete log', async () => {
    const logs = watchClosingLogs();
    logs.begin('other');
    logs.begin('over');
    logs.end('over');
    const first = await Promise.race([
      Promise.all(['under way', 'over'].map(logs.closed)),
      turn().then(() => 'waited'),
    ]);
    assert.notEqual(first, 'waited');
  });

  test('stops waiting after a second if the last line is never written', { timeout: 10_000 }, async () => {
    const logs = watchClosingLogs();
    logs.begin('hanging');
    // The timer of AbortSignal.timeout() does not keep the process alive, so this one does.
    const alive = setInterval(() => {}, 1000);
    await logs.closed('hanging');
    clearInterval(alive);
  });
});
