import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { degrees, PDFDocument, PDFName, PDFRawStream, PDFString, rgb } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { stampPages as stampPlain, type Stamp } from '../../../../../main/output/finish/stamps/stamps.ts';
import { isPdf } from '../../../../../main/output/pdf-reader/pdf-file.ts';
import { plainPdf } from '../../../../../main/output/uploaded-pdf/plain-pdf.ts';
import { Failure } from '../../../../../main/failure/failure.ts';
import { assertBox, assertValid, pixels, saveDocument } from '../../../../support/output/finished-pdf.ts';
import { extent, isNear, type Colour } from '../../../../support/output/image.ts';

const red: Colour = [255, 0, 0];
const green: Colour = [0, 255, 0];
const blue: Colour = [0, 0, 255];
const white: Colour = [255, 255, 255];

/** Creates pages of 200 by 100 points with a blue square of 20 points in the lower left corner. */
async function body(pages: number): Promise<PDFDocument> {
  const document = await PDFDocument.create();
  for (let page = 0; page < pages; page += 1)
    document.addPage([200, 100]).drawRectangle({ x: 0, y: 0, width: 20, height: 20, color: rgb(0, 0, 1) });
  return document;
}

/** Creates a PDF with one page for each colour. The colour fills the page except for a tenth at each edge. */
async function paper(width: number, height: number, colours: readonly Colour[] = [red]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (const [r, g, b] of colours)
    document.addPage([width, height]).drawRectangle({
      x: width / 10,
      y: height / 10,
      width: width * 0.8,
      height: height * 0.8,
      color: rgb(r / 255, g / 255, b / 255),
    });
  return document.save();
}

function image([width, height]: readonly [number, number], [r, g, b]: Colour, alpha = 1) {
  return sharp({ create: { width, height, channels: 4, background: { r, g, b, alpha } } });
}

function stamp(bytes: Uint8Array, more: Partial<Stamp> = {}): Stamp {
  return { name: 'page_watermark', bytes, position: 'over', multipage: false, ...more };
}

/** Converts the PDFs first, as the service does in a subprocess. */
async function stampPages(document: PDFDocument, stamps: readonly Stamp[]): Promise<void> {
  const task = { maxPages: document.getPageCount(), maxObjects: Infinity };
  const plain = async ({ bytes, ...more }: Stamp) => ({
    ...more,
    bytes: isPdf(bytes) ? (await plainPdf(bytes, task)).bytes : bytes,
  });
  await stampPlain(document, await Promise.all(stamps.map(plain)));
}

describe('a stamped PDF', () => {
  test('of another size is fitted into the page and centred', async () => {
    const document = await body(1);
    await stampPages(document, [stamp(await paper(500, 500))]);
    assertBox(extent(await pixels(document), red), { left: 60, top: 10, right: 139, bottom: 89 });
    assertValid(await saveDocument(document));
  });

  test("of nearly the page's size is not scaled", async () => {
    const document = await body(1);
    await stampPages(document, [stamp(await paper(198, 102))]);
    const box = extent(await pixels(document, 1, 10), red);
    assertBox(box, { left: 208, top: 92, right: 1791, bottom: 907 });
  });

  test('with rotation, crop box and user units is placed as viewers show it', async () => {
    const source = await PDFDocument.create();
    const page = source.addPage([300, 300]);
    page.drawRectangle({ x: 100, y: 100, width: 50, height: 100, color: rgb(0, 1, 0) });
    page.drawRectangle({ x: 100, y: 180, width: 50, height: 20, color: rgb(1, 0, 0) });
    page.drawRectangle({ x: 0, y: 0, width: 90, height: 300, color: rgb(1, 0, 0) });
    page.setCropBox(100, 100, 50, 100);
    page.setRotation(degrees(90));
    page.node.set(PDFName.of('UserUnit'), source.context.obj(2));
    const document = await body(1);
    await stampPages(document, [stamp(await source.save())]);
    // Rotated clockwise, the upper end is on the right; with 2 points per unit it is as large as the page.
    const image = await pixels(document);
    assertBox(extent(image, red), { left: 160, top: 0, right: 199, bottom: 99 });
    assertBox(extent(image, green), { left: 0, top: 0, right: 159, bottom: 99 });
  });

  test('is behind the content as a background and in front of it as a watermark', async () => {
    for (const [place, colour] of [
      ['under', blue],
      ['over', red],
    ] as const) {
      const document = await body(1);
      document.getPage(0).drawRectangle({ x: 90, y: 40, width: 20, height: 20, color: rgb(0, 0, 1) });
      await stampPages(document, [stamp(await paper(200, 100), { position: place })]);
      const image = await pixels(document);
      assert.deepEqual([image.at(100, 50), image.at(50, 50)], [colour, red]);
    }
  });

  test('of several pages puts its first page on every page, or with multipage its pages in turn, repeating the last', async () => {
    const bytes = await paper(200, 100, [red, green]);
    for (const [multipage, expected] of [
      [false, [red, red, red]],
      [true, [red, green, green]],
    ] as const) {
      const document = await body(3);
      await stampPages(document, [stamp(bytes, { multipage })]);
      const rendered = await Promise.all(
        [1, 2, 3].map(async (page) => (await pixels(document, page)).at(100, 50)),
      );
      assert.deepEqual(rendered, expected);
    }
  });

  test('is embedded once for a thousand pages', async () => {
    const document = await body(1000);
    const before = (await saveDocument(document)).length;
    await stampPages(document, [stamp(await paper(200, 100))]);
    const forms = document.context
      .enumerateIndirectObjects()
      .filter(([, object]) => object instanceof PDFRawStream && object.dict.has(PDFName.of('BBox')));
    assert.equal(forms.length, 1);
    assert.ok((await saveDocument(document)).length - before < 100_000);
  });
});

