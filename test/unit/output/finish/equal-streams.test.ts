import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PDFArray, PDFDocument, PDFName, PDFRawStream } from '@cantoo/pdf-lib';
import { shareEqualStreams } from '../../../../main/output/finish/equal-streams.ts';
import { prune } from '../../../../main/output/finish/pdf-document.ts';
import { load, save } from './select/select-sample.ts';

test('equal images with equal masks are stored once', async () => {
  const document = await PDFDocument.create();
  const { context } = document;
  const dots = (first: number) => new Uint8Array(1200).fill(9).fill(first, 0, 1);
  const image = (first: number, mask: number) => {
    const image = { Type: 'XObject', Subtype: 'Image', Width: 40, Height: 30 };
    const shade = context.stream(dots(mask), { ...image, ColorSpace: 'DeviceGray' });
    return context.register(context.stream(dots(first), { ...image, SMask: context.register(shade) }));
  };
  const images = [image(1, 1), image(1, 1), image(1, 2), image(2, 1), image(1, 2)];
  document.catalog.set(PDFName.of('Images'), context.obj(images));
  const kept = await load(await save(document));
  shareEqualStreams(kept);
  prune(kept);
  const references = kept.catalog.lookup(PDFName.of('Images'), PDFArray).asArray().map(String);
  const [first, , masked, different] = references;
  assert.deepEqual(references, [first, first, masked, different, masked]);
  assert.equal(new Set(references).size, 3);
  const streams = kept.context
    .enumerateIndirectObjects()
    .filter(([, object]) => object instanceof PDFRawStream);
  assert.equal(streams.length, 3 + 2);
});
