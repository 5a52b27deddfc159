/**
 * Chromium 130 printed the document from test/fixtures/images.html, 4 by 3 inches, 800 px wide, without margins: an opaque and a
 * transparent PNG, a colour JPEG (twice, the second at half size), a grey JPEG, an SVG, a tiled PNG.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { PDFDocument, PDFHexString, PDFName, type PDFRawStream, type PDFRef } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { imageExtents } from '../../../../../main/output/finish/images/image-placements.ts';
import { recompressImages, type ImageReport } from '../../../../../main/output/finish/images/images.ts';
import type { ImageReplacementOptions } from '../../../../../main/output/finish/images/image-replacement.ts';
import { readPdf, writePdf } from '../../../../../main/output/finish/pdf-document.ts';
import { placeOnPaper } from '../../../../../main/output/finish/layers/place-pages.ts';
import { pdfImage } from '../../../../support/output/pdf.ts';
import { isNear, readImage, type Colour } from '../../../../support/output/image.ts';

const original = readFileSync(join(import.meta.dirname, '../../../../fixtures/images.pdf'));
const off: ImageReplacementOptions = {
  jpeg_quality: 100,
  convert_images_to_jpeg: 'none',
  image_dpi: 0,
  background: '',
};

interface Recompressed {
  readonly bytes: Buffer;
  readonly report: ImageReport;
}

async function recompressed(
  options: Partial<ImageReplacementOptions>,
  bytes: Uint8Array = original,
): Promise<Recompressed> {
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  const report = await recompressImages(document, { ...off, ...options });
  return { bytes: Buffer.from(await document.save({ useObjectStreams: false })), report };
}

/** Passes a message, because Node 20 takes minutes to derive the default one from the single source line that tsx emits. */
function assertNear(actual: Colour, expected: Colour, tolerance?: number): void {
  assert.ok(isNear(actual, expected, tolerance), `${actual.join()} is not near ${expected.join()}`);
}

const installed = ['pdfimages', 'pdftoppm', 'qpdf'].every(
  (name) => spawnSync(name, ['-v']).error === undefined,
);

