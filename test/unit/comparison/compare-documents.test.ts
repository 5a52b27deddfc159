import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { PDFDocument, PDFName, StandardFonts, degrees, type PDFPage } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import {
  compareDocuments,
  type DocumentDifference,
  type PagesDifference,
} from '../../../main/comparison/compare-documents.ts';
import type { PageImages } from '../../../main/comparison/page-images.ts';

/** Lines of text for each page. */
type TextOfPages = readonly (readonly string[])[];

interface ComparedPdfOptions {
  readonly size?: [number, number];
  readonly font?: StandardFonts;
  readonly title?: string;
  readonly left?: number;
  readonly change?: (document: PDFDocument, pages: readonly PDFPage[]) => void;
}

describe('two PDFs', () => {
  test('with the same bytes are not opened', async () => {
    const pdf = Buffer.from('%PDF- damaged');
    assert.deepEqual(await compareDocuments(pdf, Buffer.from(pdf)), { kind: 'identical bytes' });
  });

  test('with different bytes but the same content have no differences', async () => {
    const found = await comparePdfs([['Invoice 17'], ['Total']], [['Invoice 17'], ['Total']], { title: 'x' });
    assert.deepEqual(found, {
      kind: 'pages compared',
      pageCounts: { before: 2, after: 2 },
      pages: [
        { page: 1, kind: 'identical' },
        { page: 2, kind: 'identical' },
      ],
      textChanges: [],
      fonts: { before: [], after: [] },
    });
  });

  test('that differ in a word show it as removed and added, with images of that page only', async () => {
    const images: PageImages[] = [];
    const before = await pdfOf([['Cover'], ['Total: 100 euros']]);
    const after = await pdfOf([['Cover'], ['Total: 250 euros']]);
    const onDifferingPage = (page: PageImages) => Promise.resolve(void images.push(page));
    const found = pagesOf(await compareDocuments(before, after, { onDifferingPage }));
    assert.deepEqual(kindsOf(found), ['identical', 'differs']);
    assert.deepEqual(changesOf(found), ['removed 100 on 2', 'added 250 on 2']);
    const [differing] = images;
    assert.deepEqual(
      images.map(({ page }) => page),
      [2],
    );
    for (const image of [differing?.before, differing?.after, differing?.overlay]) {
      const { format, width, height } = await sharp(image).metadata();
      assert.deepEqual([format, width, height], ['png', 893, 1263]);
    }
    const { channels } = await sharp(differing?.overlay).stats();
    const [red, green] = channels;
    assert.ok(red !== undefined && green !== undefined && red.mean > green.mean + 0.05, 'pixels are red');
    assert.ok(green.min < 20, 'red is opaque');
  });

  test('show a moved line with the distance in points', async () => {
    const found = await comparePdfs([['Dear Sir or Madam']], [['Dear Sir or Madam']], { left: 62.5 });
    const [change, ...others] = found.textChanges;
    assert.deepEqual(others, []);
    assert.equal(change?.kind, 'moved');
    assert.equal(change.text, 'Dear Sir or Madam');
    assert.equal(change.words, 4);
    assert.equal(round(change.after?.x) - round(change.before?.x), 12.5);
    assert.deepEqual([round(change.before?.y), round(change.after?.y)], [100, 100]);
  });

  test('do not show a line that moved by half a point as moved', async () => {
    const found = await comparePdfs([['Dear Sir or Madam']], [['Dear Sir or Madam']], { left: 50.5 });
    assert.deepEqual(found.textChanges, []);
  });

  test('show the words that moved to the next page, and a page that only one has', async () => {
    const images: PageImages[] = [];
    const before = await pdfOf([['One', 'Signed by both parties']]);
    const after = await pdfOf([['One'], ['Signed by both parties']]);
    const onDifferingPage = (page: PageImages) => Promise.resolve(void images.push(page));
    const found = pagesOf(await compareDocuments(before, after, { onDifferingPage }));
    assert.deepEqual(found.pageCounts, { before: 1, after: 2 });
    assert.deepEqual(found.pages[1], { page: 2, kind: 'only', side: 'after' });
    assert.deepEqual(changesOf(found), ['moved Signed by both parties from 1 to 2']);
    assert.equal(images[1]?.before, undefined);
    assert.ok(images[1]?.after !== undefined);
    assert.equal(images[1].overlay, undefined);
  });

  test('show a page of another size as resized', async () => {
    const found = await comparePdfs([['A']], [['A']], { size: [612, 792] });
    const [page] = found.pages;
    assert.ok(page?.kind === 'differs');
    assert.ok(page.resized);
    assert.ok(page.share > 0.05 && page.share < 0.15, String(page.share));
  });

  test('show the fonts that only one of them uses', async () => {
    const found = await comparePdfs([['A'], ['B']], [['A'], ['B']], { font: StandardFonts.TimesRoman });
    assert.deepEqual(found.fonts, {
      before: [{ name: 'Helvetica', isEmbedded: false }],
      after: [{ name: 'Times-Roman', isEmbedded: false }],
    });
  });

  test('show embedded fonts without the prefix of the subset', async () => {
    const chromium = readFileSync(new URL('../../fixtures/chapters.pdf', import.meta.url));
    const found = pagesOf(await compareDocuments(chromium, await pdfOf([['A']])));
    assert.deepEqual(found.fonts.before, [{ name: 'LiberationSerif', isEmbedded: true }]);
  });

  test('with different rotations show words at their displayed positions', async () => {
    const turned = { change: (_: PDFDocument, [page]: readonly PDFPage[]) => page?.setRotation(degrees(90)) };
    const found = await comparePdfs([['Dear Sir']], [['Dear Sir']], turned);
    const [change] = found.textChanges;
    assert.equal(change?.kind, 'moved');
    assert.deepEqual([round(change.after?.x), round(change.after?.y)], [742, 50]);
  });

  test('show a changed value of a form field', async () => {
    const withField = (text: string) => ({
      change: (document: PDFDocument, [page]: readonly PDFPage[]) => {
        const field = document.getForm().createTextField('name');
        field.setText(text);
        if (page !== undefined) field.addToPage(page, { x: 50, y: 200, width: 200, height: 30 });
      },
    });
    const before = await pdfOf([['Name']], withField('Ada'));
    const after = await pdfOf([['Name']], withField('Grace'));
    assert.deepEqual(kindsOf(pagesOf(await compareDocuments(before, after))), ['differs']);
  });

  test('that are encrypted are opened with the password', async () => {
    const before = await encrypted([['A']]);
    const after = await encrypted([['B']]);
    const found = pagesOf(await compareDocuments(before, after, { password: 'secret' }));
    assert.deepEqual(changesOf(found), ['removed A on 1', 'added B on 1']);
  });

  test('are unreadable without the password, and the message says which one', async () => {
    const plain = await pdfOf([['A']]);
    const found = await compareDocuments(plain, await encrypted([['A']]), { password: 'wrong' });
    assert.ok(found.kind === 'unreadable');
    assert.equal(found.before, undefined);
    assert.match(found.after ?? '', /password/);
  });

  test('are unreadable if they are damaged', async () => {
    const found = await compareDocuments(Buffer.from('%PDF-1.7\nnothing'), await pdfOf([['A']]));
    assert.ok(found.kind === 'unreadable');
    assert.match(found.before ?? '', /damaged/);
  });

  test('with a page that cannot be read are compared on the other pages', async () => {
    const damaged = await pdfOf([['A'], ['B'], ['C']], {
      change: (document) => {
        const [, reference] = document.getPages().map(({ ref }) => ref);
        if (reference !== undefined) document.context.assign(reference, PDFName.of('Damaged'));
      },
    });
    const found = pagesOf(await compareDocuments(await pdfOf([['A'], ['B'], ['D']]), damaged));
    assert.deepEqual(kindsOf(found), ['identical', 'unknown', 'differs']);
    assert.deepEqual(changesOf(found), ['removed D on 3', 'added C on 3']);
  });

  test('stop at a page when they are aborted', async () => {
    const signal = AbortSignal.abort(new Error('stopped'));
    const before = await pdfOf([['A']]);
    const after = await pdfOf([['B']]);
    await assert.rejects(compareDocuments(before, after, { signal }), /stopped/);
  });

  test('pass on an error while the images are written', async () => {
    const before = await pdfOf([['A']]);
    const after = await pdfOf([['B']]);
    const onDifferingPage = () => Promise.reject(new Error('disk full'));
    await assert.rejects(compareDocuments(before, after, { onDifferingPage }), /disk full/);
  });
});

