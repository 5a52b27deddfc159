import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PDFDocument, PDFName, PDFNull, StandardFonts } from '@cantoo/pdf-lib';
import { pdfFileOf } from '../../../../main/output/finish/pdf-document.ts';
import { characterMap, inspectFile, inspectPdf } from '../../../../main/output/pdf-reader/inspect-pdf.ts';
import { openPdf } from '../../../../main/output/pdf-reader/pdf-file.ts';

const margin = 0.4;
const margins = { top: margin, right: margin, bottom: margin, left: margin };

async function documentOf(pages: number): Promise<PDFDocument> {
  const document = await PDFDocument.create();
  for (let page = 0; page < pages; page += 1) document.addPage([100, 100]);
  return document;
}

async function plain(document: PDFDocument): Promise<Buffer> {
  return Buffer.from(await document.save({ useObjectStreams: false, addDefaultPage: false }));
}

describe('the pages of a PDF with a plain cross-reference table', () => {
  test('are counted', async () => {
    for (const pages of [1, 2, 10, 1000])
      assert.equal(inspectPdf(await plain(await documentOf(pages))).pages, pages);
  });

  test('are counted after some were removed, even if the catalogue is the last object', async () => {
    const document = await documentOf(10);
    const pages = document.getPages();
    for (const index of [7, 3, 2]) document.removePage(index);
    const { context } = document;
    context.trailerInfo.Root = context.register(document.catalog.clone());
    assert.equal(inspectPdf(await plain(document)).pages, pages.length - 3);
  });

  test('are counted even if the title looks like PDF syntax', async () => {
    const document = await documentOf(3);
    document.setTitle('/Count 99 /Pages 1 0 R trailer /Root 1 0 R endobj');
    assert.equal(inspectPdf(await plain(document)).pages, 3);
  });
});

test('a PDF with an unsupported structure causes an error, never a wrong page count', async () => {
  const streams = Buffer.from(await (await documentOf(3)).save({ useObjectStreams: true }));
  const validPdf = await plain(await documentOf(3));
  const appended = Buffer.from(validPdf.toString('latin1').replace('/Size', '/Prev 9 /Size'), 'latin1');
  const broken = [
    streams,
    appended,
    Buffer.alloc(0),
    Buffer.from('%PDF-1.4'),
    validPdf.subarray(0, -100),
    Buffer.concat([validPdf, Buffer.from('more')]),
  ];
  for (const bytes of broken)
    assert.throws(() => inspectPdf(bytes), /^Error: The PDF (has no|is encrypted or has) /);
});

test('the pages of a document that pdf-lib has parsed are counted', async () => {
  const bytes = await (await documentOf(3)).save({ useObjectStreams: true });
  assert.equal(inspectFile(pdfFileOf(await PDFDocument.load(bytes))).pages, 3);
});

/** Returns whether both readers find an A4 page with this content blank. Two pages that are not blank precede it. */
async function isBlank(content: string, prepare: (document: PDFDocument) => void = () => {}) {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let page = 0; page < 3; page += 1) {
    const { node } = document.addPage([595.28, 841.89]);
    const stream = document.context.flateStream(page === 2 ? content : '0 0 9 9 re f');
    node.set(PDFName.of('Contents'), document.context.register(stream));
    node.set(PDFName.of('Resources'), document.context.obj({ Font: { F1: font.ref } }));
  }
  prepare(document);
  const bytes = await plain(document);
  const light = inspectPdf(bytes, margins);
  const parsed = inspectFile(pdfFileOf(await PDFDocument.load(bytes)), margins);
  for (const inspection of [light, parsed]) {
    assert.deepEqual([0, 1, 3].map(inspection.isBlank), [false, false, false]);
    assert.equal(inspection.isBlank(2), light.isBlank(2), 'both readers agree');
  }
  return light.isBlank(2);
}

/** How Chromium starts the content of an A4 page with these margins: the unit is a pixel, and y points downwards. */
const canvas = '.24 0 0 -.24 0 841.92 cm q 3.125 0 0 3.125 118.75 118.75 cm ';

describe('a page is blank', () => {
  const contents = {
    'without content': '',
    'with a clip alone': `${canvas} 0 0 717 1045 re W* n Q`,
    'with only a background that fills its print area': `${canvas} 1 .9 .9 rg 0 0 717 1045 re f Q`,
    'with only a background that fills its margins too': '.5 g 0 0 595.28 841.89 re f',
    'with white on white': `${canvas} 1 1 1 rg 0 0 717 1045 re f 10 10 50 50 re f 1 2 m 3 4 l 5 9 l f Q`,
    'with invisible text': 'BT /F1 9 Tf 3 Tr (words) Tj ET',
    'with a path that is never painted': '0 0 9 9 re n',
  };
  for (const [name, content] of Object.entries(contents))
    test(name, async () => {
      assert.equal(await isBlank(content), true);
    });

  test('with only links', async () => {
    const withLink = (subtype: string) => (document: PDFDocument) => {
      const note = { Type: 'Annot', Subtype: subtype, Rect: [0, 0, 9, 9] };
      document.getPage(2).node.addAnnot(document.context.register(document.context.obj(note)));
    };
    assert.equal(await isBlank('', withLink('Link')), true);
    assert.equal(await isBlank('', withLink('Widget')), false);
  });

  test('with only characters that its font maps to spaces', async () => {
    const cmap =
      '1 beginbfchar <20> <00A0> endbfchar 1 beginbfrange <30> <32> [<0020> <2003> <0041>] endbfrange';
    const withCmap = (document: PDFDocument) => {
      const { Font: fonts } = document.getPage(2).node.normalizedEntries();
      const font = document.context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' });
      font.set(PDFName.of('ToUnicode'), document.context.register(document.context.flateStream(cmap)));
      fonts.set(PDFName.of('F2'), font);
    };
    assert.equal(await isBlank('BT /F2 9 Tf ( 0) Tj [(1) -20 (0)] TJ ET', withCmap), true);
    assert.equal(await isBlank('BT /F2 9 Tf ( 02) Tj ET', withCmap), false);
    assert.equal(await isBlank('BT /F2 9 Tf (3) Tj ET', withCmap), false);
    assert.equal(await isBlank('BT /F1 9 Tf ( ) Tj ET', withCmap), false, 'a font without a ToUnicode map');
  });
});

