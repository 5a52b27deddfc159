import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PDFDocument } from '@cantoo/pdf-lib';
import { countPages } from '../../../main/output/count-pages.ts';

async function documentOf(pages: number): Promise<PDFDocument> {
  const document = await PDFDocument.create();
  for (let page = 0; page < pages; page += 1) document.addPage([100, 100]);
  return document;
}

async function plain(document: PDFDocument): Promise<Buffer> {
  return Buffer.from(await document.save({ useObjectStreams: false, addDefaultPage: false }));
}

test('the pages of a PDF with a plain cross-reference table are counted', async () => {
  for (const pages of [1, 2, 10, 1000]) assert.equal(countPages(await plain(await documentOf(pages))), pages);
});

test('pages are counted after some were taken out', async () => {
  const document = await documentOf(10);
  const pages = document.getPages();
  for (const index of [7, 3, 2]) {
    document.removePage(index);
    const { ref } = pages[index] ?? {};
    if (ref) document.context.delete(ref);
  }
  document.context.register(document.context.obj({ Kept: true }));
  assert.equal(countPages(await plain(document)), 7);
});

test('a word that looks like a count in a title does not count', async () => {
  const document = await documentOf(3);
  document.setTitle('/Count 99 /Pages 1 0 R trailer /Root 1 0 R endobj');
  assert.equal(countPages(await plain(document)), 3);
});

test('what is built otherwise is an error, never a wrong number', async () => {
  const streams = Buffer.from(await (await documentOf(3)).save({ useObjectStreams: true }));
  const sound = await plain(await documentOf(3));
  const broken = [
    streams,
    Buffer.alloc(0),
    Buffer.from('%PDF-1.4'),
    sound.subarray(0, -100),
    Buffer.concat([sound, Buffer.from('more')]),
  ];
  for (const bytes of broken) assert.throws(() => countPages(bytes), /^Error: The PDF has no /);
});
