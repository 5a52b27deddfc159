import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { recogniseArchive } from '../../../../main/input/archive/recognition.ts';
import { bzip2 } from '../../../support/archives/bzip2-writer.ts';
import { tar } from '../../../support/archives/tar-writer.ts';
import { zip } from '../../../support/archives/zip-writer.ts';

const page = { name: 'index.html', contents: '<p>Hello' };

test('archives are recognised by their content', () => {
  assert.equal(recogniseArchive(zip([page])), 'zip');
  assert.equal(recogniseArchive(zip([])), 'zip');
  assert.equal(recogniseArchive(gzipSync('<p>Hello')), 'gzip');
  assert.equal(recogniseArchive(bzip2(Buffer.from('<p>Hello'))), 'bzip2');
  assert.equal(recogniseArchive(tar([page])), 'tar');
  assert.equal(recogniseArchive(tar([{ ...page, old: true }])), 'tar');
});

test('a tar with a wrong checksum is recognised as a tar, for a better error', () => {
  assert.equal(recogniseArchive(tar([{ ...page, checksum: 7 }])), 'tar');
});

test('other files are not recognised as archives', () => {
  const others = [
    '',
    '<p>Hello',
    'PK',
    'BZh9 is how this letter starts',
    `<p>${'x'.repeat(600)}`,
    '%PDF-1.7',
  ];
  for (const text of others) assert.equal(recogniseArchive(Buffer.from(text)), undefined, text);
  assert.equal(recogniseArchive(Buffer.alloc(10_240)), undefined);
  assert.equal(recogniseArchive(tar([{ ...page, old: true, checksum: 7 }])), undefined);
});
