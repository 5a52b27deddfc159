import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { assertRefused, startUnpacker, type Unpacker } from '../../../support/archives/archive-worker.ts';
import { bzip2, bzip2Bomb } from '../../../support/archives/bzip2-writer.ts';
import { longName, pax, tar, tarEntry, type TarEntry } from '../../../support/archives/tar-writer.ts';

let unpacker: Unpacker;
before(() => {
  unpacker = startUnpacker();
});
after(() => {
  unpacker[Symbol.dispose]();
});

const page: TarEntry = { name: 'index.html', contents: '<p>Hello' };
const big = 100_000_000;

const hostile: readonly (readonly [what: string, archive: () => Buffer, pattern: RegExp])[] = [
  [
    'a symbolic link',
    () => tar([page, { name: 'x', type: '2', link: '/etc/passwd' }]),
    /'x' is a symbolic link/,
  ],
  [
    'a symbolic link to a file inside',
    () => tar([page, { name: 'x', type: '2', link: 'index.html' }]),
    /symbolic link/,
  ],
  [
    'a folder that is a link, and a file in it',
    () => tar([{ name: 'd', type: '2', link: '..' }, { name: 'd/evil.html' }]),
    /symbolic link/,
  ],
  ['a hard link', () => tar([page, { name: 'x', type: '1', link: 'index.html' }]), /'x' is a hard link/],
  [
    'a hard link to the outside',
    () => tar([page, { name: 'x', type: '1', link: '../../upload' }]),
    /hard link/,
  ],
  [
    'a link in an extended header',
    () => tar([pax({ linkpath: '/etc/passwd' }), { name: 'x', type: '2', link: 'y' }]),
    /symbolic link/,
  ],
  ['a link without a target', () => tar([page, { name: 'x', type: '2' }]), /damaged at the entry 'x'/],
  ['a file with a target', () => tar([page, { name: 'x', link: '/etc/passwd' }]), /damaged at the entry 'x'/],
  ['a character device', () => tar([page, { name: 'zero', type: '3' }]), /'zero' is a device/],
  ['a block device', () => tar([page, { name: 'sda', type: '4' }]), /'sda' is a device/],
  ['a pipe', () => tar([page, { name: 'fifo', type: '6' }]), /'fifo' is a pipe/],
  ['a contiguous file', () => tar([page, { name: 'x', type: '7' }]), /neither a plain file nor a folder/],
  ['an old sparse file', () => tar([page, { name: 'x', type: 'S' }]), /neither a plain file nor a folder/],
  [
    'a sparse file in an extended header',
    () => tar([pax({ 'GNU.sparse.major': '1', 'GNU.sparse.name': 'x' }), { name: 'GNUSparseFile.0/x' }]),
    /'x' is a sparse file/,
  ],
  ['an unknown type', () => tar([page, { name: 'x', type: 'Z' }]), /neither a plain file nor a folder/],
  ['a volume header', () => tar([{ name: 'vol', type: 'V' }, page]), /neither a plain file nor a folder/],
  ['a wrong checksum', () => tar([page, { name: 'x', checksum: 1 }]), /damaged at the entry 'x' \(checksum/],
  ['a wrong checksum at the start', () => tar([{ ...page, checksum: 1 }]), /damaged/],
  ['a size larger than the archive', () => tar([{ ...page, size: '77777777777\0' }]), /damaged|truncated/],
  [
    'a size in base 256 of 2^62',
    () => tar([{ ...page, size: '\x80\0\0\0\x40\0\0\0\0\0\0\0' }]),
    /damaged|truncated/,
  ],
  ['a negative size', () => tar([{ ...page, size: '\xff'.repeat(12) }]), /damaged/],
  [
    'a size smaller than the contents',
    () => tar([{ ...page, contents: 'x'.repeat(2000), size: '00000000001\0' }]),
    /damaged/,
  ],
  [
    'a size in an extended header of 2^53',
    () => tar([pax({ size: '9007199254740991' }), page]),
    /damaged|truncated/,
  ],
  ['no end marker', () => tar([page], Buffer.alloc(0)), /truncated/],
  ['half an end marker', () => tar([page], Buffer.alloc(512)), /truncated/],
  ['an empty archive', () => gzipSync(''), /empty/],
  ['only folders', () => tar([{ name: 'a/', type: '5' }]), /contains no files/],
  ['only files that operating systems add', () => tar([{ name: '.DS_Store' }]), /contains no files/],
  [
    '200,000 entries',
    () => gzipSync(many(200_000, (at) => ({ name: `${at}.html` }))),
    /more than 10000 files/,
  ],
  [
    '200,000 folders',
    () => gzipSync(many(200_000, (at) => ({ name: `${at}/`, type: '5' }))),
    /more than 10000 files/,
  ],
  [
    'one folder 200,000 times',
    () => gzipSync(many(200_000, () => ({ name: 'a/', type: '5' }))),
    /more than 10000 files/,
  ],
  [
    '600 files in 14 nested folders with names of 250 characters',
    () => gzipSync(tar([page, ...filesInLongFolders(600)])),
    /more than 2000000 bytes in total/,
  ],
  ['400 files, each in 31 separate nested folders', () => tar(deep(400)), /more than 10000 files/],
  [
    '60,000 headers with long names and no entry',
    () => gzipSync(many(60_000, () => longName('x'))),
    /extended headers/,
  ],
  [
    'an extended header of 2 MB',
    () => gzipSync(tar([pax({ comment: 'x'.repeat(2_000_000) }), page])),
    /more than 1 MB/,
  ],
  ['a gzip bomb of one page', () => gzipSync(Buffer.alloc(big)), /more than 100 times its size/],
  [
    'a gzip bomb of a tar',
    () => gzipSync(tar([{ name: 'a.html', contents: Buffer.alloc(big) }])),
    /more than 100 times/,
  ],
  [
    'a gzip bomb after the end marker of a tar',
    () => gzipSync(Buffer.concat([tar([page]), Buffer.alloc(big)])),
    /more than 100 times/,
  ],
  ['a bzip2 bomb of 4 kB', () => bzip2Bomb(120), /more than 100 times/],
  [
    'a bzip2 bomb of two streams',
    () => Buffer.concat([bzip2(tar([page])), bzip2Bomb(30)]),
    /more than 100 times/,
  ],
  ['gzip with a wrong checksum', () => changed(gzipSync(tar([page])), -6), /gzip archive is damaged/],
  ['gzip with a wrong length', () => changed(gzipSync(tar([page])), -2), /gzip archive is damaged/],
  ['bzip2 with a wrong checksum', () => changed(bzip2(tar([page])), 12), /bzip2 archive is damaged/],
  [
    'bzip2 followed by other bytes',
    () => Buffer.concat([bzip2(tar([page])), Buffer.from('more of it')]),
    /bzip2 archive is damaged/,
  ],
  ['no archive at all', () => Buffer.from('<p>Hello'), /not a supported archive/],
];

describe('a hostile tar, gzip or bzip2 is refused:', () => {
  for (const [what, archive, pattern] of hostile)
    test(what, () => assertRefused(unpacker, archive(), pattern));
});

test('a nested gzip bomb in a tar is stored as a file, not unpacked', async () => {
  const bomb = gzipSync(gzipSync(Buffer.alloc(big)));
  await assertRefused(unpacker, tar([{ name: 'bomb.gz', contents: bomb }, { name: '../x' }]), /'\.\.\/x'/);
});

function many(count: number, entry: (at: number) => TarEntry): Buffer {
  return Buffer.concat([
    ...Array.from({ length: count }, (_, at) => tarEntry(entry(at))),
    Buffer.alloc(1024),
  ]);
}

function deep(count: number): TarEntry[] {
  return Array.from({ length: count }, (_, at) => ({ name: `${at}/${'d/'.repeat(31)}x` }));
}

function changed(archive: Buffer, at: number): Buffer {
  const index = at < 0 ? archive.length + at : at;
  archive[index] = (archive[index] ?? 0) ^ 0x10;
  return archive;
}

/** Empty files whose paths have 3.5 kB each, mostly quotation marks, which JSON escapes. */
function filesInLongFolders(count: number): TarEntry[] {
  const folders = `${'"'.repeat(250)}/`.repeat(14);
  return Array.from({ length: count }, (_, index) => [
    longName(`${folders}${index}.html`),
    { name: 'x' },
  ]).flat();
}
