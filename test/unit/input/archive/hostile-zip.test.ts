import { after, before, describe, test } from 'node:test';
import { crc32, deflateRawSync } from 'node:zlib';
import { assertRefused, startUnpacker, type Unpacker } from '../../../support/archives/archive-worker.ts';
import { zip, zipItem, type ZipItem } from '../../../support/archives/zip-writer.ts';

let unpacker: Unpacker;
before(() => {
  unpacker = startUnpacker();
});
after(() => {
  unpacker[Symbol.dispose]();
});

const page: ZipItem = { name: 'index.html', contents: '<p>Hello, hello, hello' };
const x: ZipItem = { name: 'x', contents: 'some contents' };
const big = 100_000_000;
const placeholder = 0xffffffff;

const entries: readonly (readonly [what: string, item: ZipItem, pattern: RegExp])[] = [
  ['a symbolic link', { name: 'x', contents: '/etc/passwd', mode: 0o120777 }, /'x' is a link/],
  ['a symbolic link made on DOS', { name: 'x', contents: '..', mode: 0o120777, system: 0 }, /'x' is a link/],
  ['a character device', { name: 'x', mode: 0o020666 }, /neither a file nor a folder/],
  ['a block device', { name: 'x', mode: 0o060666 }, /neither a file nor a folder/],
  ['a pipe', { name: 'x', mode: 0o010666 }, /neither a file nor a folder/],
  ['a socket', { name: 'x', mode: 0o140666 }, /neither a file nor a folder/],
  ['a folder with contents', { name: 'x/', contents: 'evil' }, /folder with data/],
  ['an encrypted entry', { ...x, flags: 1 }, /'x' is encrypted/],
  ['a strongly encrypted entry', { ...x, flags: 0x41 }, /'x' is encrypted/],
  ['an entry encrypted by AES', { ...x, method: 99 }, /'x' is encrypted/],
  ['masked headers', { ...x, flags: 0x2000 }, /'x' is encrypted/],
  ['deflate64 compression', { ...x, method: 9 }, /compressed by method 9/],
  ['bzip2 compression', { ...x, method: 12 }, /compressed by method 12/],
  ['LZMA compression', { ...x, method: 14 }, /compressed by method 14/],
  ['Zstandard compression', { ...x, method: 93 }, /compressed by method 93/],
  ['an unknown compression method', { ...x, method: 1234 }, /compressed by method 1234/],
  ['an entry on another volume', { ...x, directory: { disk: 3 } }, /another volume/],
  ['a wrong checksum', { ...x, local: { crc: 7 }, directory: { crc: 7 } }, /checksum is wrong/],
  [
    'a wrong checksum of a stored file',
    { ...x, method: 0, local: { crc: 7 }, directory: { crc: 7 } },
    /checksum is wrong/,
  ],
  ['different checksums in the directory and the header', { ...x, local: { crc: 7 } }, /differs between/],
  ['different names in the directory and the header', { ...x, local: { name: 'y' } }, /differs between/],
  [
    'a harmless name in the directory and a path to the outside in the header',
    { ...x, local: { name: '../x' } },
    /differs between/,
  ],
  ['different methods in the directory and the header', { ...x, local: { method: 0 } }, /differs between/],
  ['encryption in the header only', { ...x, local: { flags: 0x801 } }, /differs between/],
  ['different sizes in the directory and the header', { ...x, local: { size: 5 } }, /differs between/],
  [
    'a declared size below the real one',
    { ...x, local: { size: 5 }, directory: { size: 5 } },
    /is larger than it declares/,
  ],
  [
    'a declared size of 0',
    { ...x, local: { size: 0 }, directory: { size: 0 } },
    /is larger than it declares/,
  ],
  [
    'a declared size above the real one',
    { ...x, local: { size: 500 }, directory: { size: 500 } },
    /is smaller than it declares/,
  ],
  [
    'a size of 4 GB',
    { ...x, local: { size: placeholder - 1 }, directory: { size: placeholder - 1 } },
    /is smaller than it declares/,
  ],
  [
    'a stored size of 4 GB',
    { ...x, method: 0, local: { size: placeholder - 1 }, directory: { size: placeholder - 1 } },
    /is smaller/,
  ],
  ['a size only in the zip64 field', { ...x, directory: { size: placeholder } }, /impossible size/],
  ['an offset only in the zip64 field', { ...x, directory: { offset: placeholder } }, /impossible size/],
  [
    'a zip64 field of 2^60 bytes',
    { ...x, directory: { size: placeholder, extra: zip64(2n ** 60n) } },
    /directory cannot be read/,
  ],
  [
    'a zip64 field of 20 bytes',
    { ...x, directory: { size: placeholder, extra: zip64(20n) } },
    /differs between|is smaller/,
  ],
  [
    'a packed size beyond the archive',
    { ...x, local: { packed: 9999 }, directory: { packed: 9999 } },
    /beyond the end/,
  ],
  [
    'a packed size that reaches into the directory',
    { ...x, local: { packed: 40 }, directory: { packed: 40 } },
    /overlaps/,
  ],
  [
    'a packed size too small',
    { ...x, local: { packed: 5 }, directory: { packed: 5 } },
    /cannot be decompressed|declares/,
  ],
  ['an offset beyond the archive', { ...x, directory: { offset: 99_999 } }, /not where the directory says/],
  ['an offset in the middle of an entry', { ...x, directory: { offset: 3 } }, /not where the directory says/],
  [
    'bytes after the compressed ones',
    { ...x, raw: Buffer.concat([deflateRawSync('some contents'), Buffer.alloc(9)]) },
    /unused bytes/,
  ],
  [
    'bytes that are not deflated',
    { ...x, raw: Buffer.from('\xff\xff\xff\xff', 'latin1') },
    /cannot be decompressed/,
  ],
  ['a bomb', { name: 'x', contents: Buffer.alloc(big) }, /more than 100 times its size/],
  [
    'a bomb that declares one byte',
    { name: 'x', contents: Buffer.alloc(big), local: { size: 1 }, directory: { size: 1 } },
    /is larger than it declares/,
  ],
  ['a name of 65,535 slashes', { name: '/'.repeat(65_535) }, /a name that is too long/],
  ['a name of 30,000 folders', { name: 'a/'.repeat(30_000) }, /a name that is too long/],
];

