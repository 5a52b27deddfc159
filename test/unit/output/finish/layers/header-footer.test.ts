import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  decodePDFRawStream,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFRawStream,
  PDFString,
  rgb,
  StandardFonts,
} from '@cantoo/pdf-lib';
import {
  placeHeaderFooter,
  type PlacedHeaderFooter,
} from '../../../../../main/output/finish/layers/header-footer.ts';
import {
  assertBox,
  assertValid,
  pixels,
  saveDocument,
  webLinks,
} from '../../../../support/output/finished-pdf.ts';
import { pdfText } from '../../../../support/output/pdf.ts';
import { extent, type Colour } from '../../../../support/output/image.ts';

const red: Colour = [255, 0, 0];

/** Creates headers of 100 by 20 points: text, and a red square of 10 points with links in the upper left corner. */
async function createHeaders(texts: readonly string[]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const text of texts) {
    const page = document.addPage([100, 20]);
    if (text === '') continue;
    page.drawText(text, { x: 20, y: 5, size: 10, font });
    page.drawRectangle({ x: 0, y: 10, width: 10, height: 10, color: rgb(1, 0, 0) });
    const { context } = document;
    const link = (action: Record<string, string | number[]>, url?: string) =>
      context.obj({
        Type: 'Annot',
        Subtype: 'Link',
        Rect: [0, 10, 10, 20],
        StructParent: 7,
        P: page.ref,
        A: { ...action, ...(url === undefined ? {} : { URI: PDFString.of(url) }) },
      });
    const links = [link({ S: 'URI' }, `https://example.com/${text}`), link({ S: 'GoTo', D: [0] })];
    page.node.set(PDFName.of('Annots'), context.obj(links.map((link) => context.register(link))));
  }
  return document.save({ useObjectStreams: false });
}

async function body(pages: number): Promise<PDFDocument> {
  const document = await PDFDocument.create();
  for (let page = 0; page < pages; page += 1) document.addPage([200, 100]);
  return document;
}

const atTop: PlacedHeaderFooter = { page: 0, left: 50, bottom: 80, width: 100, height: 20 };

test('each page with a place for a header gets its own header', async () => {
  const document = await body(4);
  const placements = [{ ...atTop, page: 1 }, undefined, { ...atTop, page: 0 }];
  await placeHeaderFooter(document, {
    kind: 'Header',
    pdf: await createHeaders(['one', 'two']),
    places: placements,
  });
  const pdf = await saveDocument(document);
  assert.deepEqual(
    [1, 2, 3, 4].map((page) => pdfText(pdf, page)),
    ['two', '', 'one', ''],
  );
  assertValid(pdf);
});

test('a footer is moved and scaled to fill its box', async () => {
  const document = await body(1);
  const box = { page: 0, left: 40, bottom: 30, width: 50, height: 40 };
  await placeHeaderFooter(document, { kind: 'Footer', pdf: await createHeaders(['x']), places: [box] });
  const square = extent(await pixels(document, 1, 2), red);
  // Half the width and twice the height: 5 by 20 points, at 40 from the left and 30 from the top; here in half points.
  assertBox(square, { left: 80, top: 60, right: 89, bottom: 99 });
});

test('web links keep their position and target; other links are dropped', async () => {
  const document = await body(1);
  const box = { page: 0, left: 40, bottom: 30, width: 50, height: 40 };
  await placeHeaderFooter(document, { kind: 'Footer', pdf: await createHeaders(['x']), places: [box] });
  assert.deepEqual(webLinks(document), [{ url: 'https://example.com/x', box: [40, 50, 45, 70] }]);
  const [link] = document.getPage(0).node.Annots()?.asArray() ?? [];
  const keys = document.context.lookup(link, PDFDict).keys();
  assert.ok(!keys.includes(PDFName.of('P')) && !keys.includes(PDFName.of('StructParent')));
});

test('a matrix transforms header and links about the upper left corner of the box, with y downwards', async () => {
  const document = await body(1);
  const place: PlacedHeaderFooter = { ...atTop, matrix: [2, 0, 10, 0, 3, 5] };
  await placeHeaderFooter(document, { kind: 'Header', pdf: await createHeaders(['x']), places: [place] });
  assertBox(extent(await pixels(document), red), { left: 60, top: 5, right: 79, bottom: 34 });
  assert.deepEqual(webLinks(document), [{ url: 'https://example.com/x', box: [60, 65, 80, 95] }]);
});

test('the links of the page itself remain', async () => {
  const document = await PDFDocument.load(await createHeaders(['own']));
  await placeHeaderFooter(document, {
    kind: 'Header',
    pdf: await createHeaders(['x']),
    places: [{ ...atTop, left: 0 }],
  });
  const urls = webLinks(document).map(({ url }) => url);
  assert.deepEqual(urls, ['https://example.com/own', 'https://example.com/x']);
});

test('an empty header adds nothing', async () => {
  const document = await body(1);
  const pdf = await createHeaders(['', 'x']);
  await placeHeaderFooter(document, { kind: 'Header', pdf, places: [atTop] });
  assert.equal(document.getPage(0).node.Contents()?.toString(), undefined);
});

test('only headers that are placed on a page are copied, and their common font is copied once', async () => {
  const document = await body(3);
  const pdf = await createHeaders(Array.from({ length: 50 }, (_, n) => `header${n}`));
  const places = [0, 1, 0].map((page) => ({ ...atTop, page }));
  await placeHeaderFooter(document, { kind: 'Header', pdf, places });
  const objects = document.context.enumerateIndirectObjects().map(([, object]) => object);
  const count = (key: string, value: string) =>
    objects.filter((object) => {
      const dict = object instanceof PDFRawStream ? object.dict : object;
      return dict instanceof PDFDict && dict.get(PDFName.of(key)) === PDFName.of(value);
    }).length;
  assert.deepEqual([count('Subtype', 'Form'), count('Type', 'Font')], [2, 1]);
});

test('the tags of a header are removed, so they refer to no element of the document', async () => {
  const source = await PDFDocument.create();
  const page = source.addPage([100, 20]);
  const { context } = source;
  const lines = Array.from({ length: 30 }, (_, n) => `/P <</MCID ${n} >>BDC 1 0 0 rg 0 0 100 20 re f EMC`);
  const content = `${lines.join('\n')} /P /MC0 BDC 0 0 9 9 re f EMC`;
  page.node.set(PDFName.of('Contents'), context.register(context.flateStream(content)));
  page.node.set(PDFName.of('Resources'), context.obj({ Properties: { MC0: { MCID: 3 } } }));
  page.node.set(PDFName.of('StructParents'), context.obj(0));
  source.catalog.set(PDFName.of('StructTreeRoot'), context.obj({}));
  const document = await body(1);
  const pdf = await source.save({ useObjectStreams: false });
  await placeHeaderFooter(document, { kind: 'Header', pdf, places: [atTop] });
  const { left, right } = extent(await pixels(document), red) ?? {};
  assert.deepEqual([left, right], [50, 149]);
  assert.doesNotMatch(decoded(document), /MCID|StructParents/);
});

/** Returns all objects of the document as text, with uncompressed streams. */
function decoded(document: PDFDocument): string {
  return document.context
    .enumerateIndirectObjects()
    .map(([, object]) =>
      object instanceof PDFRawStream
        ? `${object.dict.toString()}${Buffer.from(decodePDFRawStream(object).decode()).toString('latin1')}`
        : object.toString(),
    )
    .join('\n');
}
