import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { PDFDict, PDFDocument, PDFName, PDFString } from '@cantoo/pdf-lib';
import { XMLParser } from 'fast-xml-parser';
import { SyntaxValidator } from 'fast-xml-validator';
import { setDocumentInfo, type DocumentInfo } from '../../../../main/output/finish/document-info.ts';

const producer = 'Platen 1.0';

/** Creates a document with the properties that Chromium writes: title, creator, producer, time. */
async function printed(): Promise<PDFDocument> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.addPage([200, 100]);
  document.setTitle('From the page');
  document.setCreator('Mozilla/5.0 Chrome');
  document.setProducer('Skia/PDF m130');
  document.setCreationDate(new Date('2026-11-21T12:04:29Z'));
  return document;
}

async function withInfo(...infos: DocumentInfo[]): Promise<Buffer> {
  const document = await printed();
  for (const info of infos) setDocumentInfo(document, info);
  return Buffer.from(await document.save({ useObjectStreams: false }));
}

function pdfinfo(bytes: Buffer, ...parameters: string[]): string {
  const { stdout, stderr, status } = spawnSync('pdfinfo', [...parameters, '-'], { input: bytes });
  assert.equal(status, 0, stderr.toString());
  return stdout.toString();
}

function dictionary(bytes: Buffer): Record<string, string> {
  const lines = pdfinfo(bytes, '-isodates').split('\n');
  return Object.fromEntries(
    lines.map((line) => [line.split(':')[0] ?? '', line.replace(/^[^:]*:\s*/, '')] as const),
  );
}

/** Returns the text of each XMP property. @throws Error if the metadata is not well-formed */
function metadata(bytes: Buffer): Record<string, string> {
  const packet = pdfinfo(bytes, '-meta');
  SyntaxValidator.validate(packet);
  const parser = new XMLParser({ removeNSPrefix: false, parseTagValue: false });
  const parsed = parser.parse(packet) as {
    'x:xmpmeta': { 'rdf:RDF': { 'rdf:Description': Record<string, unknown> } };
  };
  const properties = parsed['x:xmpmeta']['rdf:RDF']['rdf:Description'];
  const text = (value: unknown): string =>
    typeof value === 'string' ? value : text(Object.values(value as object)[0]);
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, text(value)]));
}

const installed = spawnSync('pdfinfo', ['-v']).error === undefined;

describe('document information', { skip: !installed && 'pdfinfo is not installed' }, () => {
  const texts = {
    title: 'Résumé – Übersicht 你好 😀',
    author: 'Søren & <Łukasz>',
    subject: 'one "two" \'three\' ]]>',
    keywords: 'a, b; c',
  };

  test('is written to the info dictionary and the XMP metadata, in any writing system', async () => {
    const bytes = await withInfo({ ...texts, producer });
    const { Title, Author, Subject, Keywords, Producer } = dictionary(bytes);
    assert.deepEqual(
      { title: Title, author: Author, subject: Subject, keywords: Keywords, producer: Producer },
      { ...texts, producer },
    );
    const xmp = metadata(bytes);
    assert.deepEqual(
      {
        title: xmp['dc:title'],
        author: xmp['dc:creator'],
        subject: xmp['dc:description'],
        keywords: xmp['pdf:Keywords'],
        producer: xmp['pdf:Producer'],
      },
      { ...texts, producer },
    );
  });

  test('keeps the title, creator and date of the printed page unless overridden', async () => {
    const bytes = await withInfo({ author: 'Ann', producer });
    const { Title, Author, Creator, CreationDate } = dictionary(bytes);
    assert.deepEqual([Title, Author, Creator], ['From the page', 'Ann', 'Mozilla/5.0 Chrome']);
    const xmp = metadata(bytes);
    assert.deepEqual([xmp['dc:title'], xmp['xmp:CreatorTool']], ['From the page', 'Mozilla/5.0 Chrome']);
    assert.equal(xmp['xmp:CreateDate'], '2026-11-21T12:04:29Z');
    assert.equal(CreationDate, '2026-11-21T12:04:29Z');
  });

  test('has no entries for values that are not given', async () => {
    const bytes = await withInfo({ producer });
    assert.equal(dictionary(bytes).Author, undefined);
    assert.deepEqual(
      Object.keys(metadata(bytes)).filter((name) => /creator|description|Keywords/.test(name)),
      [],
    );
  });

  test('can be replaced', async () => {
    const bytes = await withInfo({ title: 'The first', producer }, { title: 'The second', producer });
    assert.equal(metadata(bytes)['dc:title'], 'The second');
    assert.equal(bytes.includes('The first'), false);
  });

  test('stays readable with characters that XML cannot contain', async () => {
    const bytes = await withInfo({ title: 'a\u0001b\uFFFFcd', producer });
    assert.equal(metadata(bytes)['dc:title'], 'abcd');
  });

  test('can be read in the bytes of the file, without a PDF parser', async () => {
    assert.ok((await withInfo({ title: 'A plain title', producer })).includes('A plain title</rdf:li>'));
  });
});

test('the minutes of a time zone offset are kept in the XMP metadata', async () => {
  const document = await printed();
  const entries = document.context.lookup(document.context.trailerInfo.Info, PDFDict);
  entries.set(PDFName.of('ModDate'), PDFString.of("D:20261121173429+05'30'"));
  setDocumentInfo(document, { producer });
  const bytes = Buffer.from(await document.save({ useObjectStreams: false }));
  assert.ok(bytes.includes('<xmp:ModifyDate>2026-11-21T17:34:29+05:30</xmp:ModifyDate>'));
});
