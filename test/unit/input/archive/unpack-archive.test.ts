import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { crc32, gzipSync } from 'node:zlib';
import { Failure } from '../../../../main/failure/failure.ts';
import { startUnpacker, type Unpacked, type Unpacker } from '../../../support/archives/archive-worker.ts';
import { bzip2 } from '../../../support/archives/bzip2-writer.ts';
import { longName, pax, tar } from '../../../support/archives/tar-writer.ts';
import { zip, type ZipItem } from '../../../support/archives/zip-writer.ts';

let unpacker: Unpacker;
before(() => {
  unpacker = startUnpacker();
});
after(() => {
  unpacker[Symbol.dispose]();
});

const site = [
  { name: 'index.html', contents: '<p>Hello' },
  { name: 'a b/c#d/100%.css', contents: 'p { color: red }'.repeat(300) },
  { name: 'Bilder/Übergröße 日本.svg', contents: '<svg/>' },
  { name: 'empty.js', contents: '' },
];

const formats: Readonly<Record<string, Buffer>> = {
  'a zip': zip(site),
  'a zip of stored files': zip(site.map((file) => ({ ...file, method: 0 }))),
  'a zip written as a stream': zip(
    site.map((file) => ({ ...file, flags: 0x808, local: { crc: 0, packed: 0, size: 0 } })),
  ),
  'a zip with a comment': zip(site, { comment: Buffer.from('made by hand') }),
  'a tar': tar(site),
  'an old tar': tar(site.map((file) => ({ ...file, old: true }))),
  'a tar.gz': gzipSync(tar(site)),
  'a tar.bz2': bzip2(tar(site)),
  'a tar.bz2 of two streams': Buffer.concat([
    bzip2(tar(site).subarray(0, 700)),
    bzip2(tar(site).subarray(700)),
  ]),
};

describe('every format unpacks to the same files in the same order:', () => {
  for (const [format, archive] of Object.entries(formats)) {
    test(format, async () => {
      const { unpacked, folder } = await unpackValid(archive);
      assert.equal(unpacked.root, folder);
      assert.deepEqual(
        unpacked.entries,
        site.map(({ name }) => name),
      );
      for (const { name, contents } of site) assert.equal(readFileSync(join(folder, name), 'utf8'), contents);
    });
  }
});

test('a single gzipped page is unpacked as index.html', async () => {
  const { unpacked, folder } = await unpackValid(gzipSync('<p>Hello'));
  assert.deepEqual(unpacked.entries, ['index.html']);
  assert.equal(readFileSync(join(folder, 'index.html'), 'utf8'), '<p>Hello');
});

test('unpacked files are readable only by their owner, regardless of the modes in the archive', async () => {
  const { folder } = await unpackValid(zip([{ name: 'a/b.html', mode: 0o104777 }, { name: 'c.html' }]));
  assert.equal(statSync(join(folder, 'a/b.html')).mode & 0o7777, 0o600);
  assert.equal(statSync(join(folder, 'a')).mode & 0o7777, 0o700);
});

test('a single top folder of an archive is its root', async () => {
  const top = [{ name: 'site/' }, { name: 'site/index.html' }, { name: 'site/sub/a.css' }];
  const { unpacked, folder } = await unpackValid(zip(top));
  assert.equal(unpacked.root, join(folder, 'site'));
  assert.deepEqual(unpacked.entries, ['index.html', 'sub/a.css']);
});

test('files that operating systems add to archives are omitted', async () => {
  const litter = [
    '__MACOSX/site/._index.html',
    'site/._index.html',
    '.DS_Store',
    'site/Thumbs.db',
    'desktop.ini',
  ];
  const names = [...litter, 'site/index.html'];
  const { unpacked } = await unpackValid(tar(names.map((name) => ({ name, contents: 'x' }))));
  assert.deepEqual(unpacked.entries, ['index.html']);
});

test('an archive inside an archive is stored as a file, not unpacked', async () => {
  const { unpacked } = await unpackValid(
    zip([{ name: 'index.html' }, { name: 'data.zip', contents: zip(site), method: 0 }]),
  );
  assert.deepEqual(unpacked.entries, ['index.html', 'data.zip']);
});

test('backslashes in the paths of Windows programs separate folders', async () => {
  const { unpacked } = await unpackValid(
    zip([{ name: 'index.html' }, { name: 'img\\big\\a.png', system: 0 }]),
  );
  assert.deepEqual(unpacked.entries, ['index.html', 'img/big/a.png']);
});

