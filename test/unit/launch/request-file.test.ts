import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import {
  listenForShowRequests,
  listenForStopRequests,
  requestShow,
  requestStop,
} from '../../../main/launch/request-file.ts';

let data = '';
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'platen-request-'));
});
afterEach(() => {
  rmSync(data, { recursive: true });
});

describe('A stop request', () => {
  test('reaches the service, and its file is removed', async () => {
    let onRequest = () => {};
    const received = new Promise<void>((resolve) => (onRequest = resolve));
    using _requests = listenForStopRequests(data, onRequest);
    writeFileSync(join(data, 'accounts.sqlite'), '');
    requestStop(data);
    await received;
    assert.deepEqual(readdirSync(data), ['accounts.sqlite']);
  });

  test('that no service received does not stop the next one', async () => {
    requestStop(data);
    let requests = 0;
    using _requests = listenForStopRequests(data, () => (requests += 1));
    assert.deepEqual(readdirSync(data), []);
    // A later request arrives, so an earlier one would have arrived before it.
    requestStop(data);
    while (requests === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal(requests, 1);
  });

  test('does not create a missing data folder', () => {
    const missing = join(data, 'missing');
    requestStop(missing);
    assert.equal(existsSync(missing), false);
  });
});

describe('A request to show the window', () => {
  test('reaches the running service every time', async () => {
    let onRequest: () => void = () => {};
    using _requests = listenForShowRequests(data, () => {
      onRequest();
    });
    for (let time = 0; time < 3; time += 1) {
      const requested = new Promise<void>((resolve) => (onRequest = resolve));
      requestShow(data);
      await requested;
    }
  });

  test('leaves no file if no service listens', () => {
    requestShow(data);
    assert.deepEqual(readdirSync(data), []);
    listenForShowRequests(data, () => {})[Symbol.dispose]();
    requestShow(data);
    assert.deepEqual(readdirSync(data), []);
  });

  test('that a crash left behind is deleted by the next service', () => {
    mkdirSync(join(data, 'tray'));
    writeFileSync(join(data, 'tray', 'show'), '');
    using _requests = listenForShowRequests(data, () => {});
    assert.deepEqual(readdirSync(join(data, 'tray')), []);
  });
});