describe('a page is not blank', () => {
  const contents = {
    'with text': 'BT /F1 9 Tf (words) Tj ET',
    'with text after the Q operator has ended invisible text': 'q BT 3 Tr ET Q BT /F1 9 Tf [(w)] TJ ET',
    'with a line': '0 0 m 9 9 l S',
    'with a form or an image': '/X1 Do',
    'with an inline image': 'BI /W 1 /H 1 /BPC 8 /CS /G ID x EI',
    'with a shading': '/S1 sh',
    'with a gradient for a background': `${canvas} /Pattern cs /P3 scn 0 0 717 1045 re f Q`,
    'with a bar across the page': `${canvas} .5 g 0 0 717 20 re f Q`,
    'with a white bar on a coloured background': `${canvas} .5 g 0 0 717 1045 re f 1 g 0 0 717 20 re f Q`,
    'with a colour that a clip restricts to a part of the page': `${canvas} q 0 0 9 9 re W n .5 g 0 0 717 1045 re f Q Q`,
    'with a colour in a shape with a hole': `${canvas} .5 g 0 0 717 1045 re 9 9 9 9 re f* Q`,
    'with a rotated background': '.7 .7 -.7 .7 300 0 cm .5 g 0 0 595 842 re f',
  };
  for (const [name, content] of Object.entries(contents))
    test(name, async () => {
      assert.equal(await isBlank(content), false);
    });

  test('when its content cannot be read', async () => {
    const isRead = await isBlank('', (document) => {
      const { context } = document;
      const broken = context.stream('not deflated', { Filter: 'FlateDecode' });
      document.getPage(2).node.set(PDFName.of('Contents'), context.register(broken));
    });
    assert.equal(isRead, false);
  });
});

describe('the main thread reads', () => {
  /** Opens a printed PDF, and counts the objects and streams that are read. */
  async function counting(document: PDFDocument) {
    const file = openPdf(await plain(document));
    const reads = { objects: 0, streams: 0 };
    const resolve: typeof file.resolve = (value) => {
      reads.objects += 1;
      return file.resolve(value);
    };
    const stream: typeof file.stream = (value, maxBytes) => {
      reads.streams += 1;
      return file.stream(value, maxBytes);
    };
    return { inspection: inspectFile({ ...file, resolve, stream }, margins), reads };
  }

  test('no page with more than 1000 links', async () => {
    const document = await documentOf(1);
    const { context } = document;
    const link = context.register(context.obj({ Type: 'Annot', Subtype: 'Link', Rect: [0, 0, 9, 9] }));
    document.getPage(0).node.set(PDFName.of('Annots'), context.obj(Array.from({ length: 1001 }, () => link)));
    const { inspection, reads } = await counting(document);
    assert.equal(inspection.isBlank(0), false);
    assert.ok(reads.objects < 50, `${reads.objects} objects`);
  });

  test('no more than 100 kB of the content of a page', async () => {
    const fits = ' '.repeat(99_000);
    assert.deepEqual([await isBlank(fits), await isBlank(`${fits}  `.repeat(2))], [true, false]);
  });

  test('a font once, even if all pages have it', async () => {
    const document = await documentOf(5);
    const { context } = document;
    const cmap = context.register(context.stream('1 beginbfchar <20> <0020> endbfchar'));
    const font = context.register(context.obj({ Type: 'Font', Subtype: 'Type1', ToUnicode: cmap }));
    for (const { node } of document.getPages()) {
      node.set(PDFName.of('Resources'), context.obj({ Font: { F1: font } }));
      node.set(PDFName.of('Contents'), context.register(context.stream('BT /F1 9 Tf ( ) Tj ET')));
    }
    const { inspection, reads } = await counting(document);
    for (let page = 0; page < 5; page += 1) assert.equal(inspection.isBlank(page), true);
    assert.equal(reads.streams, 5 + 1);
  });

  test('the wanted destinations in steps', async () => {
    const document = await documentOf(3);
    const { context } = document;
    const destinations = context.obj({});
    const [, second] = document.getPages();
    for (let id = 0; id < 100_000; id += 1)
      destinations.set(PDFName.of(`id${id}`), context.obj([second?.ref ?? PDFNull, 'XYZ', 0, 0, 0]));
    document.catalog.set(PDFName.of('Dests'), context.register(destinations));
    const { inspection, reads } = await counting(document);
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    const pages = await inspection.pagesOfDestinations(new Set(['id7', 'id99999', 'none']));
    clearInterval(timer);
    assert.deepEqual(Object.fromEntries(pages), { id7: 1, id99999: 1 });
    assert.ok(turns > 0, 'no other work was possible');
    assert.ok(reads.objects < 50, `${reads.objects} objects`);
  });
});

test('a map of characters that repeats its ranges is read up to a limit', () => {
  const map = characterMap(Buffer.from(`${'<0000> <ffff> <0041>\n'.repeat(50_000)}endbfrange`));
  assert.equal(map.size, 65_536);
  assert.equal(map.get(1), 'B');
});