describe('the images of a printed page', { skip: !installed && 'poppler or qpdf is not installed' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-images-'));
  after(() => {
    rmSync(folder, { recursive: true });
  });

  interface Listed {
    readonly type: string;
    readonly encoding: string;
    readonly ppi: number;
    readonly object: string;
    readonly width: number;
  }

  /** Lists images with poppler: one line per drawing, without tiles. Fails if poppler or qpdf reports a problem. */
  function list(bytes: Buffer): Listed[] {
    const file = join(folder, 'listed.pdf');
    writeFileSync(file, bytes);
    const { stdout, stderr } = spawnSync('pdfimages', ['-list', file], { encoding: 'utf8' });
    assert.equal(stderr, '');
    assert.equal(spawnSync('qpdf', ['--check', file]).status, 0);
    const table = bytes.toString('latin1', bytes.lastIndexOf('\nxref\n'));
    assert.deepEqual(table.match(/^\d+ \d+$/gm)?.length, 1, 'the cross-reference table has gaps');
    return stdout
      .trim()
      .split('\n')
      .slice(2)
      .map((line) => line.trim().split(/\s+/))
      .map((cells) => ({
        type: cells[2] ?? '',
        width: Number(cells[3]),
        encoding: cells[8] ?? '',
        object: cells[10] ?? '',
        ppi: Number(cells[12]),
      }));
  }

  const encodings = (bytes: Buffer) => list(bytes).map(({ type, encoding }) => `${type} ${encoding}`);
  const before = encodings(original);

  /** Returns the mean difference over all channels of all pixels, 0 to 255. */
  async function difference(expected: Buffer, actual: Buffer): Promise<number> {
    const [left, right] = await Promise.all(
      [expected, actual].map((bytes) => sharp(pdfImage(bytes, 2)).removeAlpha().raw().toBuffer()),
    );
    assert.ok(left && right);
    assert.equal(left.length, right.length);
    return left.reduce((sum, value, at) => sum + Math.abs(value - (right[at] ?? 0)), 0) / left.length;
  }

  const colourAt = async (bytes: Buffer, x: number, y: number) => (await readImage(pdfImage(bytes))).at(x, y);

  test('stay unchanged without options', async () => {
    const { bytes, report } = await recompressed({});
    assert.deepEqual(encodings(bytes), before);
    assert.equal(report.changed, 0);
  });

  for (const image_dpi of [150, 72])
    test(`are downscaled, including masks, to image_dpi=${image_dpi} where they are drawn largest, and look the same`, async () => {
      const { bytes, report } = await recompressed({ image_dpi });
      const images = list(bytes);
      assert.deepEqual(encodings(bytes), before);
      // The second drawing of the photo is half as large.
      const expected = images.map((_, index) => (index === 4 ? 2 * image_dpi : image_dpi));
      for (const [index, { ppi }] of images.entries())
        assert.ok(Math.abs(ppi - (expected[index] ?? 0)) <= 3, `${ppi} of ${expected[index] ?? 0}`);
      assert.deepEqual([report.images, report.changed, report.scaled], [5, 5, 5]);
      assert.deepEqual((await difference(bytes, original)) < 3, true);
    });

  test('are never enlarged', async () => {
    const { bytes, report } = await recompressed({ image_dpi: 600 });
    assert.deepEqual(
      list(bytes).map(({ width }) => width),
      list(original).map(({ width }) => width),
    );
    assert.equal(report.changed, 0);
  });

  test('are recompressed at a lower JPEG quality if they are JPEG; other images stay unchanged', async () => {
    const { bytes, report } = await recompressed({ jpeg_quality: 40 });
    assert.deepEqual(encodings(bytes), before);
    assert.equal(report.scaled, 0);
    assert.equal(report.bytesAfter < report.bytesBefore - 5000, true);
    assert.deepEqual((await difference(bytes, original)) < 3, true);
  });

  test('stay unchanged when a JPEG of that quality would be larger', async () => {
    const small = (await recompressed({ jpeg_quality: 30 })).bytes;
    const { report } = await recompressed({ jpeg_quality: 95 }, small);
    assert.deepEqual([report.changed, report.bytesAfter], [0, report.bytesBefore]);
  });

  test('are converted to JPEG with convert_images_to_jpeg=opaque, except for transparent images', async () => {
    const { bytes } = await recompressed({ convert_images_to_jpeg: 'opaque', jpeg_quality: 90 });
    assert.deepEqual(encodings(bytes), [
      'image jpeg',
      'image image',
      'smask image',
      ...Array<string>(3).fill('image jpeg'),
    ]);
    assert.deepEqual((await difference(bytes, original)) < 1, true);
  });

  test('are all converted to JPEG with convert_images_to_jpeg=all, transparent images on white', async () => {
    const { bytes } = await recompressed({ convert_images_to_jpeg: 'all', jpeg_quality: 90 });
    assert.deepEqual(encodings(bytes), Array(5).fill('image jpeg'));
    assert.deepEqual((await difference(bytes, original)) < 1, true);
  });

  test('are converted to JPEG on the given background colour', async () => {
    const { bytes } = await recompressed({
      convert_images_to_jpeg: 'all',
      background: 'ff8800',
      image_dpi: 100,
    });
    assert.deepEqual(encodings(bytes), Array(5).fill('image jpeg'));
    assertNear(await colourAt(bytes, 3, 46), [255, 136, 0]);
    assertNear(await colourAt(bytes, 21, 60), [30, 160, 30]);
  });

  test('are measured at their displayed size, also inside form XObjects', async () => {
    const paper = { width: 2, height: 1.5 };
    const document = await readPdf(original);
    placeOnPaper(document, { scale: 0.5, paper, left: 0, bottom: 0 });
    const half = Buffer.from(await writePdf(document));
    const { bytes } = await recompressed({ image_dpi: 150 }, half);
    const [first] = list(bytes);
    assert.equal(first?.width, 45);
    assert.deepEqual((await difference(bytes, half)) < 3, true);
  });

  test('are found in tiled backgrounds', async () => {
    const { bytes, report } = await recompressed({ image_dpi: 100, convert_images_to_jpeg: 'opaque' });
    assert.equal(report.images, 5);
    assertNear(await colourAt(bytes, 178, 4), [240, 200, 0], 12);
    assertNear(await colourAt(bytes, 189, 4), [90, 0, 90], 12);
  });
});

