/** Generates folders of files, and packs them in every supported format. */
import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { bzip2 } from '../../../support/archives/bzip2-writer.ts';
import { longName, pax, tar, type TarEntry } from '../../../support/archives/tar-writer.ts';
import { zip } from '../../../support/archives/zip-writer.ts';

export interface File {
  /** The segments of its path. */
  readonly path: readonly string[];
  readonly contents: Uint8Array;
}

/** Names in many writing systems that are valid on every system. They end with a y, unlike all device names of Windows. */
const part = fc
  .oneof(fc.stringMatching(/^[\w-]{1,12}$/), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }))
  .map((text) => `${text.replace(/[\p{C}\p{Z}/\\:.]/gu, '_')}y`);

const file: fc.Arbitrary<File> = fc.record({
  path: fc.array(part, { minLength: 1, maxLength: 4 }),
  contents: fc.oneof(fc.uint8Array({ maxLength: 2000 }), fc.constant(new Uint8Array(3000))),
});

/** Lists of files without duplicate paths, and without paths that are both a file and a folder. */
export const fileTrees: fc.Arbitrary<readonly File[]> = fc
  .array(file, { minLength: 1, maxLength: 6 })
  .map((files) => files.map(({ path, contents }, index) => ({ path: [...path, `${index}.html`], contents })))
  .filter((files) => {
    const paths = files.flatMap(({ path }) => path.map((_, index) => path.slice(0, index + 1).join('/')));
    const foldedPaths = new Set(paths.map((path) => path.normalize('NFC').toLowerCase()));
    return foldedPaths.size === new Set(paths).size;
  });

export const packers = {
  'a zip': (files: readonly File[]) => zip(items(files)),
  'a zip that is not compressed': (files: readonly File[]) =>
    zip(items(files).map((item) => ({ ...item, method: 0 }))),
  'a tar with POSIX names': (files: readonly File[]) =>
    tar(
      items(files).flatMap(({ name, contents }): TarEntry[] => [
        pax({ path: name }),
        { name: 'x', contents },
      ]),
    ),
  'a tar with GNU names': (files: readonly File[]) =>
    tar(items(files).flatMap(({ name, contents }): TarEntry[] => [longName(name), { name: 'x', contents }])),
  'a tar.gz': (files: readonly File[]) => gzipSync(packers['a tar with POSIX names'](files)),
  'a tar.bz2': (files: readonly File[]) => bzip2(packers['a tar with GNU names'](files)),
} as const;

function items(files: readonly File[]) {
  return files.map(({ path, contents }) => ({ name: path.join('/'), contents: Buffer.from(contents) }));
}

/** Names that attackers use. */
export const hostileNames: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .array(
      fc.constantFrom(
        '..',
        '.',
        '/',
        '\\',
        'a',
        'C:',
        'con',
        'nul.',
        '~',
        '\0',
        '％2e',
        '．．',
        '\u202e',
        ' ',
        '$HOME',
        'é',
        'e\u0301',
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join('')),
);
