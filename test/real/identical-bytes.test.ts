/** With creation_date, a corpus of documents has the same bytes in two processes, at different times and in another order. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { documentNames, makeDocument } from '../bench/documents/all.ts';
import { standardDocuments } from '../support/output/standard-documents.ts';
import { convert, htmlFile, type Fields } from '../support/service/convert.ts';
import { startService, type Service } from '../support/service/service.ts';
import { archiveOf } from './archive.ts';
import { installLibraries } from './libraries.ts';

/** Pages of the corpus that load libraries and images from their archive. Some of them are animated at the beginning. */
const archives = [
  'chart-js',
  'highcharts',
  'swiper',
  'highlight-js',
  'jsbarcode',
  'gsap',
  'countup',
  'count-interval',
  'anime',
  'fade-in-body',
];

/** Long documents take too long, images have no creation_date, and some documents are not sent as text. */
const benchDocuments = documentNames.filter(
  (name) => !/thousand|statement|screenshot|tall|site|application|brochure$|images-archive|logged/.test(name),
);

async function corpusDocuments(): Promise<ReadonlyMap<string, Fields>> {
  const documents = new Map<string, Fields>(Object.entries(standardDocuments));
  for (const [name, fields] of Object.entries(standardDocuments).slice(0, 6)) {
    const text = `<html lang=en><title>${name}</title>${fields.text}`;
    documents.set(`${name} as PDF/A and PDF/UA`, { ...fields, text, pdf_standard: 'pdfa-2u,pdfua-1' });
  }
  for (const name of benchDocuments) {
    const { html, fields = {} } = await makeDocument(name);
    documents.set(`bench: ${name}`, { text: html, ...fields });
  }
  await installLibraries();
  for (const name of archives) documents.set(name, { file: htmlFile(await archiveOf(name), `${name}.zip`) });
  return documents;
}

async function digestOf(service: Service, fields: Fields): Promise<string> {
  const pdf = await convert(service, { ...fields, creation_date: '2026-11-26T09:30:00Z' });
  return createHash('sha256').update(pdf).digest('hex');
}

test('a corpus of 40 documents has the same bytes in two processes', { timeout: 600_000 }, async () => {
  const documents = await corpusDocuments();
  assert.ok(documents.size >= 40, `only ${documents.size} documents`);
  await using one = await startService();
  const first = new Map<string, string>();
  for (const [name, fields] of documents) first.set(name, await digestOf(one, fields));
  await using other = await startService();
  const different: string[] = [];
  for (const [name, fields] of [...documents].reverse())
    if ((await digestOf(other, fields)) !== first.get(name)) different.push(name);
  assert.deepEqual(different, []);
});