describe('a hostile entry of a zip is refused:', () => {
  for (const [what, item, pattern] of entries)
    test(what, () => assertRefused(unpacker, zip([page, item]), pattern));
});

const archives: readonly (readonly [what: string, archive: () => Buffer, pattern: RegExp])[] = [
  ['no entries', () => zip([]), /contains no files/],
  ['only its first four bytes', () => Buffer.from('PK\x03\x04'), /truncated/],
  ['no end record', () => zip([page]).subarray(0, -22), /truncated/],
  [
    'a comment that is cut off',
    () => zip([page], { comment: Buffer.alloc(100) }).subarray(0, -50),
    /truncated/,
  ],
  ['fewer entries than there are', () => zip([page, x], { entries: 1 }), /a different length/],
  ['more entries than there are', () => zip([page, x], { entries: 3 }), /damaged/],
  [
    '2 entries declared as 65,534',
    () => zip([page, x], { entries: 65_534 }),
    /more than 10000 files|damaged/,
  ],
  ['2 entries declared as 9,999', () => zip([page, x], { entries: 9_999 }), /damaged/],
  ['an end record of several volumes', () => zip([page], { disk: 1 }), /several volumes/],
  ['entries on another volume', () => zip([page], { entriesHere: 0, entries: 1 }), /several volumes/],
  ['a directory at another offset', () => zip([page], { start: 0 }), /not where its end record says/],
  [
    'a directory beyond the archive',
    () => zip([page], { start: 0x7fffffff }),
    /not where its end record says/,
  ],
  [
    'bytes between directory and end record',
    () => zip([page], { gap: Buffer.alloc(9) }),
    /not where its end record says/,
  ],
  [
    'a zip64 end record that contradicts the end record',
    () => zip([page], { gap: zip64End() }),
    /zip64|not where/,
  ],
  [
    'a second end record in the comment',
    () => zip([page], { comment: zip([x]) }),
    /not where its end record says/,
  ],
  ['one name twice', () => zip([page, page]), /twice/],
  ['the name __proto__ twice', () => zip([{ name: '__proto__' }, { name: '__proto__' }]), /twice/],
  ['10,001 entries', () => zip(tinyFiles(10_001)), /more than 10000/],
  ['200,000 entries', () => zip(tinyFiles(200_000)), /a different length/],
  ['200,000 entries behind a zip64 placeholder', () => zip(tinyFiles(200_000), { entries: 0xffff }), /zip64/],
  ['200,000 entries declared as 10', () => zip(tinyFiles(200_000), { entries: 10 }), /a different length/],
  ['1,000 entries over the same bytes', () => sameBytes(1000), /has the entry 'x' twice/],
  ['entries that quote each other', () => quoted(500), /overlaps/],
  [
    'a flat bomb of many files',
    () => zip(Array.from({ length: 60 }, (_, at) => ({ name: `${at}`, ...mb }))),
    /more than 100 times/,
  ],
];