describe('two images', () => {
  test('with the same pixels are identical, whatever their compression', async () => {
    const image = sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } });
    const before = await image.png({ compressionLevel: 0 }).toBuffer();
    const after = await image.png({ compressionLevel: 9 }).toBuffer();
    assert.notDeepEqual(before, after);
    assert.deepEqual(kindsOf(pagesOf(await compareDocuments(before, after))), ['identical']);
  });

  for (const format of ['png', 'jpeg', 'webp', 'gif', 'tiff', 'avif'] as const)
    test(`in the format ${format} are compared by their pixels`, async () => {
      const found = pagesOf(await compareDocuments(await rows('white', format), await rows('black', format)));
      const [page] = found.pages;
      assert.ok(page?.kind === 'differs');
      assert.ok(Math.abs(page.share - 0.5) < 0.05, String(page.share));
    });

  test('show a transparent background as different from a white one', async () => {
    const filled = (alpha: number) =>
      sharp({ create: { width: 40, height: 30, channels: 4, background: { r: 255, g: 255, b: 255, alpha } } })
        .png()
        .toBuffer();
    assert.deepEqual(kindsOf(pagesOf(await compareDocuments(await filled(1), await filled(0)))), ['differs']);
  });

  test('with frames are compared frame by frame', async () => {
    const frameOf = (background: string) =>
      sharp({ create: { width: 20, height: 20, channels: 3, background } })
        .png()
        .toBuffer();
    const frames = async (colours: readonly string[]) =>
      sharp(await Promise.all(colours.map(frameOf)), { join: { animated: true } })
        .gif()
        .toBuffer();
    const before = await frames(['red', 'green', 'blue']);
    const after = await frames(['red', 'white']);
    const found = pagesOf(await compareDocuments(before, after));
    assert.deepEqual(found.pageCounts, { before: 3, after: 2 });
    assert.deepEqual(kindsOf(found), ['identical', 'differs', 'only']);
  });

  test('that are large are drawn smaller', async () => {
    const images: PageImages[] = [];
    const onDifferingPage = (page: PageImages) => Promise.resolve(void images.push(page));
    const options = { onDifferingPage, maxPixels: 1024 };
    const found = await compareDocuments(await rows('white', 'png'), await rows('black', 'png'), options);
    const { width, height } = await sharp(images[0]?.overlay).metadata();
    assert.deepEqual([width, height], [32, 32]);
    assert.deepEqual(kindsOf(pagesOf(found)), ['differs']);
  });

  test('that are damaged have an unknown page', async () => {
    const image = await rows('white', 'png');
    const found = pagesOf(await compareDocuments(image, image.subarray(0, image.length - 30)));
    assert.deepEqual(kindsOf(found), ['unknown']);
  });
});