test('pages of a stamped PDF that share their resources share the copy', async () => {
  const source = await PDFDocument.create();
  const resources = source.context.register(source.context.obj({ Long: PDFString.of('x'.repeat(100_000)) }));
  for (let number = 0; number < 50; number += 1) {
    const page = source.addPage([200, 100]);
    page.drawRectangle({ width: 10, height: 10 });
    page.node.set(PDFName.of('Resources'), resources);
  }
  const document = await body(50);
  await stampPages(document, [stamp(await source.save(), { multipage: true })]);
  assert.ok((await saveDocument(document)).length < 50 * 100_000);
});

describe('a stamped image', () => {
  test('is fitted and centred, and keeps its transparency', async () => {
    const document = await body(1);
    document.getPage(0).drawRectangle({ x: 90, y: 40, width: 20, height: 20, color: rgb(0, 0, 1) });
    await stampPages(document, [stamp(await image([10, 10], red, 0.5).png().toBuffer())]);
    const rendered = await pixels(document);
    assert.ok(isNear(rendered.at(60, 20), [255, 127, 127], 3), String(rendered.at(60, 20)));
    assert.ok(isNear(rendered.at(100, 50), [128, 0, 127], 3), String(rendered.at(100, 50)));
    assert.deepEqual([rendered.at(48, 20), rendered.at(152, 20)], [white, white]);
    assertValid(await saveDocument(document));
  });

  const opaque = image([20, 10], red);
  const formats = {
    PNG: () => opaque.clone().png().toBuffer(),
    'palette PNG': () => opaque.clone().png({ palette: true }).toBuffer(),
    'interlaced PNG': () => opaque.clone().png({ progressive: true }).toBuffer(),
    '16-bit PNG': () => opaque.clone().toColourspace('rgb16').png().toBuffer(),
    JPEG: () => opaque.clone().jpeg({ quality: 100 }).toBuffer(),
    'CMYK JPEG': () => opaque.clone().removeAlpha().toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer(),
    'JPEG with a colour profile': () => opaque.clone().withIccProfile('p3').jpeg({ quality: 100 }).toBuffer(),
    WebP: () => opaque.clone().webp({ lossless: true }).toBuffer(),
    GIF: () => opaque.clone().gif().toBuffer(),
    TIFF: () => opaque.clone().tiff({ compression: 'lzw' }).toBuffer(),
    AVIF: () => opaque.clone().avif({ lossless: true }).toBuffer(),
    SVG: () =>
      Promise.resolve(
        Buffer.from(
          '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="20" height="10" fill="red"/></svg>',
        ),
      ),
  };
  for (const [format, make] of Object.entries(formats)) {
    test(`may be ${format}`, async () => {
      const document = await body(1);
      await stampPages(document, [stamp(await make())]);
      const rendered = await pixels(document);
      for (const [x, y] of [
        [100, 50],
        [3, 3],
        [196, 96],
      ] as const)
        assert.ok(
          isNear(rendered.at(x, y), red, 30),
          `${format} at ${x}, ${y}: ${String(rendered.at(x, y))}`,
        );
      assertValid(await saveDocument(document));
    });
  }

  test('in shades of grey stays grey', async () => {
    const grey = await image([20, 10], [128, 128, 128]).removeAlpha().toColourspace('b-w').jpeg().toBuffer();
    const document = await body(1);
    await stampPages(document, [stamp(grey)]);
    assert.ok(isNear((await pixels(document)).at(100, 50), [128, 128, 128]));
  });

  test('is rotated by its EXIF orientation', async () => {
    const lying = await sharp({ create: { width: 10, height: 20, channels: 3, background: 'red' } })
      .composite([{ input: await image([10, 4], green).png().toBuffer(), top: 0, left: 0 }])
      .withMetadata({ orientation: 6 })
      .withIccProfile('srgb', { attach: false })
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .toBuffer();
    const document = await body(1);
    await stampPages(document, [stamp(lying)]);
    const rendered = await pixels(document);
    assert.ok(isNear(rendered.at(190, 50), green, 40), String(rendered.at(190, 50)));
    assert.ok(isNear(rendered.at(10, 50), red, 40), String(rendered.at(10, 50)));
  });

  test('is embedded unchanged if it is a JPEG', async () => {
    const jpeg = await image([20, 10], red).jpeg().toBuffer();
    const document = await body(1);
    await stampPages(document, [stamp(jpeg)]);
    assert.ok((await saveDocument(document)).includes(jpeg));
  });

  test('is embedded at print resolution if it is an SVG', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><rect width="1" height="1" fill="red"/></svg>';
    const document = await body(1);
    await stampPages(document, [stamp(Buffer.from(svg))]);
    const rendered = await pixels(document, 1, 4);
    assert.deepEqual([rendered.at(397, 200), rendered.at(403, 200)], [red, white]);
  });

  test('of several pages (TIFF) is placed page by page with multipage, repeating the last', async () => {
    const pages = await Promise.all([red, green].map((colour) => image([20, 10], colour).png().toBuffer()));
    const tiff = await sharp(pages, { join: { animated: true } })
      .tiff({ compression: 'lzw' })
      .toBuffer();
    assert.equal((await sharp(tiff).metadata()).pages, 2);
    const document = await body(3);
    await stampPages(document, [stamp(tiff, { multipage: true })]);
    const rendered = await Promise.all(
      [1, 2, 3].map(async (page) => (await pixels(document, page)).at(100, 50)),
    );
    assert.deepEqual(rendered, [red, green, green]);
  });
});

