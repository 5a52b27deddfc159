import assert from 'node:assert/strict';
import { test } from 'node:test';
import { degrees, PDFDict, PDFDocument, PDFName, type PDFRef } from '@cantoo/pdf-lib';
import { addLayer, layerPainter, type Layer } from '../../../../../main/output/finish/layers/layers.ts';
import { assertValid, pixels, saveDocument } from '../../../../support/output/finished-pdf.ts';
import type { Colour } from '../../../../support/output/image.ts';

const red: Colour = [255, 0, 0];
const green: Colour = [0, 255, 0];
const blue: Colour = [0, 0, 255];
const white: Colour = [255, 255, 255];

/** Adds a form XObject that fills a square of one point. */
function square({ context }: PDFDocument, colour: string): PDFRef {
  const box = { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 1, 1] };
  return context.register(context.stream(`${colour} rg 0 0 1 1 re f`, box));
}

const over = (xobject: PDFRef, matrix: Layer['matrix']): Layer => ({
  position: 'over',
  artifact: 'Watermark',
  xobject,
  matrix,
});

const under = (xobject: PDFRef, matrix: Layer['matrix']): Layer => ({
  position: 'under',
  artifact: 'Background',
  xobject,
  matrix,
});

/**
 * Creates a page like those that Chromium writes: flipped, without restoring the matrix. It has a blue square, 10 to 30 points from
 * the left and the top.
 */
async function chromiumLike(): Promise<PDFDocument> {
  const document = await PDFDocument.create();
  const page = document.addPage([100, 100]);
  const { context } = document;
  page.node.set(
    PDFName.of('Contents'),
    context.register(context.stream('.5 0 0 -.5 0 100 cm 20 20 40 40 re W n 0 0 1 rg 0 0 200 200 re f')),
  );
  return document;
}

test("a layer ignores the page's transform and clip", async () => {
  const document = await chromiumLike();
  addLayer(document.getPage(0), over(square(document, '1 0 0'), [20, 0, 0, 20, 70, 5]));
  const image = await pixels(document);
  assert.deepEqual([image.at(80, 85), image.at(20, 20), image.at(50, 50)], [red, blue, white]);
  assert.deepEqual([image.at(69, 85), image.at(80, 74), image.at(80, 96)], [white, white, white]);
  assertValid(await saveDocument(document));
});

test('of two layers over a page, the later covers the earlier; of two layers under a page, the earlier covers the later', async () => {
  const document = await chromiumLike();
  const page = document.getPage(0);
  addLayer(page, over(square(document, '1 0 0'), [40, 0, 0, 40, 0, 60]));
  addLayer(page, over(square(document, '0 1 0'), [20, 0, 0, 20, 0, 80]));
  addLayer(page, under(square(document, '0 1 0'), [50, 0, 0, 50, 0, 50]));
  addLayer(page, under(square(document, '1 0 0'), [100, 0, 0, 100, 0, 0]));
  const image = await pixels(document);
  assert.deepEqual([image.at(15, 15), image.at(25, 25)], [green, red], 'over');
  assert.deepEqual([image.at(45, 45), image.at(80, 80)], [green, red], 'under');
});

test('the content of a page covers layers under it', async () => {
  const document = await chromiumLike();
  addLayer(document.getPage(0), under(square(document, '1 0 0'), [100, 0, 0, 100, 0, 0]));
  const image = await pixels(document);
  assert.deepEqual([image.at(20, 20), image.at(50, 50)], [blue, red]);
});

test('a layer shows on an empty page', async () => {
  const document = await PDFDocument.create();
  document.addPage([10, 10]).node.delete(PDFName.of('Contents'));
  addLayer(document.getPage(0), over(square(document, '1 0 0'), [10, 0, 0, 10, 0, 0]));
  assert.deepEqual((await pixels(document)).at(5, 5), red);
});

test('nothing of a layer is painted outside its clip', async () => {
  const document = await chromiumLike();
  const clip = { left: 50, bottom: 0, width: 20, height: 100 };
  addLayer(document.getPage(0), { ...over(square(document, '1 0 0'), [100, 0, 0, 50, 0, 0]), clip });
  const image = await pixels(document);
  assert.deepEqual([image.at(45, 80), image.at(60, 80), image.at(75, 80)], [white, red, white]);
});

