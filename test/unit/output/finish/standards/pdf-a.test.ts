import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFRawStream,
  PDFString,
  StandardFonts,
  type PDFObject,
  type PDFRef,
} from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { conformToStandards } from '../../../../../main/output/finish/standards/conform.ts';
import { describeNonconformities } from '../../../../../main/output/finish/standards/nonconformity.ts';
import type { PdfA } from '../../../../../main/output/finish/standards/pdf-a.ts';
import { sRgbProfile } from '../../../../../main/output/finish/standards/srgb-profile.ts';
import { characterMap } from '../../../../../main/output/pdf-reader/inspect-pdf.ts';

const pdfA2u: PdfA = { part: 2, conformance: 'U' };

type DictionaryEntries = NonNullable<Parameters<PDFDocument['context']['stream']>[1]>;

async function documentWith(
  content: string,
  resources: (document: PDFDocument) => DictionaryEntries = () => ({}),
) {
  const document = await PDFDocument.create();
  const page = document.addPage([200, 200]);
  const { context } = document;
  page.node.set(PDFName.of('Resources'), context.obj(resources(document)));
  page.node.set(PDFName.of('Contents'), context.register(context.stream(content)));
  return document;
}

function rawStream({ context }: PDFDocument, reference: PDFObject | undefined): PDFRawStream {
  const stream = context.lookup(reference);
  assert.ok(stream instanceof PDFRawStream);
  return stream;
}

function reasonsFor(document: PDFDocument, pdfA = pdfA2u): readonly string[] {
  return conformToStandards(document, { pdfA, isStrict: true }, { fields: new Map(), invoice: undefined })
    .reasons;
}

function metadataOf(document: PDFDocument): string {
  return Buffer.from(rawStream(document, document.catalog.get(PDFName.of('Metadata'))).contents).toString();
}

test('a document that conforms claims its standard, and has an output intent', async () => {
  for (const pdfA of [pdfA2u, { part: 3, conformance: 'B' } as const]) {
    const document = await documentWith('1 0 0 rg 0 0 10 10 re f');
    assert.deepEqual(reasonsFor(document, pdfA), []);
    const metadata = metadataOf(document);
    assert.ok(metadata.includes(`<pdfaid:part>${pdfA.part}</pdfaid:part>`));
    assert.ok(metadata.includes(`<pdfaid:conformance>${pdfA.conformance}</pdfaid:conformance>`));
    const [intent] = document.catalog.lookup(PDFName.of('OutputIntents'), PDFArray).asArray();
    assert.equal(document.context.lookup(intent, PDFDict).get(PDFName.of('S')), PDFName.of('GTS_PDFA1'));
  }
});

test('the profile is the one that sharp attaches to images', async () => {
  const image = sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } });
  const { icc } = await sharp(await image.withIccProfile('srgb').png().toBuffer()).metadata();
  assert.deepEqual(Buffer.from(sRgbProfile), icc);
});

test('a font that is not embedded is named, with its page, and the document makes no claim', async () => {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.TimesRoman);
  document.addPage();
  document.addPage().drawText('text', { font });
  await document.flush();
  const [reason, ...others] = reasonsFor(document);
  assert.match(reason ?? '', /^page 2: the font Times-Roman is not embedded; /);
  assert.deepEqual(others, []);
  assert.doesNotMatch(metadataOf(document), /pdfaid/);
});

describe('content is refused if it uses', () => {
  const image = (entries: DictionaryEntries) => (document: PDFDocument) => ({
    XObject: {
      X: document.context.register(
        document.context.stream('x', { Type: 'XObject', Subtype: 'Image', Width: 1, Height: 1, ...entries }),
      ),
    },
  });
  const state = (entries: DictionaryEntries) => () => ({ ExtGState: { G: entries } });
  for (const [what, content, resources, expected] of [
    ['CMYK colours', '0 0 0 1 k', undefined, /CMYK/],
    ['a CMYK image', '/X Do', image({ ColorSpace: 'DeviceCMYK' }), /CMYK/],
    [
      'a spot colour over CMYK',
      '/S cs',
      () => ({ ColorSpace: { S: ['Separation', 'Red', 'DeviceCMYK', null] } }),
      /CMYK/,
    ],
    ['LZW', '/X Do', image({ Filter: 'LZWDecode' }), /LZW/],
    ['a smoothed image', '/X Do', image({ Interpolate: true }), /Interpolate/],
    ['an unknown blend mode', '/G gs', state({ BM: 'Strange' }), /blend mode/],
    ['a transfer function', '/G gs', state({ TR: 'Identity' }), /transfer function/],
    ['an unknown rendering intent', '/Best ri', undefined, /rendering intent/],
    ['29 nested states', `${'q '.repeat(29)}${'Q '.repeat(29)}`, undefined, /28 levels/],
  ] as const)
    test(what, async () => {
      const reasons = reasonsFor(await documentWith(content, resources));
      assert.equal(reasons.length, 1, reasons.join());
      assert.match(reasons[0] ?? '', expected);
    });
});

