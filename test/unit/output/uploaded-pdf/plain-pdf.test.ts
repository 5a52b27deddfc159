import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { PDFDocument, PDFName, PDFString, type PDFContext, type PDFObject } from '@cantoo/pdf-lib';
import { readPdf } from '../../../../main/output/finish/pdf-document.ts';
import { plainPages, plainPdf, TooComplex } from '../../../../main/output/uploaded-pdf/plain-pdf.ts';
import { temporaryFolder } from '../../../support/service/service.ts';

const task = { maxPages: 1, maxObjects: 1000 };

/** Creates a PDF whose pages have a square. */
async function documentOf(pages: number): Promise<PDFDocument> {
  const document = await PDFDocument.create();
  for (let page = 0; page < pages; page += 1) document.addPage([200, 100]).drawRectangle();
  return document;
}

async function bytesOf(document: PDFDocument): Promise<Buffer> {
  return Buffer.from(await document.save({ useObjectStreams: false }));
}

/** Adds the source text before the first object of a PDF. */
async function withText(text: string | Buffer): Promise<Buffer> {
  const pdf = await bytesOf(await documentOf(1));
  const at = pdf.indexOf('1 0 obj');
  return Buffer.concat([pdf.subarray(0, at), Buffer.from(text), pdf.subarray(at)]);
}

/** Creates a PDF whose page needs the object. */
async function withResource(make: (context: PDFContext) => PDFObject): Promise<Buffer> {
  const document = await documentOf(1);
  document.getPage(0).node.set(PDFName.of('Resources'), document.context.obj({ X: make(document.context) }));
  return bytesOf(document);
}

describe('a plain PDF', () => {
  test('has the used pages and nothing that only other pages need', async () => {
    const document = await documentOf(3);
    for (const [index, page] of document.getPages().entries())
      page.node.set(PDFName.of('Resources'), document.context.obj({ Note: PDFString.of(`note ${index}`) }));
    document.setTitle('Title');
    const { bytes } = await plainPdf(await bytesOf(document), { ...task, maxPages: 2 });
    const text = Buffer.from(bytes).toString('latin1');
    assert.equal(plainPages(await readPdf(bytes)).length, 2);
    assert.deepEqual(
      ['note 0', 'note 1', 'note 2'].map((note) => text.includes(note)),
      [true, true, false],
    );
    assert.doesNotMatch(text, /Title/);
  });

  test('has no objects, long names and long texts that the document does not need', async () => {
    const objects = [`[${'[]'.repeat(600_000)}]`, `(${'a'.repeat(1_100_000)})`, `/${'a'.repeat(11_000)}`];
    const { bytes } = await plainPdf(
      await withText(objects.map((object, index) => `${90 + index} 0 obj ${object} endobj\n`).join('')),
      task,
    );
    assert.ok(bytes.length < 3000);
  });

  test('has the sizes of the pages, and no form for an empty page', async () => {
    const document = await documentOf(1);
    document.addPage([300, 400]);
    const { bytes } = await plainPdf(await bytesOf(document), { ...task, maxPages: 2 });
    const pages = plainPages(await readPdf(bytes));
    assert.deepEqual(
      pages.map(({ width, height, form }) => [width, height, form !== undefined]),
      [
        [200, 100, true],
        [300, 400, false],
      ],
    );
  });

  const qpdf = spawnSync('qpdf', ['--version']).error === undefined;
  test(
    'is not encrypted, and needs a password only if the document cannot be opened without one',
    { skip: !qpdf && 'qpdf is not installed' },
    async () => {
      const folder = temporaryFolder();
      const source = join(folder, 'plain.pdf');
      const locked = join(folder, 'locked.pdf');
      writeFileSync(source, await bytesOf(await documentOf(1)));
      const encrypted = (password: string) => {
        spawnSync('qpdf', ['--encrypt', password, 'owner', '256', '--', source, locked]);
        return readFileSync(locked);
      };
      await assert.rejects(plainPdf(encrypted('secret'), task), /NEEDS PASSWORD/);
      const { bytes } = await plainPdf(encrypted(''), task);
      assert.ok(!Buffer.from(bytes).includes('/Encrypt'));
      rmSync(folder, { recursive: true });
    },
  );
});