test('forms that draw each other have a limited number of placements', async () => {
  const document = await PDFDocument.create();
  const { context } = document;
  const form = (content: string, xobject: PDFRef) =>
    context.register(
      context.flateStream(content, {
        Type: 'XObject',
        Subtype: 'Form',
        BBox: [0, 0, 9, 9],
        Resources: { XObject: { X: xobject } },
      }),
    );
  const drawn = context.register(
    context.stream(Buffer.alloc(1), {
      Type: 'XObject',
      Subtype: 'Image',
      Width: 1,
      Height: 1,
      ColorSpace: 'DeviceGray',
      BitsPerComponent: 8,
    }),
  );
  let outermost = form('/X Do '.repeat(50_000), drawn);
  assert.equal(extentsOf(document, outermost).size, 1);
  for (let level = 0; level < 5; level += 1) outermost = form('/X Do ', outermost);
  assert.equal(extentsOf(document, outermost).size, 0);
});

/** Returns the extents of images on a page that draws the form. */
function extentsOf(document: PDFDocument, form: PDFRef) {
  const { node } = document.getPageCount() === 0 ? document.addPage() : document.getPage(0);
  const { context } = document;
  node.set(PDFName.of('Resources'), context.obj({ XObject: { X: form } }));
  node.set(PDFName.of('Contents'), context.register(context.stream('/X Do')));
  return imageExtents(document);
}

