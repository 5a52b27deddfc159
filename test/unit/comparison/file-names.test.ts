import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FileNames } from '../../../main/comparison/file-names.ts';

test('names keep letters and digits, and lose what a file system may reject', () => {
  const cases: Readonly<Record<string, string>> = {
    'invoice-17.html': 'invoice-17.html',
    'a/b\\c:d': 'a-b-c-d',
    '../../etc/passwd': 'etc-passwd',
    '..': 'sample',
    '': 'sample',
    日本: 'sample',
    'Änderung é': 'Anderung-e',
    '.hidden': 'hidden',
    'dots...': 'dots',
    CON: 'sample-CON',
    'nul.html': 'sample-nul.html',
    COM1: 'sample-COM1',
    console: 'console',
  };
  for (const [name, expected] of Object.entries(cases))
    assert.equal(new FileNames().add(name), expected, name);
});

test('names that would collide are numbered, also if they differ only in case', () => {
  const fileNames = new FileNames();
  const added = ['a', 'A', 'a-2', 'a', 'a?', '?a'].map((name) => fileNames.add(name));
  assert.deepEqual(added, ['a', 'A-2', 'a-2-2', 'a-3', 'a-4', 'a-5']);
});

test('any names become different safe names', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 100 })), (names) => {
      const fileNames = new FileNames();
      const added = names.map((name) => fileNames.add(name));
      assert.equal(new Set(added.map((name) => name.toLowerCase())).size, names.length);
      for (const name of added)
        assert.match(name, /^(?!(con|nul|aux|prn|com\d|lpt\d)(\.|$))[\w][\w.-]{0,65}$/i);
    }),
  );
});