describe('a PDF is too complex', () => {
  const packed = (bytes: Uint8Array) => deflateSync(bytes, { level: 1 });
  const huge = packed(Buffer.alloc(101e6, ' '));
  const refuses = (bytes: Uint8Array, more = {}) =>
    assert.rejects(plainPdf(bytes, { ...task, ...more }), TooComplex);

  async function withContents(streams: (context: PDFContext) => PDFObject): Promise<Uint8Array> {
    const document = await PDFDocument.create();
    document.addPage().node.set(PDFName.of('Contents'), streams(document.context));
    return document.save({ useObjectStreams: false });
  }

  for (const [name, streams] of Object.entries<(context: PDFContext) => PDFObject>({
    'in one stream': (context) => context.register(context.stream(huge, { Filter: 'FlateDecode' })),
    'in a stream with two filters': (context) =>
      context.register(context.stream(packed(huge), { Filter: ['FlateDecode', 'FlateDecode'] })),
    'in a stream that is listed many times': (context) => {
      const stream = context.register(context.flateStream(Buffer.alloc(2e6, ' ')));
      return context.obj(Array.from({ length: 51 }, () => stream));
    },
  }))
    test(`with more than 100 MB of content ${name}`, async () => {
      await refuses(await withContents(streams));
    });

  test('with more than 100 MB of content in an object stream', async () => {
    const head = `99 0 obj <</Type/ObjStm/N 0/First 0/Filter/FlateDecode/Length ${huge.length}>> stream\n`;
    await refuses(
      await withText(Buffer.concat([Buffer.from(head), huge, Buffer.from('\nendstream endobj\n')])),
    );
  });

  for (const [name, make] of Object.entries<(context: PDFContext) => PDFObject>({
    'many objects': (context) => context.obj(Array.from({ length: 1001 }, () => [])),
    'a long text': () => PDFString.of('a'.repeat(1_000_001)),
    'a long name': () => PDFName.of('a'.repeat(1_000_001)),
    'deeply nested objects': (context) => {
      let object: PDFObject = context.obj([]);
      for (let depth = 0; depth < 501; depth += 1) object = context.obj([object]);
      return object;
    },
  }))
    test(`with ${name}`, async () => {
      await refuses(await withResource(make));
    });

  test('with pages that share a long content stream', async () => {
    const source = await PDFDocument.create();
    const stream = source.context.stream(deflateSync(Buffer.alloc(30e6), { level: 0 }), {
      Filter: 'FlateDecode',
    });
    const content = source.context.register(stream);
    for (let page = 0; page < 4; page += 1) source.addPage().node.set(PDFName.of('Contents'), content);
    const bytes = await bytesOf(source);
    assert.equal(
      plainPages(await readPdf((await plainPdf(bytes, { ...task, maxPages: 3 })).bytes)).length,
      3,
    );
    await refuses(bytes, { maxPages: 4 });
  });

  test('with many nodes of the page tree that have the same pages', async () => {
    const kids = (number: number) => Array.from({ length: 3000 }, () => `${number} 0 R`).join(' ');
    const objects = [
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/Count 1/Kids[${kids(3)}]>>`,
      `<</Type/Pages/Count 1/Parent 2 0 R/Kids[${kids(4)}]>>`,
      `<</Type/Pages/Count 1/Parent 3 0 R/Kids[${kids(5)}]>>`,
      '<</Type/Page/Parent 4 0 R/MediaBox[0 0 9 9]>>',
    ].map((object, index) => `${index + 1} 0 obj ${object} endobj\n`);
    const end = 'trailer <</Root 1 0 R/Size 6>>\nstartxref\n0\n%%EOF\n';
    await refuses(Buffer.from(`%PDF-1.7\n${objects.join('')}${end}`));
  });
});

test('a truncated file, and one that only begins like a PDF, are errors', async () => {
  const pdf = await bytesOf(await documentOf(1));
  await assert.rejects(plainPdf(pdf.subarray(0, 100), task), /truncated/);
  await assert.rejects(plainPdf(Buffer.from('%PDF-1.7\nnothing of the kind'), task));
});
