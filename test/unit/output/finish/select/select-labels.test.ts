import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PDFArray, PDFDict, PDFString } from '@cantoo/pdf-lib';
import { name, selectAndReload } from './select-sample.ts';

test('each selected page keeps its page label', async () => {
  const { document } = await selectAndReload([1, 3, 4, 6], (all) => {
    const Nums = [0, { S: 'r' }, 2, { S: 'D', P: PDFString.of('A-'), St: 5 }, 6, { S: 'D' }];
    all.catalog.set(name('PageLabels'), all.context.obj({ Nums }));
  });
  const labels = document.catalog.lookup(name('PageLabels'), PDFDict).lookup(name('Nums'), PDFArray);
  assert.deepEqual(
    labels.toString().replace(/\s+/g, ' '),
    '[ 0 << /S /r /St 2 >> 1 << /S /D /P (A-) /St 6 >> 3 << /S /D >> ]',
  );
});