describe('names in a zip are decoded correctly:', () => {
  const unicodeField = (name: string, of: Buffer): Buffer => {
    const field = Buffer.alloc(9);
    const bytes = Buffer.from(name);
    [0x7075, 5 + bytes.length].forEach((value, index) => field.writeUInt16LE(value, 2 * index));
    field[4] = 1;
    field.writeUInt32LE(crc32(of), 5);
    return Buffer.concat([field, bytes]);
  };
  const latin1 = Buffer.from('gr\xf6\xdfe.html', 'latin1');
  const items: Readonly<Record<string, ZipItem>> = {
    'UTF-8 with its flag': { name: 'größe.html', flags: 0x800 },
    'UTF-8 without the flag': { name: 'größe.html', flags: 0, system: 0 },
    'CP437 from DOS': { name: Buffer.from('gr\x94\xe1e.html', 'latin1'), flags: 0, system: 0 },
    'Latin-1 from Unix': { name: latin1, flags: 0, system: 3 },
    'a Unicode field': { name: latin1, flags: 0, system: 0, extra: unicodeField('größe.html', latin1) },
    'a stale Unicode field': { name: 'größe.html', extra: unicodeField('old.html', Buffer.from('old.html')) },
  };
  for (const [what, item] of Object.entries(items)) {
    test(what, async () => {
      const { unpacked, folder } = await unpackValid(zip([{ contents: 'x', ...item }]));
      assert.deepEqual(unpacked.entries, ['größe.html']);
      assert.equal(readFileSync(join(folder, 'größe.html'), 'utf8'), 'x');
    });
  }
});

test('long names in a tar are read in GNU, POSIX and ustar format', async () => {
  const long = `${'folder/'.repeat(20)}page.html`;
  const page = { name: 'short', contents: 'x' };
  for (const before of [longName(long), pax({ path: long })]) {
    assert.deepEqual((await unpackValid(tar([{ name: 'index.html' }, before, page]))).unpacked.entries, [
      'index.html',
      long,
    ]);
  }
  const halves = { name: 'page.html', prefix: 'folder/sub', contents: 'x' };
  assert.deepEqual((await unpackValid(tar([{ name: 'i.html' }, halves]))).unpacked.entries, [
    'i.html',
    'folder/sub/page.html',
  ]);
});

test('an archive of 10,000 files is unpacked', async () => {
  const { unpacked } = await unpackValid(
    zip(Array.from({ length: 10_000 }, (_, at) => ({ name: `${at}.html`, method: 0 }))),
  );
  assert.equal(unpacked.entries.length, 10_000);
});

test('an archive of 60 MB is unpacked if its compression ratio is below the maximum', async () => {
  const noise = Buffer.alloc(1_000_000);
  for (let at = 0; at < noise.length; at += 1) noise[at] = Math.imul(at, at + 77) >> 7;
  const { unpacked } = await unpackValid(
    gzipSync(tar([{ name: 'a.html', contents: Buffer.alloc(60_000_000, noise) }]), { level: 1 }),
  );
  assert.equal(statSync(join(unpacked.root, 'a.html')).size, 60_000_000);
});

async function unpackValid(
  archive: Buffer,
): Promise<Unpacked & { unpacked: NonNullable<Unpacked['unpacked']> }> {
  const result = await unpacker.unpack(archive);
  const { unpacked, error } = result;
  assert.ok(unpacked !== undefined, error instanceof Failure ? error.message : String(error));
  return { ...result, unpacked };
}

test('the paths of an archive together have at most the allowed length', async () => {
  const archive = zip([{ name: 'a/b/index.html' }, { name: 'a/b/ü.css' }]);
  // a, a/b, a/b/index.html, a/b/ü.css
  const pathBytes = 1 + 3 + 14 + 10;
  const { unpacked } = await unpacker.unpack(archive, { limits: { pathBytes } });
  assert.equal(unpacked?.entries.length, 2);
  const { error } = await unpacker.unpack(archive, { limits: { pathBytes: pathBytes - 1 } });
  assert.ok(error instanceof Failure);
  assert.match(error.message, /more than 27 bytes in total; send fewer files, or shorten their paths/);
});

test('names in an undeclared encoding count as paths too', async () => {
  const name = Buffer.from(`${'./'.repeat(50)}\u00fc.html`);
  const archive = zip([{ name, flags: 0 }]);
  // `ü.html`, and the name as it is written.
  const pathBytes = 7 + name.length;
  assert.equal((await unpacker.unpack(archive, { limits: { pathBytes } })).error, undefined);
  const { error } = await unpacker.unpack(archive, { limits: { pathBytes: pathBytes - 1 } });
  assert.match(String(error), /bytes in total/);
});