describe('an image that Chromium did not write', () => {
  const strong = { image_dpi: 50, convert_images_to_jpeg: 'all', jpeg_quality: 50 } as const;
  const square = { Type: 'XObject', Subtype: 'Image', Width: 100, Height: 100 };

  /** Adds a page of one square inch that the image fills, and returns the PDF. */
  async function drawn(document: PDFDocument, image: PDFRawStream): Promise<Uint8Array> {
    const { context } = document;
    const page = document.addPage([72, 72]);
    page.node.setXObject(PDFName.of('X'), context.register(image));
    const content = context.register(context.stream('72 0 0 72 0 0 cm /X Do'));
    page.node.set(PDFName.of('Contents'), content);
    return document.save({ useObjectStreams: false });
  }

  type ImageEntries = Record<string, string | number | (string | number | PDFHexString)[]>;

  async function remade(entries: ImageEntries, pixels: Uint8Array): Promise<Recompressed> {
    const document = await PDFDocument.create();
    const image = document.context.stream(pixels, { ...square, ...entries });
    return recompressed(strong, await drawn(document, image));
  }

  const unsupported: readonly (readonly [what: string, ...Parameters<typeof remade>])[] = [
    ['CMYK', { ColorSpace: 'DeviceCMYK', BitsPerComponent: 8 }, Buffer.alloc(40_000)],
    ['one bit deep', { ColorSpace: 'DeviceGray', BitsPerComponent: 1 }, Buffer.alloc(1300)],
    [
      'painted with a colour key',
      { ColorSpace: 'DeviceGray', BitsPerComponent: 8, Mask: [1, 1] },
      Buffer.alloc(10_000),
    ],
    ['inverted', { ColorSpace: 'DeviceGray', BitsPerComponent: 8, Decode: [1, 0] }, Buffer.alloc(10_000)],
    ['truncated', { ColorSpace: 'DeviceRGB', BitsPerComponent: 8 }, Buffer.alloc(29_999)],
    ['damaged', { ColorSpace: 'DeviceRGB', BitsPerComponent: 8, Filter: 'FlateDecode' }, Buffer.from('no')],
    [
      'declared as JPEG but not a JPEG',
      { ColorSpace: 'DeviceRGB', BitsPerComponent: 8, Filter: 'DCTDecode' },
      Buffer.from('no'),
    ],
    [
      'larger than 100 million pixels',
      { Width: 10_001, Height: 10_001, ColorSpace: 'DeviceGray', BitsPerComponent: 8, Filter: 'FlateDecode' },
      deflateSync(Buffer.alloc(10_001 ** 2)),
    ],
    [
      'longer than its pixels',
      { ColorSpace: 'DeviceGray', BitsPerComponent: 8, Filter: 'FlateDecode' },
      deflateSync(Buffer.alloc(1e6)),
    ],
    ['JBIG2', { ColorSpace: 'DeviceGray', BitsPerComponent: 8, Filter: 'JBIG2Decode' }, Buffer.from('no')],
  ];
  for (const [what, entries, pixels] of unsupported)
    test(`is unchanged when it is ${what}`, async () => {
      const { report } = await remade(entries, pixels);
      assert.deepEqual([report.images, report.changed], [1, 0]);
    });

  for (const [space, channels] of Object.entries({ DeviceRGB: 3, DeviceGray: 1 }))
    test(`is downscaled when it is plain ${space}`, async () => {
      const entries = { ColorSpace: space, BitsPerComponent: 8 };
      const { report } = await remade(entries, Buffer.alloc(10_000 * channels, 200));
      assert.deepEqual([report.changed, report.scaled], [1, 1]);
    });

  describe('and that is transparent', { skip: !installed && 'poppler is not installed' }, () => {
    async function masked(colours: ImageEntries, pixels: Uint8Array, alpha: Uint8Array): Promise<Uint8Array> {
      const document = await PDFDocument.create();
      const { context } = document;
      const grey = { ColorSpace: 'DeviceGray', BitsPerComponent: 8 };
      const mask = context.register(context.stream(alpha, { ...square, ...grey }));
      return drawn(document, context.stream(pixels, { ...square, ...grey, ...colours, SMask: mask }));
    }

    test('is blended with the background colour, even if it is a greyscale image', async () => {
      const options = { ...strong, background: '2040C0' };
      const bytes = await masked({}, Buffer.alloc(10_000, 90), Buffer.alloc(10_000, 0));
      const image = await readImage(pdfImage((await recompressed(options, bytes)).bytes));
      assertNear(image.at(36, 36), [32, 64, 192], 12);
    });

    test('has no dark fringe from transparent pixels when it is scaled', async () => {
      const columns = Array.from({ length: 10_000 }, (_, at) => at % 100 < 49);
      const pixels = Buffer.from(columns.flatMap((shown) => (shown ? [30, 160, 30] : [0, 0, 0])));
      const alpha = Buffer.from(columns.map((shown) => (shown ? 255 : 0)));
      const bytes = await masked({ ColorSpace: 'DeviceRGB' }, pixels, alpha);
      const image = await readImage(pdfImage((await recompressed({ image_dpi: 50 }, bytes)).bytes, 4));
      // The colours blend linearly from green to white; black from transparent pixels would make them darker.
      for (let x = 0; x < image.width; x += 1) {
        const [red, green] = image.at(x, 144);
        const expected = 255 - ((255 - red) * (255 - 160)) / (255 - 30);
        assert.ok(green >= expected - 12, `${green} of ${expected} at ${x}`);
      }
    });
  });

  test(
    'keeps its colours if it has a palette',
    { skip: !installed && 'poppler is not installed' },
    async () => {
      const palette = PDFHexString.of('C800000000C8');
      const { bytes } = await remade(
        { ColorSpace: ['Indexed', 'DeviceRGB', 1, palette], BitsPerComponent: 8 },
        Buffer.alloc(10_000, 1),
      );
      const image = await readImage(pdfImage(bytes));
      assertNear(image.at(36, 36), [0, 0, 200]);
    },
  );
});
