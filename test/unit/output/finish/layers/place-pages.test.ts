import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFNumber,
  PDFRef,
  rgb,
  type PDFObject,
} from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { inspectPdf } from '../../../../../main/output/pdf-reader/inspect-pdf.ts';
import { readPdf, writePdf } from '../../../../../main/output/finish/pdf-document.ts';
import { placeOnPaper } from '../../../../../main/output/finish/layers/place-pages.ts';
import type { ContentPlacement } from '../../../../../main/output/pdf/print-plan.ts';

interface SampleDocument {
  readonly document: PDFDocument;
  readonly page: PDFDict;
  readonly pageRef: PDFRef;
}

/** Creates a page of 200 by 100 points with a red square of 10 points in its lower left corner, and a second page. */
async function makeSample(): Promise<SampleDocument> {
  const document = await PDFDocument.create();
  const page = document.addPage([200, 100]);
  page.drawRectangle({ x: 0, y: 0, width: 10, height: 10, color: rgb(1, 0, 0) });
  document.addPage([50, 60]);
  return { document, page: page.node, pageRef: page.ref };
}

/** Scales pages by two, on paper of 600 by 400 points, 72 points from the left and 36 points from the bottom. */
const placement: ContentPlacement = {
  scale: 2,
  paper: { width: 600 / 72, height: 400 / 72 },
  left: 1,
  bottom: 0.5,
};

async function placed(
  { document }: SampleDocument,
  more: Partial<ContentPlacement> = {},
): Promise<PDFDocument> {
  const bytes = Buffer.from(await document.save({ useObjectStreams: false }));
  const printed = await readPdf(bytes);
  placeOnPaper(printed, { ...placement, ...more });
  const result = Buffer.from(await writePdf(printed));
  assert.equal(inspectPdf(result).pages, 2);
  return PDFDocument.load(result);
}

function numbers(document: PDFDocument, object: PDFObject | undefined): (number | string)[] {
  const array = document.context.lookup(object, PDFArray);
  return array
    .asArray()
    .map((element) =>
      element instanceof PDFNumber
        ? element.asNumber()
        : element instanceof PDFRef
          ? 'ref'
          : element.toString(),
    );
}

function firstPage(document: PDFDocument): PDFDict {
  const [page] = document.getPages();
  assert.ok(page);
  return page.node;
}

test('every placed page has the size of the paper', async () => {
  const document = await placed(await makeSample());
  const sizes = document.getPages().map((page) => page.getMediaBox());
  assert.deepEqual(sizes, Array(2).fill({ x: 0, y: 0, width: 600, height: 400 }));
});

describe('a link', () => {
  test('moves with the content under it', async () => {
    const sample = await makeSample();
    const { context } = sample.document;
    const link = context.register(
      context.obj({ Type: 'Annot', Subtype: 'Link', Rect: [10, 20, 30, 40], Border: [0, 0, 0] }),
    );
    sample.page.set(PDFName.of('Annots'), context.obj([link]));
    const document = await placed(sample);
    const [only] = document.context.lookup(firstPage(document).get(PDFName.of('Annots')), PDFArray).asArray();
    assert.deepEqual(
      numbers(document, document.context.lookup(only, PDFDict).get(PDFName.of('Rect'))),
      [92, 76, 132, 116],
    );
  });

  test('keeps its target and zoom, whether it has a direct or a named destination or is in the outline', async () => {
    const sample = await makeSample();
    const { context, catalog } = sample.document;
    const xyz = (left: number | null, top: number, zoom: number) =>
      context.obj([sample.pageRef, 'XYZ', left, top, zoom]);
    const link = context.register(
      context.obj({ Type: 'Annot', Subtype: 'Link', Rect: [0, 0, 1, 1], Dest: xyz(10, 90, 1.5) }),
    );
    sample.page.set(PDFName.of('Annots'), context.obj([link]));
    catalog.set(PDFName.of('Dests'), context.obj({ here: context.register(xyz(5, 50, 0)) }));
    catalog.set(
      PDFName.of('Outlines'),
      context.register(
        context.obj({ First: context.register(context.obj({ A: { S: 'GoTo', D: xyz(null, 80, 0) } })) }),
      ),
    );
    const document = await placed(sample);
    const { context: after } = document;
    const [only] = after.lookup(firstPage(document).get(PDFName.of('Annots')), PDFArray).asArray();
    assert.deepEqual(numbers(document, after.lookup(only, PDFDict).get(PDFName.of('Dest'))), [
      'ref',
      '/XYZ',
      92,
      216,
      1.5,
    ]);
    const dests = after.lookup(document.catalog.get(PDFName.of('Dests')), PDFDict);
    assert.deepEqual(numbers(document, dests.get(PDFName.of('here'))), ['ref', '/XYZ', 82, 136, 0]);
    const outline = after
      .lookup(document.catalog.get(PDFName.of('Outlines')), PDFDict)
      .lookup(PDFName.of('First'), PDFDict);
    assert.deepEqual(numbers(document, outline.lookup(PDFName.of('A'), PDFDict).get(PDFName.of('D'))), [
      'ref',
      '/XYZ',
      'null',
      196,
      0,
    ]);
  });
});

