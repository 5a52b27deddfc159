import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, mock, test } from 'node:test';
import { PDFDocument, PDFName, PDFRawStream, PDFString } from '@cantoo/pdf-lib';
import { runQpdf } from '../../../../main/output/finish/qpdf.ts';
import { sizesOf } from '../../../../main/output/pdf-reader/sizes.ts';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../../../fixtures', name));
const images = fixture('images.pdf');
const chapters = fixture('chapters.pdf');

/** Returns the sizes according to pdf-lib, an independent reader. */
async function sizesByPdfLib(bytes: Uint8Array) {
  const document = await PDFDocument.load(bytes, { password: '' });
  const streams = document.context
    .enumerateIndirectObjects()
    .flatMap(([, object]) => (object instanceof PDFRawStream ? [object] : []));
  const sum = (isWanted: (stream: PDFRawStream) => boolean) =>
    streams.filter(isWanted).reduce((all, stream) => all + stream.contents.length, 0);
  return {
    fonts: sum(({ dict }) => dict.has(PDFName.of('Length1'))),
    images: sum(({ dict }) => dict.get(PDFName.of('Subtype')) === PDFName.of('Image')),
  };
}

async function rewritten(bytes: Uint8Array, useObjectStreams: boolean): Promise<Buffer> {
  const document = await PDFDocument.load(bytes);
  return Buffer.from(await document.save({ useObjectStreams }));
}

const encryption = {
  user_password: 'open',
  owner_password: 'owner',
  no_print: false,
  no_modify: false,
  no_copy: false,
};

describe('the size of a PDF', () => {
  test('consists of fonts, images and the rest, with the same values as from pdf-lib', async () => {
    for (const pdf of [images, chapters]) {
      const { total, fonts, images: images, rest } = sizesOf(pdf);
      assert.deepEqual({ fonts, images: images }, await sizesByPdfLib(pdf));
      assert.equal(total, pdf.length);
      assert.equal(fonts + images + rest, total);
    }
    assert.ok(sizesOf(images).images > 10_000);
    assert.ok(sizesOf(chapters).fonts > 1000);
  });

  test('is found in files with object streams, even if they are linearised or encrypted', async () => {
    for (const pdf of [images, chapters]) {
      const plain = sizesOf(pdf);
      const compressed = sizesOf(await rewritten(pdf, true));
      assert.deepEqual([compressed.fonts, compressed.images], [plain.fonts, plain.images]);
      const linear = sizesOf(Buffer.from(await runQpdf(pdf, { linearize: true })));
      assert.deepEqual([linear.fonts, linear.images], [plain.fonts, plain.images]);
      const locked = sizesOf(Buffer.from(await runQpdf(pdf, { linearize: true, encryption })));
      // AES adds padding, and an initial block (ISO 32000-2, 7.6.3.1).
      assert.ok(locked.fonts >= plain.fonts && locked.fonts <= plain.fonts + 32 * 50);
      assert.ok(locked.images >= plain.images && locked.images <= plain.images + 32 * 50);
    }
  });

  test('is reported with at most five of the largest fonts and images', () => {
    const [largest] = sizesOf(images).largest;
    assert.match(largest?.what ?? '', /^image \d+ x \d+$/);
    const fonts = sizesOf(chapters).largest.filter(({ what }) => what.startsWith('font '));
    assert.match(fonts[0]?.what ?? '', /^font [A-Z]\w+[\w-]*$/);
    const bytes = sizesOf(images).largest.map((item) => item.bytes);
    assert.deepEqual(
      bytes,
      [...bytes].sort((left, right) => right - left),
    );
    assert.ok(bytes.length <= 5);
  });
});

test('text that looks like a stream is not counted', async () => {
  const document = await PDFDocument.load(images);
  const lie = '<< /Subtype /Image /Length 1000000 >> stream\n /FontDescriptor /FontFile2 9 0 R endstream';
  document.catalog.set(PDFName.of('Lie'), PDFString.of(lie));
  const sizesWithLie = sizesOf(Buffer.from(await document.save({ useObjectStreams: false })));
  assert.equal(sizesWithLie.images, sizesOf(images).images);
});

test('measuring takes linear time for any bytes', { timeout: 10_000 }, () => {
  for (const text of [
    '',
    'stream\n',
    '1 0 obj << /Length -5 >> stream\nx',
    '1 0 obj << /Length 9 0 R >> stream\n',
  ])
    assert.equal(sizesOf(Buffer.from(text)).total, text.length);
  for (const piece of [
    '1 0 obj << (stream\n',
    '<< stream\n',
    '/FontDescriptor ',
    '1 0 obj << /FontDescriptor ',
  ])
    assert.equal(sizesOf(Buffer.from(piece.repeat(200_000))).images, 0);
});

test('reads at most 1000 font descriptors of a file', () => {
  const near = `${' obj['.repeat(200)}${'/FontDescriptor'.repeat(130)}`;
  const file = Buffer.from(`stream ${near.padEnd(15_000)}`.repeat(70));
  const { mock: searches } = mock.method(Buffer.prototype as Pick<Buffer, 'lastIndexOf'>, 'lastIndexOf');
  assert.equal(sizesOf(file).total, file.length);
  assert.ok(searches.callCount() <= 1000, `${searches.callCount()} descriptors`);
  searches.restore();
});
