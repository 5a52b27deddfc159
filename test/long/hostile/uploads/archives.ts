/** Hostile archives: names, links, inconsistent headers, archive bombs. test/unit/input/archive has more detailed tests. */
import { deflateRawSync, gzipSync } from 'node:zlib';
import { htmlFile } from '../../../support/service/convert.ts';
import type { EscapeDetector } from '../../../support/service/escape-detector.ts';
import { bzip2, bzip2Bomb } from '../../../support/archives/bzip2-writer.ts';
import { longName, pax, tar, type TarEntry } from '../../../support/archives/tar-writer.ts';
import { zip, zipItem, type ZipItem } from '../../../support/archives/zip-writer.ts';
import type { HostileUpload } from './upload.ts';

const page = { name: 'index.html', contents: '<p>page' };
const big = 100_000_000;

type Make = (detector: EscapeDetector) => Buffer;

const archive = (what: string, make: Make, expected: RegExp): HostileUpload => ({
  what,
  fields: (detector) => ({ file: htmlFile(new Uint8Array(make(detector)), 'a.zip') }),
  expected,
});

/** Returns a zip and a tar with a file of that name. */
function named(
  what: string,
  nameOf: (detector: EscapeDetector) => string,
  expected: RegExp,
): HostileUpload[] {
  return [
    archive(
      `${what} in a zip`,
      (detector) => zip([page, { name: nameOf(detector), contents: 'evil' }]),
      expected,
    ),
    archive(
      `${what} in a tar`,
      (detector) => tar([page, longName(nameOf(detector)), { name: 'x', contents: 'evil' }]),
      expected,
    ),
  ];
}

const names: readonly HostileUpload[] = [
  ...named('a name with ../', ({ marker }) => `../${marker}.html`, /^400\.312 - .*in its path/),
  ...named(
    'a name with many ../',
    ({ marker }) => `${'../'.repeat(12)}tmp/${marker}.html`,
    /^400\.312 - .*in its path/,
  ),
  ...named(
    'a name with ../ after folders',
    ({ marker }) => `a/b/../../../${marker}.html`,
    /^400\.312 - .*in its path/,
  ),
  ...named('a name with backslashes', ({ marker }) => `..\\..\\${marker}.html`, /^400\.312 - .*in its path/),
  ...named(
    'an absolute name',
    ({ folder, marker }) => `${folder}/${marker}.html`,
    /^400\.312 - .*absolute path/,
  ),
  ...named('a file next to the data folder', ({ sentinel }) => sentinel, /^400\.312 - .*absolute path/),
  ...named('a name with a drive letter', ({ marker }) => `C:\\${marker}.html`, /^400\.312 - .*drive letter/),
  ...named(
    'a Windows share',
    ({ marker }) => `\\\\127.0.0.1\\c$\\${marker}.html`,
    /^400\.312 - .*absolute path/,
  ),
  ...named(
    'a Windows device path',
    ({ marker }) => `\\\\?\\C:\\${marker}.html`,
    /^400\.312 - .*absolute path/,
  ),
  ...named(
    'the name of an alternate stream',
    ({ marker }) => `${marker}.html:x`,
    /^400\.312 - .*alternate data stream/,
  ),
  ...named('the name of a Windows device', () => 'NUL.html', /^400\.312 - .*device on Windows/),
  ...named('a name with a trailing dot', ({ marker }) => `${marker}.html.`, /^400\.312 - .*ends with a dot/),
  ...named('a name of 256 bytes', ({ marker }) => marker + 'x'.repeat(256), /^400\.312 - .*longer than 255/),
  ...named(
    '33 nested folders',
    ({ marker }) => `${'d/'.repeat(33)}${marker}`,
    /^400\.312 - .*more than 32 folders/,
  ),
  archive(
    'a zero byte in a name',
    ({ marker }) => zip([page, { name: `${marker}.html\0.png` }]),
    /^400\.312 - .*(control character|zero byte)/,
  ),
  archive(
    'names that differ in case only',
    () => zip([page, { name: 'INDEX.html', contents: '<p>other' }]),
    /^400\.312 - .*the same name on systems/,
  ),
  archive(
    'one name as a file and as a folder',
    ({ marker }) => zip([page, { name: marker }, { name: `${marker}/x` }]),
    /^400\.312 - /,
  ),
];

const link = (contents: string): ZipItem => ({ name: 'x', contents, mode: 0o120777 });
const through = (entry: TarEntry): TarEntry[] => [
  page,
  { ...entry, name: 'x' },
  { name: 'x', contents: 'evil' },
];

const links: readonly HostileUpload[] = [
  archive(
    'a symbolic link in a zip',
    ({ sentinel }) => zip([page, link(sentinel)]),
    /^400\.312 - .*'x' is a link/,
  ),
  archive(
    'a folder in a zip that is a link, with a file in it',
    ({ folder, marker }) => zip([page, link(folder), { name: `x/${marker}` }]),
    /^400\.312 - .*'x' is a link/,
  ),
  archive(
    'a file written through a symbolic link',
    ({ sentinel }) => tar(through({ name: '', type: '2', link: sentinel })),
    /^400\.312 - .*symbolic link/,
  ),
  archive(
    'a file written through a hard link',
    ({ sentinel }) => tar(through({ name: '', type: '1', link: sentinel })),
    /^400\.312 - .*hard link/,
  ),
  archive(
    'a link target in an extended header',
    ({ sentinel }) => tar([pax({ linkpath: sentinel }), ...through({ name: '', type: '2', link: 'y' })]),
    /^400\.312 - .*symbolic link/,
  ),
  archive(
    'a device file in a tar',
    () => tar([page, { name: 'zero', type: '3' }]),
    /^400\.312 - .*'zero' is a device/,
  ),
  archive('a pipe in a tar', () => tar([page, { name: 'p', type: '6' }]), /^400\.312 - .*'p' is a pipe/),
  archive(
    'a pipe in a zip',
    () => zip([page, { name: 'p', mode: 0o010666 }]),
    /^400\.312 - .*neither a file nor a folder/,
  ),
  archive(
    'a name with ../ in an extended header',
    ({ marker }) => tar([page, pax({ path: `../../${marker}` }), { name: 'x' }]),
    /^400\.312 - .*in its path/,
  ),
];