describe('a clip', () => {
  /** The lower left quarter of the page content on the paper. */
  const clip = { left: 72, bottom: 36, width: 200, height: 100 };

  test('hides content outside it', async () => {
    const at = await pixelsOf(await placed(await makeSample(), { clip: { ...clip, width: 10 } }));
    assert.deepEqual([at(76, 350), at(88, 350)], ['red', 'white']);
  });

  test('cuts links at its edges, and removes those outside it', async () => {
    const sample = await makeSample();
    const { context } = sample.document;
    const link = (Rect: number[]) => context.register(context.obj({ Type: 'Annot', Subtype: 'Link', Rect }));
    sample.page.set(PDFName.of('Annots'), context.obj([link([90, 10, 120, 30]), link([150, 10, 160, 30])]));
    const document = await placed(sample, { clip });
    const links = document.context.lookup(firstPage(document).get(PDFName.of('Annots')), PDFArray).asArray();
    const rectangles = links.map((link) => document.context.lookup(link, PDFDict).get(PDFName.of('Rect')));
    assert.deepEqual(
      rectangles.map((rectangle) => numbers(document, rectangle)),
      [[252, 56, 272, 96]],
    );
  });
});

describe('a matrix', () => {
  test('transforms the content, its links and destinations about its upper left corner, with y downwards', async () => {
    const sample = await makeSample();
    const { context, catalog } = sample.document;
    const Rect = [0, 0, 10, 10];
    const link = context.register(
      context.obj({ Type: 'Annot', Subtype: 'Link', Rect, QuadPoints: [0, 10, 10, 0] }),
    );
    sample.page.set(PDFName.of('Annots'), context.obj([link]));
    catalog.set(PDFName.of('Dests'), context.obj({ here: [sample.pageRef, 'XYZ', 10, 10, 0] }));
    // The corner is at 72 and 236 points; the matrix halves the width, takes 3/4 of the height, and moves by 40 right and 20 down.
    const document = await placed(sample, { matrix: [0.5, 0, 40, 0, 0.75, 20] });
    const at = await pixelsOf(document);
    // The square reaches from 112 to 122 horizontally, and from 66 to 81 above the bottom of the page, which is 400 high.
    assert.deepEqual([at(113, 320), at(120, 332), at(113, 332)], ['red', 'red', 'red']);
    assert.deepEqual([at(110, 325), at(124, 325), at(116, 316), at(116, 336)], Array(4).fill('white'));
    const only = document.context.lookup(firstPage(document).get(PDFName.of('Annots')), PDFArray).get(0);
    const moved = document.context.lookup(only, PDFDict);
    assert.deepEqual(numbers(document, moved.get(PDFName.of('Rect'))), [112, 66, 122, 81]);
    assert.deepEqual(numbers(document, moved.get(PDFName.of('QuadPoints'))), [112, 81, 122, 66]);
    const dests = document.context.lookup(document.catalog.get(PDFName.of('Dests')), PDFDict);
    assert.deepEqual(numbers(document, dests.get(PDFName.of('here'))), ['ref', '/XYZ', 122, 81, 0]);
  });

  test('transforms gradients with the content', async () => {
    const sample = await makeSample();
    addGradient(sample);
    const at = await pixelsOf(await placed(sample, { matrix: [0.5, 0, 40, 0, 0.5, 0] }));
    assert.deepEqual([at(112 + 90, 190), at(112 + 110, 190)], ['red', 'blue']);
  });
});