describe('the file of a stamp is refused, with the option and the reason, if it is', () => {
  const refused = async (bytes: Uint8Array, pattern: RegExp) => {
    await assert.rejects(stampPages(await body(1), [stamp(bytes, { name: 'page_background' })]), (error) => {
      assert.ok(error instanceof Failure && error.kind === 'valueNotAllowed');
      assert.match(error.message, /^The file of page_background is /);
      assert.match(error.message, pattern);
      return true;
    });
  };

  test('empty, plain text or an HTML page', async () => {
    await refused(Buffer.alloc(0), /is empty; send a PDF document or an image\.$/);
    await refused(Buffer.from('hello'), /neither a PDF document nor an image; send a PDF, PNG, /);
    await refused(Buffer.from('<!doctype html><p>hello'), /neither a PDF document nor an image/);
  });

  test('a damaged image', async () => {
    const png = await image([300, 300], red).png({ compressionLevel: 0 }).toBuffer();
    await refused(png.subarray(0, png.length / 2), /a damaged image; save it again/);
    const jpeg = await sharp({
      create: {
        width: 300,
        height: 300,
        channels: 3,
        background: 'red',
        noise: { type: 'gaussian', mean: 128, sigma: 50 },
      },
    })
      .jpeg()
      .toBuffer();
    await refused(jpeg.subarray(0, jpeg.length / 2), /a damaged image/);
  });

  test('an image of more than 100 million pixels', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="30000" height="30000"><rect/></svg>';
    await refused(Buffer.from(svg), /more than 100 million pixels; send a smaller image/);
  });

  test('an SVG with text, which needs fonts, whether compressed or not', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="9">Draft</text></svg>';
    await refused(Buffer.from(svg), /an SVG drawing with text, which needs fonts; convert the text to paths/);
    await refused(gzipSync(svg), /an SVG drawing with text/);
  });
});
