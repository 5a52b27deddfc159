import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { allTrayIcos, drawIcon, trayIcoName, type Icon } from '../../../../main/app/tray/tray-icon.ts';

const ready: Icon = { status: 'ready', jobs: 0, background: 'light' };

async function pixels(icon: Partial<Icon> = {}, size = 32) {
  const { data, info } = await sharp(drawIcon({ ...ready, ...icon }, size))
    .raw()
    .toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height, info.channels], [size, size, 4]);
  return (x: number, y: number) => [...data.subarray((y * size + x) * 4, (y * size + x) * 4 + 4)];
}

/** A pixel on the rim of the badge, outside its symbol. */
const rim = [22, 14] as const;

describe("The tray's icon", () => {
  test('is dark on a light panel and light on a dark panel', async () => {
    const light = await pixels();
    const dark = await pixels({ background: 'dark' });
    assert.deepEqual(light(10, 11), [31, 42, 48, 255]);
    assert.deepEqual(dark(10, 11), [244, 241, 234, 255]);
    assert.equal(light(0, 0)[3], 0);
  });

  test('has a badge of a different colour while busy, paused and unavailable, and none when ready', async () => {
    const states = ['ready', 'busy', 'paused', 'unavailable'] as const;
    const rims: string[] = [];
    for (const status of states) {
      const at = await pixels({ status, jobs: 1 });
      rims.push(at(...rim).join());
    }
    assert.equal(new Set(rims).size, 4, rims.join(' '));
    assert.deepEqual(rims[3], '192,57,43,255');
  });

  test('shows the number of jobs up to nine, and a plus sign for more', () => {
    const drawn = (jobs: number) => drawIcon({ ...ready, status: 'busy', jobs }, 32).toString('base64');
    assert.equal(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(drawn)).size, 10);
    assert.equal(drawn(10), drawn(250));
  });

  test('is dimmed while paused', async () => {
    assert.equal((await pixels({ status: 'paused' }))(10, 11)[3], 153);
  });

  test('is a black template image on macOS; the symbol in its badge is transparent', async () => {
    const at = await pixels({ status: 'unavailable', background: 'template' });
    for (let y = 0; y < 32; y += 1)
      for (let x = 0; x < 32; x += 1) assert.deepEqual(at(x, y).slice(0, 3), [0, 0, 0], `${x},${y}`);
    assert.deepEqual([at(...rim)[3], at(22, 17)[3]], [255, 0]);
  });

  test('has an application variant that matches platen.svg', async () => {
    const drawing = readFileSync(new URL('../../../../build/icons/platen.svg', import.meta.url));
    const actual = await sharp(drawIcon({ ...ready, background: 'application' }, 128))
      .raw()
      .toBuffer();
    const drawn = await sharp(drawing).resize(128).ensureAlpha().raw().toBuffer();
    assert.equal(actual.length, drawn.length);
    const differing = actual.filter((value, index) => Math.abs(value - (drawn[index] ?? 0)) > 24).length;
    assert.ok(differing / actual.length < 0.02, `${differing} of ${actual.length} values differ`);
  });
});

describe('The icon files for Windows', () => {
  const icons = new URL('../../../../build/icons/', import.meta.url);

  test('exist for each state of the tray, at 16, 20, 24, 32, 40 and 48 pixels', () => {
    const names = allTrayIcos().map((icon) => `${trayIcoName(icon)}.ico`);
    assert.deepEqual(readdirSync(new URL('tray/', icons)).sort(), [...new Set(names)].sort());
    for (const name of names)
      assert.deepEqual(
        sizesInIco(readFileSync(new URL(`tray/${name}`, icons))),
        [16, 20, 24, 32, 40, 48],
        name,
      );
  });

  test('contain the drawing of their state', async () => {
    const icon: Icon = { status: 'busy', jobs: 3, background: 'dark' };
    const file = readFileSync(new URL(`tray/${trayIcoName(icon)}.ico`, icons));
    const expected = await sharp(drawIcon(icon, 32)).raw().toBuffer();
    const entry = entriesOfIco(file).find(({ size }) => size === 32);
    const bitmap = file.subarray((entry?.offset ?? 0) + 40);
    for (let row = 0; row < 32; row += 1)
      for (let column = 0; column < 32; column += 1) {
        const [blue, green, red, alpha] = bitmap.subarray(((31 - row) * 32 + column) * 4);
        const at = (row * 32 + column) * 4;
        assert.deepEqual([red, green, blue, alpha], [...expected.subarray(at, at + 4)], `${row} ${column}`);
      }
  });

  test('contain the application icon at all sizes of Windows', () => {
    const sizes = sizesInIco(readFileSync(new URL('platen.ico', icons)));
    assert.deepEqual(sizes, [16, 20, 24, 32, 40, 48, 64, 256]);
  });
});

/** Reads the entries of an ICO file (https://learn.microsoft.com/previous-versions/ms997538(v=msdn.10)). */
function entriesOfIco(file: Buffer): { size: number; offset: number; isPng: boolean }[] {
  assert.deepEqual([file.readUInt16LE(0), file.readUInt16LE(2)], [0, 1]);
  return Array.from({ length: file.readUInt16LE(4) }, (_, index) => {
    const entry = 6 + 16 * index;
    const offset = file.readUInt32LE(entry + 12);
    assert.ok(offset + file.readUInt32LE(entry + 8) <= file.length);
    return {
      size: file.readUInt8(entry) || 256,
      offset,
      isPng: file.toString('latin1', offset + 1, offset + 4) === 'PNG',
    };
  });
}

/** Returns the sizes, and checks that the images have them. */
function sizesInIco(file: Buffer): number[] {
  return entriesOfIco(file).map(({ size, offset, isPng }) => {
    const width = isPng ? file.readUInt32BE(offset + 16) : file.readInt32LE(offset + 4);
    const height = isPng ? file.readUInt32BE(offset + 20) : file.readInt32LE(offset + 8) / 2;
    assert.deepEqual([width, height], [size, size]);
    return size;
  });
}
