/** The kind of a file, recognised by its name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileKindOf } from '../../../../../renderer/call/input/file-kind.ts';

test('documents, archives and data are recognised by their names', () => {
  const kinds = {
    html: ['a.html', 'A.HTM', 'b.xhtml'],
    archive: ['a.zip', 'a.tar', 'site.tar.gz', 'a.TGZ', 'a.tar.bz2'],
    data: ['a.json', 'a.yml', 'b.yaml', 'c.xml', 'd.csv'],
    other: ['html', 'a.docx', 'a.html.txt', '.gz', ''],
  };
  for (const [kind, names] of Object.entries(kinds))
    for (const name of names) assert.equal(fileKindOf(name), kind, name);
});
