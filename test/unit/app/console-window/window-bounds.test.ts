import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { isReachable, readBounds, saveBounds } from '../../../../main/app/console-window/window-bounds.ts';

let file = '';
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'platen-place-')), 'window.json');
});
afterEach(() => {
  rmSync(join(file, '..'), { recursive: true });
});

const display = { x: 0, y: 0, width: 1920, height: 1040 };
const bounds = { x: 300, y: 200, width: 1000, height: 700, maximized: false };

describe('The window', () => {
  test('opens at 1280 by 800 the first time', () => {
    assert.deepEqual(readBounds(file, [display]), { width: 1280, height: 800, maximized: false });
  });

  test('reopens with its last position, size and maximized state', () => {
    saveBounds(file, { ...bounds, maximized: true });
    assert.deepEqual(readBounds(file, [display]), { ...bounds, maximized: true });
  });

  test('keeps its size but not its position if the display it was on is gone', () => {
    for (const lost of [{ x: 2500 }, { x: -950 }, { y: 1100 }, { y: -50 }]) {
      saveBounds(file, { ...bounds, ...lost });
      assert.deepEqual(
        readBounds(file, [display]),
        { width: 1000, height: 700, maximized: false },
        JSON.stringify(lost),
      );
    }
    const second = { x: 1920, y: 0, width: 1280, height: 1024 };
    saveBounds(file, { ...bounds, x: 2500 });
    assert.equal(readBounds(file, [display, second]).x, 2500);
  });

  test('is not larger than the display it opens on', () => {
    saveBounds(file, { x: 2500, y: 10, width: 3000, height: 1600, maximized: false });
    assert.deepEqual(readBounds(file, [display]), { width: 1920, height: 1040, maximized: false });
    const second = { x: 1920, y: 0, width: 1280, height: 1024 };
    const { x, width, height } = readBounds(file, [display, second]);
    assert.deepEqual({ x, width, height }, { x: 2500, width: 1280, height: 1024 });
  });

  test('is reachable only while a display shows its title bar', () => {
    assert.equal(isReachable(bounds, [display]), true);
    assert.equal(isReachable({ ...bounds, x: 2500 }, [display]), false);
  });

  test('keeps its minimum size and ignores a damaged file', () => {
    saveBounds(file, { ...bounds, width: 10, height: 10 });
    assert.deepEqual([readBounds(file, [display]).width, readBounds(file, [display]).height], [880, 560]);
    for (const text of ['', '{}', '{"x":1e99}', 'null']) {
      writeFileSync(file, text);
      assert.equal(readBounds(file, [display]).width, 1280, text);
    }
  });

  test('causes no error when its position cannot be saved', () => {
    saveBounds(join(file, 'below', 'a'), bounds);
  });
});
