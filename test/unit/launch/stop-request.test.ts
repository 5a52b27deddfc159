import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { requestStop, listenForStopRequest } from '../../../main/launch/stop-request.ts';

const data = mkdtempSync(join(tmpdir(), 'platen-stop-'));
after(() => {
  rmSync(data, { recursive: true });
});

test('a stop request is delivered, and its file is removed', async () => {
  await new Promise<void>((resolve) => {
    listenForStopRequest(data, resolve);
    writeFileSync(join(data, 'accounts.sqlite'), '');
    requestStop(data);
  });
  assert.deepEqual(readdirSync(data), ['accounts.sqlite']);
});

test('an undelivered request does not stop the next service', async () => {
  requestStop(data);
  let requests = 0;
  using _hearing = listenForStopRequest(data, () => (requests += 1));
  assert.equal(existsSync(join(data, 'stop-request')), false);
  // By now, an event of the removed request would have arrived.
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(requests, 0);
});

test('a stop request does not create a missing data folder', () => {
  const missing = join(data, 'missing');
  requestStop(missing);
  assert.equal(existsSync(missing), false);
});