test('files of different formats or of an unknown format are compared byte by byte only', async () => {
  const pdf = await pdfOf([['A']]);
  const png = await rows('white', 'png');
  const text = Buffer.from('text');
  for (const [before, after] of [
    [pdf, png],
    [png, await rows('white', 'webp')],
    [png, text],
    [text, Buffer.from('other text')],
  ] as const) {
    const found = await compareDocuments(before, after);
    assert.equal(found.kind, 'different bytes');
  }
});

async function comparePdfs(
  before: TextOfPages,
  after: TextOfPages,
  settings: ComparedPdfOptions,
): Promise<PagesDifference> {
  return pagesOf(await compareDocuments(await pdfOf(before), await pdfOf(after, settings)));
}

async function pdfOf(pages: TextOfPages, settings: ComparedPdfOptions = {}): Promise<Uint8Array> {
  return (await documentOf(pages, settings)).save({ useObjectStreams: false });
}

async function documentOf(pages: TextOfPages, settings: ComparedPdfOptions): Promise<PDFDocument> {
  const { size = [595, 842], font = StandardFonts.Helvetica, title = 'Test', left = 50, change } = settings;
  const document = await PDFDocument.create();
  document.setTitle(title);
  const embedded = await document.embedFont(font);
  for (const lines of pages) {
    const page = document.addPage(size);
    for (const [index, line] of lines.entries())
      page.drawText(line, { x: left, y: size[1] - 100 - 40 * index, size: 24, font: embedded });
  }
  change?.(document, document.getPages());
  return document;
}

async function encrypted(pages: TextOfPages): Promise<Uint8Array> {
  const document = await documentOf(pages, {});
  document.encrypt({ userPassword: 'secret', ownerPassword: 'owner' });
  return document.save();
}

/** An image whose upper half is red and whose lower half has the given colour. */
function rows(lower: string, format: 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff' | 'avif'): Promise<Buffer> {
  const half = (background: string) => ({
    create: { width: 64, height: 32, channels: 3 as const, background },
  });
  return sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
    .composite([{ input: half(lower), left: 0, top: 32 }])
    .toFormat(format)
    .toBuffer();
}

function pagesOf(found: DocumentDifference): PagesDifference {
  assert.ok(found.kind === 'pages compared', JSON.stringify(found));
  return found;
}

function kindsOf({ pages }: PagesDifference): string[] {
  return pages.map(({ kind }) => kind);
}

function changesOf({ textChanges }: PagesDifference): string[] {
  return textChanges.map(({ kind, text, before, after }) =>
    before !== undefined && after !== undefined
      ? `${kind} ${text} from ${before.page} to ${after.page}`
      : `${kind} ${text} on ${(before ?? after)?.page}`,
  );
}

function round(points = NaN): number {
  return Math.round(points * 10) / 10;
}