const pdftoppm = spawnSync('pdftoppm', ['-v']).error === undefined;

describe('the content of a page', { skip: !pdftoppm && 'pdftoppm is not installed' }, () => {
  test('is scaled with the page, and starts at the margins', async () => {
    const at = await pixelsOf(await placed(await makeSample()));
    // One pixel per point; the square is 20 high and 36 from the bottom, so it starts 344 from the top.
    assert.deepEqual([at(74, 346), at(90, 362)], ['red', 'red']);
    assert.deepEqual([at(69, 350), at(95, 350), at(80, 341), at(80, 367)], Array(4).fill('white'));
  });

  test('is scaled together with its gradients, whose matrices ignore that of the page (ISO 32000-1, 8.7.3.1)', async () => {
    const sample = await makeSample();
    addGradient(sample);
    const before = await pixelsOf(sample.document);
    assert.deepEqual([before(90, 50), before(110, 50)], ['red', 'blue']);
    const after = await pixelsOf(await placed(sample));
    assert.deepEqual([after(72 + 180, 264), after(72 + 220, 264)], ['red', 'blue']);
  });
});

/** Adds a gradient over the whole first page: red on the left half, blue on the right. */
function addGradient({ document, page }: SampleDocument): void {
  const { context } = document;
  const colour = (from: readonly number[]) => ({
    FunctionType: 2,
    Domain: [0, 1],
    C0: [...from],
    C1: [...from],
    N: 1,
  });
  const halves = {
    FunctionType: 3,
    Domain: [0, 1],
    Functions: [colour([1, 0, 0]), colour([0, 0, 1])],
    Bounds: [0.5],
    Encode: [0, 1, 0, 1],
  };
  const shading = {
    ShadingType: 2,
    ColorSpace: 'DeviceRGB',
    Coords: [0, 0, 1, 0],
    Extend: [true, true],
    Function: halves,
  };
  const pattern = context.register(
    context.obj({ Type: 'Pattern', PatternType: 2, Matrix: [200, 0, 0, 200, 0, 0], Shading: shading }),
  );
  page.set(PDFName.of('Resources'), context.obj({ Pattern: { P0: pattern } }));
  page.set(PDFName.of('Contents'), context.register(context.stream('/Pattern cs /P0 scn 0 0 200 100 re f')));
}

/** Renders the first page at one pixel per point. Returns a function that returns the colour of a pixel. */
async function pixelsOf(document: PDFDocument) {
  const { stdout, stderr } = spawnSync('pdftoppm', ['-r', '72', '-f', '1', '-l', '1', '-png', '-'], {
    input: await document.save({ useObjectStreams: false }),
    maxBuffer: 1e8,
  });
  assert.notEqual(stdout.length, 0, stderr.toString());
  const { data, info } = await sharp(stdout).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return (x: number, y: number) => {
    const start = (y * info.width + x) * info.channels;
    const [red = 0, green = 0, blue = 0] = data.subarray(start, start + 3);
    if (green > 200) return 'white';
    return red > blue ? 'red' : 'blue';
  };
}