test('content inside forms is checked', async () => {
  const document = await documentWith('/F Do', ({ context }) => ({
    XObject: {
      F: context.register(
        context.stream('1 0 0 0 K', { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 1, 1], Resources: {} }),
      ),
    },
  }));
  assert.match(reasonsFor(document)[0] ?? '', /CMYK/);
});

describe('text', () => {
  /** A document that shows the codes 5 and 6, which stand for the text "fi", in a font that maps code 5 to U+0000. */
  async function withGlyphs(content: string) {
    let map: PDFRef | undefined;
    const document = await documentWith(content, ({ context }) => {
      map = context.register(context.stream('2 beginbfchar <0005> <0000> <0007> <0041> endbfchar'));
      const descriptor = { Type: 'FontDescriptor', FontFile2: context.register(context.stream('font')) };
      const descendant = {
        Type: 'Font',
        Subtype: 'CIDFontType2',
        BaseFont: 'ABCDEF+Own',
        FontDescriptor: descriptor,
      };
      const font = {
        Type: 'Font',
        Subtype: 'Type0',
        Encoding: 'Identity-H',
        DescendantFonts: [descendant],
        ToUnicode: map,
      };
      return { Font: { F: font } };
    });
    assert.ok(map);
    return { document, map };
  }

  test('gets the characters that marked content names', async () => {
    const { document, map } = await withGlyphs(
      'BT /F 1 Tf /Span << /ActualText <feff00660069> >> BDC <0005> Tj <0006> Tj EMC <0007> Tj ET',
    );
    assert.deepEqual(reasonsFor(document), []);
    assert.deepEqual(
      [...characterMap(decodePDFRawStream(rawStream(document, map)).decode())],
      [
        [5, 'fi'],
        [6, '\u200b'],
        [7, 'A'],
      ],
    );
  });

  test('without characters is refused for level u only', async () => {
    const content = 'BT /F 1 Tf <0005> Tj ET';
    assert.match(
      reasonsFor((await withGlyphs(content)).document)[0] ?? '',
      /^page 1: a glyph of the font Own has no character/,
    );
    assert.deepEqual(reasonsFor((await withGlyphs(content)).document, { part: 2, conformance: 'B' }), []);
  });

  test('with a glyph that no font has is refused', async () => {
    const { document } = await withGlyphs('BT /F 1 Tf [<0007> 10 <0000>] TJ ET');
    assert.match(reasonsFor(document)[0] ?? '', /no installed font has/);
  });
});

test('all fonts together have a limited number of characters', async () => {
  const withFonts = (count: number) => {
    const names = Array.from({ length: count }, (_, index) => `F${index}`);
    return documentWith(names.map((name) => `/${name} 1 Tf (A) Tj`).join(' '), ({ context }) => {
      const map = context.register(context.stream('<0000> <ffff> <0041> endbfrange'));
      const font = { Type: 'Font', Subtype: 'Type3', ToUnicode: map };
      return { Font: Object.fromEntries(names.map((name) => [name, font])) };
    });
  };
  assert.deepEqual(reasonsFor(await withFonts(20)), []);
  assert.match(reasonsFor(await withFonts(40)).join(), /a glyph of the font without a name has no character/);
});

test('annotations are printed and visible, and form fields lose their actions, which is reported', async () => {
  const document = await documentWith('');
  const { context } = document;
  const page = document.getPage(0);
  const link = context.obj({ Type: 'Annot', Subtype: 'Link', Rect: [0, 0, 1, 1], F: 2 });
  const button = context.obj({
    Type: 'Annot',
    Subtype: 'Widget',
    Rect: [0, 0, 1, 1],
    A: { S: 'SubmitForm' },
  });
  page.node.set(PDFName.of('Annots'), context.obj([link, button]));
  const { reasons, removals } = conformToStandards(
    document,
    { pdfA: pdfA2u, isStrict: true },
    { fields: new Map(), invoice: undefined },
  );
  assert.deepEqual(reasons, []);
  assert.equal(link.get(PDFName.of('F'))?.toString(), '4');
  assert.equal(button.has(PDFName.of('A')), false);
  assert.match(removals.join(), /^One button no longer submits/);
});

test('a string of more than 32,767 bytes is refused', async () => {
  const document = await documentWith('');
  document.context.register(document.context.obj({ URI: PDFString.of('x'.repeat(32_768)) }));
  assert.match(reasonsFor(document).join(), /32,767 bytes/);
});

test('each reason appears once, with its first page, and long lists are cut', () => {
  assert.deepEqual(
    describeNonconformities([{ page: 3, reason: 'a' }, { page: 2, reason: 'a' }, { reason: 'b' }]),
    ['b', 'page 2: a'],
  );
  const many = Array.from({ length: 30 }, (_, index) => ({ page: 1, reason: String(index) }));
  assert.equal(describeNonconformities(many).at(-1), '10 further reasons');
});