const zeros = Buffer.alloc(1_000_000);
const wrong = { size: 5 };
const packed = { contents: zeros, raw: deflateRawSync(zeros) };

const bombs: readonly HostileUpload[] = [
  archive(
    'a zip bomb',
    () => zip([page, { name: 'x', contents: Buffer.alloc(big) }]),
    /^400\.312 - .*more than 100 times/,
  ),
  archive(
    'a zip bomb of many files',
    () => zip([page, ...Array.from({ length: 60 }, (_, at) => ({ name: `${at}`, ...packed }))]),
    /^400\.312 - .*more than 100 times/,
  ),
  archive(
    'a zip with overlapping entries',
    () => {
      const { local, record } = zipItem({ name: 'x', ...packed }, 0);
      const directory = Buffer.concat(Array.from({ length: 1000 }, () => record));
      const end = zip([], { entries: 1000, start: local.length, size: directory.length });
      return Buffer.concat([local, directory, end]);
    },
    /^400\.312 - .*(twice|overlap)/,
  ),
  archive('a gzip bomb', () => gzipSync(Buffer.alloc(big)), /^400\.312 - .*more than 100 times/),
  archive(
    'a gzip bomb after the end of a tar',
    () => gzipSync(Buffer.concat([tar([page]), Buffer.alloc(big)])),
    /^400\.312 - .*more than 100 times/,
  ),
  archive('a bzip2 bomb', () => bzip2Bomb(120), /^400\.312 - .*more than 100 times/),
  archive(
    'a bzip2 bomb after a page',
    () => Buffer.concat([bzip2(tar([page])), bzip2Bomb(30)]),
    /^400\.312 - .*more than 100 times/,
  ),
  archive(
    'a bomb in an archive in an archive',
    () => zip([page, { name: 'a.zip', contents: zip([{ name: 'a.gz', contents: gzipSync(zeros) }]) }]),
    /^converted: page/,
  ),
  archive(
    '10,001 files',
    () => zip([page, ...Array.from({ length: 10_000 }, (_, at) => ({ name: `${at}` }))]),
    /^400\.312 - .*more than 10000/,
  ),
];

const inconsistent: readonly HostileUpload[] = [
  archive(
    'a zip entry that is larger than it declares',
    () => zip([page, { name: 'x', contents: 'long enough', local: wrong, directory: wrong }]),
    /^400\.312 - .*larger than it declares/,
  ),
  archive(
    'a zip entry with two names',
    ({ marker }) => zip([page, { name: 'x', local: { name: `../${marker}` } }]),
    /^400\.312 - .*differs between/,
  ),
  archive(
    'a directory that points at itself',
    () => zip([page, { name: 'x', directory: { offset: zip([page]).length - 22 } }]),
    /^400\.312 - .*not where/,
  ),
  archive('a directory with a wrong offset', () => zip([page], { start: 0 }), /^400\.312 - .*not where/),
  archive(
    'a size that only zip64 has',
    () => zip([page, { name: 'x', directory: { size: 0xffffffff } }]),
    /^400\.312 - .*impossible size/,
  ),
  archive('an encrypted zip', () => zip([{ ...page, flags: 0x801 }]), /^400\.312 - .*encrypted/),
  archive('a negative size in a tar', () => tar([{ ...page, size: '\xff'.repeat(12) }]), /^400\.312 - /),
  archive(
    'a size of 2^62 in a tar',
    () => tar([{ ...page, size: '\x80\0\0\0\x40\0\0\0\0\0\0\0' }]),
    /^400\.312 - .*(damaged|truncated)/,
  ),
  archive(
    'a sparse file',
    () => tar([pax({ 'GNU.sparse.major': '1', 'GNU.sparse.name': 'x' }), { name: 'x' }]),
    /^400\.312 - .*sparse/,
  ),
];

/** Archives truncated at 20, 60 and 95 % of their length. */
const truncated: readonly HostileUpload[] = Object.entries({
  zip: () => zip([{ ...page, contents: 'x'.repeat(5000) }]),
  'tar.gz': () => gzipSync(tar([{ ...page, contents: 'x'.repeat(5000) }])),
  'tar.bz2': () => bzip2(tar([{ ...page, contents: 'x'.repeat(3000) }])),
}).flatMap(([kind, make]) =>
  [0.2, 0.6, 0.95].map((share) =>
    archive(
      `a ${kind} truncated at ${share * 100} %`,
      () => make().subarray(0, Math.floor(make().length * share)),
      /^400\.312 - /,
    ),
  ),
);

export const archives = [...names, ...links, ...bombs, ...inconsistent, ...truncated];
