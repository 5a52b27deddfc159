/** Every requested debug log has page diagnostics. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { send } from '../support/convert.ts';
import { startService } from '../support/service.ts';

test('page diagnostics are in every debug log when two clients constantly request them', async () => {
  await using service = await startService({ flags: ['--workers', '1'] });
  const call = async () => {
    const logs: string[] = [];
    for (let n = 0; n < 8; n += 1) {
      const { headers } = await send(service, { text: '<p>letter', debug_log: true });
      const link = headers.get('x-service-debug-log') ?? '';
      logs.push(await (await fetch(link, { headers: { accept: 'application/json' } })).text());
    }
    return logs;
  };
  for (const log of (await Promise.all([call(), call()])).flat()) {
    assert.match(log, /"examine the page"/);
    assert.doesNotMatch(log, /not-looked-at/);
  }
});
