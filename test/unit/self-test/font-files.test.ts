import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fontFiles } from '../../../main/self-test/font-files.ts';
import { fontNamed } from '../../support/pages/font.ts';
import { temporaryFolder } from '../../support/service/service.ts';

test('a font file is listed with its family and PostScript name, even in a subfolder', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'house'));
  writeFileSync(join(folder, 'house', 'a.TTF'), fontNamed('Dandelions'));
  assert.deepEqual(await fontFiles(folder, 10), [
    { path: join(folder, 'house', 'a.TTF'), family: 'Dandelions Sans', postScriptName: 'DandelionsSans' },
  ]);
  rmSync(folder, { recursive: true });
});

test('a font collection is listed with its first face', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.ttc'), collectionOf(fontNamed('Dandelions')));
  assert.equal((await fontFiles(folder, 10))[0]?.family, 'Dandelions Sans');
  rmSync(folder, { recursive: true });
});

/** Returns a collection with a single font, whose table offsets are shifted by the collection header (OpenType 1.9.1, 4.6). */
function collectionOf(font: Buffer): Buffer {
  const header = Buffer.alloc(16);
  header.write('ttcf', 'latin1');
  header.writeUInt32BE(0x0001_0000, 4);
  header.writeUInt32BE(1, 8);
  header.writeUInt32BE(header.length, 12);
  const face = Buffer.from(font);
  for (let table = 0; table < face.readUInt16BE(4); table += 1) {
    const at = 12 + table * 16 + 8;
    face.writeUInt32BE(face.readUInt32BE(at) + header.length, at);
  }
  return Buffer.concat([header, face]);
}

test('unreadable font files are listed without names, and other files are not listed', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'cut.ttf'), fontNamed('Dandelions').subarray(0, 300));
  writeFileSync(join(folder, 'empty.otf'), '');
  writeFileSync(join(folder, 'web.woff2'), 'wOF2');
  writeFileSync(join(folder, 'LICENCE.txt'), 'free');
  assert.deepEqual(
    await fontFiles(folder, 10),
    ['cut.ttf', 'empty.otf', 'web.woff2'].map((name) => ({ path: join(folder, name) })),
  );
  assert.deepEqual(await fontFiles(join(folder, 'gone'), 10), []);
  rmSync(folder, { recursive: true });
});
