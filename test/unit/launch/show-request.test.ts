import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { requestShow, listenForShowRequests } from '../../../main/launch/show-request.ts';

let data = '';
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'platen-show-'));
});
afterEach(() => {
  rmSync(data, { recursive: true });
});

describe('A request to show the window', () => {
  test('reaches the running process every time', async () => {
    let onRequest: () => void = () => {};
    using _hearing = listenForShowRequests(data, () => {
      onRequest();
    });
    for (let time = 0; time < 3; time += 1) {
      const requested = new Promise<void>((resolve) => (onRequest = resolve));
      requestShow(data);
      await requested;
    }
  });

  test('leaves no file when no process listens', () => {
    requestShow(data);
    assert.deepEqual(readdirSync(data), []);
    listenForShowRequests(data, () => {})[Symbol.dispose]();
    requestShow(data);
    assert.deepEqual(readdirSync(data), []);
  });

  test('that a crash left behind is deleted by the next process', () => {
    mkdirSync(join(data, 'tray'));
    writeFileSync(join(data, 'tray', 'show'), '');
    using _hearing = listenForShowRequests(data, () => {});
    assert.deepEqual(readdirSync(join(data, 'tray')), []);
  });
});
