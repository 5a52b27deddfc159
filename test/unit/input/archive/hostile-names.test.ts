import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { assertRefused, startUnpacker, type Unpacker } from '../../../support/archives/archive-worker.ts';
import { longName, pax, tar } from '../../../support/archives/tar-writer.ts';
import { zip } from '../../../support/archives/zip-writer.ts';

let unpacker: Unpacker;
before(() => {
  unpacker = startUnpacker();
});
after(() => {
  unpacker[Symbol.dispose]();
});

const names: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['../evil.html', /'\.\.\/evil\.html' has '\.\.' in its path/],
  ['a/../../evil.html', /in its path/],
  ['a/b/..', /in its path/],
  ['./../evil.html', /in its path/],
  ['a//../evil.html', /in its path/],
  ['..\\evil.html', /in its path/],
  ['a\\..\\..\\evil.html', /in its path/],
  ['a/..\\../evil.html', /in its path/],
  ['....//../evil.html', /in its path|ends with a dot/],
  ['/evil.html', /absolute path/],
  ['//evil.html', /absolute path/],
  ['/', /absolute path/],
  ['\\evil.html', /absolute path/],
  ['\\\\server\\share\\evil.html', /absolute path/],
  ['//server/share/evil.html', /absolute path/],
  ['\\\\?\\C:\\evil.html', /absolute path/],
  ['C:\\evil.html', /drive letter/],
  ['c:/evil.html', /drive letter/],
  ['C:evil.html', /drive letter/],
  ['index.html:stream', /alternate data stream/],
  ['a/index.html::$DATA', /alternate data stream/],
  ['evil\u0001.html', /control character/],
  ['evil\n.html', /'evil\\u000a\.html' has a control character/],
  ['evil\u0085.html', /control character/],
  ['CON', /device on Windows/],
  ['con.html', /device on Windows/],
  ['a/NUL.txt/b.html', /device on Windows/],
  ['com1.tar.gz', /device on Windows/],
  ['COM\u00b2', /device on Windows/],
  ['LPT9.css', /device on Windows/],
  ['aux .html', /device on Windows/],
  ['CONIN$', /device on Windows/],
  ['evil.html.', /ends with a dot/],
  ['evil.html ', /ends with a dot or a blank/],
  ['a /evil.html', /ends with a dot or a blank/],
  ['...', /ends with a dot/],
  [`${'x'.repeat(256)}.html`, /longer than 255 bytes/],
  [`${'ü'.repeat(130)}.html`, /longer than 255 bytes/],
  [`${'d/'.repeat(33)}evil.html`, /more than 32 folders deep/],
  ['d/'.repeat(33), /more than 32 folders deep/],
];

describe('an unsafe path is refused, in a zip and in a tar:', () => {
  for (const [name, pattern] of names) {
    test(JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}...` : name), async () => {
      const contents = name.endsWith('/') ? '' : 'evil';
      await assertRefused(unpacker, zip([{ name: 'index.html' }, { name, contents }]), pattern);
      const before = Buffer.byteLength(name) > 100 ? [longName(name)] : [];
      await assertRefused(
        unpacker,
        tar([{ name: 'index.html' }, ...before, { name, contents: 'evil' }]),
        pattern,
      );
    });
  }
});

test('names from an extended header or a prefix are also checked', async () => {
  const entry = { name: 'harmless.html', contents: 'evil' };
  await assertRefused(unpacker, tar([pax({ path: '../evil.html' }), entry]), /in its path/);
  await assertRefused(unpacker, gzipSync(tar([longName('/evil.html'), entry])), /absolute path/);
  await assertRefused(unpacker, tar([{ ...entry, name: 'evil.html', prefix: '../..' }]), /in its path/);
});

test('a zero byte in the name of an entry is refused', async () => {
  const name = 'index.html\0.png';
  await assertRefused(unpacker, zip([{ name }]), /'index\.html\\u0000\.png' has a control character/);
});

test('an entry without a name is refused, in a zip and in a tar', async () => {
  await assertRefused(unpacker, zip([{ name: '', contents: 'x' }]), /has no name/);
  await assertRefused(unpacker, tar([{ name: './', contents: 'x', type: '7' }]), /neither a plain file/);
});

describe('two names that are equal on some file system are refused:', () => {
  const pairs: readonly (readonly [one: string, other: string, pattern: RegExp])[] = [
    ['index.html', 'index.html', /twice/],
    ['index.html', './index.html', /twice/],
    ['a/b.css', 'a\\b.css', /twice/],
    ['index.html', 'INDEX.html', /'index\.html' and 'INDEX\.html' have the same name/],
    ['img/a.png', 'IMG/b.png', /the same name on systems/],
    ['caf\u00e9.html', 'cafe\u0301.html', /the same name on systems/],
    ['\u212a.html', 'k.html', /the same name on systems/],
    ['a', 'a/index.html', /both a file and a folder/],
    ['a/index.html', 'a', /both a file and a folder/],
    ['A', 'a/index.html', /the same name on systems/],
  ];
  for (const [first, second, pattern] of pairs) {
    test(`${JSON.stringify(first)} and ${JSON.stringify(second)}`, async () => {
      const entries = [first, second].map((name) => ({ name, contents: name }));
      await assertRefused(unpacker, zip(entries), pattern);
      await assertRefused(unpacker, tar(entries), pattern);
    });
  }
});