test('the coordinates of a layer are those of the page as displayed, cropped and rotated', async () => {
  const place: Layer['matrix'] = [10, 0, 0, 10, 0, 0];
  for (const turn of [0, 90, 180, 270]) {
    const document = await PDFDocument.create();
    const page = document.addPage([300, 300]);
    page.setMediaBox(50, 60, 300, 300);
    page.setCropBox(100, 120, 80, 40);
    page.setRotation(degrees(turn));
    addLayer(page, over(square(document, '1 0 0'), place));
    const { context } = document;
    const image = await (async () => {
      // pdftoppm renders the media box by default, so the test sets it to the crop box.
      page.node.set(PDFName.of('MediaBox'), context.obj([100, 120, 180, 160]));
      return pixels(document);
    })();
    const bottom = image.height - 1;
    assert.deepEqual([image.width, image.height], turn % 180 === 0 ? [80, 40] : [40, 80]);
    assert.deepEqual([image.at(2, bottom - 2), image.at(12, bottom - 2)], [red, white], `turned ${turn}`);
    assert.deepEqual([image.at(2, bottom - 12), image.at(image.width - 2, 2)], [white, white]);
  }
});

test('pages that share or inherit resources do not show layers of other pages', async () => {
  const document = await PDFDocument.create();
  const { context } = document;
  const pages = [document.addPage([10, 10]), document.addPage([10, 10]), document.addPage([10, 10])];
  const xobjects = context.register(context.obj({ X5: square(document, '0 0 1') }));
  const shared = context.register(context.obj({ XObject: xobjects }));
  pages.forEach((page, index) => {
    page.node.set(PDFName.of('Contents'), context.register(context.stream('10 0 0 10 0 0 cm /X5 Do')));
    if (index === 2) page.node.delete(PDFName.of('Resources'));
    else page.node.set(PDFName.of('Resources'), shared);
  });
  document.catalog.Pages().set(PDFName.of('Resources'), shared);
  for (const page of pages) addLayer(page, over(square(document, '1 0 0'), [5, 0, 0, 5, 0, 0]));
  assert.deepEqual(context.lookup(xobjects, PDFDict).keys(), [PDFName.of('X5')]);
  for (const [index, page] of pages.entries()) {
    assert.equal(page.node.Resources()?.lookup(PDFName.of('XObject'), PDFDict).keys().length, 2);
    const image = await pixels(document, index + 1);
    assert.deepEqual([image.at(2, 8), image.at(8, 2)], [red, blue]);
  }
});

test('the name of a layer never collides with an image of the page', async () => {
  const document = await PDFDocument.create();
  const page = document.addPage([10, 10]);
  const layer = square(document, '1 0 0');
  const { context } = document;
  const name = `Layer${layer.objectNumber}`;
  page.node.set(PDFName.of('Resources'), context.obj({ XObject: { [name]: square(document, '0 0 1') } }));
  page.node.set(PDFName.of('Contents'), context.register(context.stream(`10 0 0 10 0 0 cm /${name} Do`)));
  addLayer(page, over(layer, [5, 0, 0, 5, 0, 0]));
  const image = await pixels(document);
  assert.deepEqual([image.at(2, 8), image.at(8, 2)], [red, blue]);
});

test('pages of one size share the content stream of a layer', async () => {
  const document = await PDFDocument.create();
  const pages = Array.from({ length: 20 }, () => document.addPage([10, 10]));
  const content = document.context.register(document.context.stream('0 0 5 5 re f'));
  for (const { node } of pages) node.set(PDFName.of('Contents'), content);
  const before = document.context.enumerateIndirectObjects().length;
  const paint = layerPainter(over(square(document, '1 0 0'), [10, 0, 0, 10, 0, 0]));
  pages.forEach(paint);
  // The form, the stream of the layer, and the two streams around the content of the pages.
  assert.equal(document.context.enumerateIndirectObjects().length - before, 4);
});
