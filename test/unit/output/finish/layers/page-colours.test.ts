import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PDFDocument, rgb } from '@cantoo/pdf-lib';
import { paintPages } from '../../../../../main/output/finish/layers/page-colours.ts';
import { assertValid, pixels, saveDocument } from '../../../../support/output/finished-pdf.ts';
import { isNear } from '../../../../support/output/image.ts';

async function threePages(): Promise<PDFDocument> {
  const document = await PDFDocument.create();
  for (const width of [60, 60, 80]) {
    const page = document.addPage([width, 40]);
    page.drawRectangle({ x: 10, y: 10, width: 10, height: 10, color: rgb(0, 0, 1) });
  }
  return document;
}

test('the background colour fills a page to its edges, under its content', async () => {
  const document = await threePages();
  paintPages(document, (index) => ['FF8000', undefined, 'ff8000'][index]);
  for (const [page, width] of [
    [1, 60],
    [3, 80],
  ] as const) {
    const image = await pixels(document, page);
    for (const corner of [image.at(0, 0), image.at(width - 1, 39)]) assert.deepEqual(corner, [255, 128, 0]);
    assert.deepEqual(image.at(15, 25), [0, 0, 255]);
  }
  assert.deepEqual(
    (await pixels(document, 2)).at(0, 0),
    [255, 255, 255],
    'a page without a colour stays white',
  );
  assertValid(await saveDocument(document));
});

test('a translucent colour mixes with the paper, a transparent one is omitted', async () => {
  const document = await threePages();
  paintPages(document, (index) => (index === 0 ? 'FF000080' : 'FF000000'));
  assert.ok(isNear((await pixels(document)).at(0, 0), [255, 127, 127], 2));
  assert.deepEqual((await pixels(document, 2)).at(0, 0), [255, 255, 255]);
});