const zeros = Buffer.alloc(1_000_000);
const mb = { contents: zeros, raw: deflateRawSync(zeros) };

describe('a zip with a hostile structure is refused:', () => {
  for (const [what, archive, pattern] of archives)
    test(what, () => assertRefused(unpacker, archive(), pattern));
});

test('a nested zip bomb in a zip is stored as a file, not unpacked', async () => {
  const bomb = zip([{ name: 'inner.zip', contents: zip([{ name: 'x', contents: Buffer.alloc(big) }]) }]);
  await assertRefused(unpacker, zip([{ name: 'bomb.zip', contents: bomb }, { name: '../x' }]), /'\.\.\/x'/);
});

function zip64(size: bigint): Buffer {
  const field = Buffer.alloc(28);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(24, 2);
  field.writeBigUInt64LE(size, 4);
  return field;
}

/** Returns a zip64 end record with its own directory, followed by the locator of the record. */
function zip64End(): Buffer {
  const end = Buffer.alloc(76);
  end.write('PK\x06\x06', 'latin1');
  end.writeBigUInt64LE(44n, 4);
  end.write('PK\x06\x07', 56, 'latin1');
  return end;
}

/** Returns a zip with one local header and many directory records, each of which would unpack the same bytes again. */
function sameBytes(count: number): Buffer {
  const item = { name: 'x', ...mb };
  const { local, record } = zipItem(item, 0);
  const records = Array.from({ length: count }, () => record);
  return joined(local, records);
}

/** Returns David Fifield's zip bomb: a stored block of each entry contains the local header of the next entry. */
function quoted(count: number): Buffer {
  const kernel = mb.raw;
  const kernelName = `${count}`;
  let local = zipItem({ name: kernelName, ...mb }, 0).local;
  const names = [kernelName];
  const facts = [{ raw: kernel, size: zeros.length, crc: crc32(zeros) }];
  for (let at = count - 1; at > count - 20; at -= 1) {
    const quote = Buffer.from([
      0,
      local.length & 255,
      local.length >> 8,
      ~local.length & 255,
      (~local.length >> 8) & 255,
    ]);
    const raw = Buffer.concat([quote, local]);
    const size = local.length + zeros.length;
    facts.unshift({ raw, size, crc: 0 });
    names.unshift(`${at}`);
    local = Buffer.concat([zipItem({ name: `${at}`, raw, local: { size, crc: 0 } }, 0).local]);
  }
  let offset = 0;
  const records = facts.map(({ raw, size, crc }, index) => {
    const name = names[index] ?? '';
    const { record } = zipItem({ name, raw, directory: { size, crc } }, offset);
    offset += 30 + name.length + 5;
    return record;
  });
  return joined(local, records);
}

function joined(local: Buffer, records: readonly Buffer[]): Buffer {
  const directory = Buffer.concat(records);
  const end = zip([], { entries: records.length, start: local.length, size: directory.length });
  return Buffer.concat([local, directory, end]);
}

function tinyFiles(count: number): ZipItem[] {
  return Array.from({ length: count }, (_, at) => ({ name: `${at}`, method: 0 }));
}
