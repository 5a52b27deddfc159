import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, mock, test } from 'node:test';
import {
  AFRelationship,
  PDFArray,
  PDFContext,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
} from '@cantoo/pdf-lib';
import { dictsIn, textIn } from '../../../../main/output/finish/pdf-document.ts';
import { ObjectWriter } from '../../../../main/output/merge/object-writer.ts';
import { PdfMerger } from '../../../../main/output/merge/pdf-merger.ts';
import { pdfFacts, pdfText } from '../../../support/output/pdf.ts';
import { temporaryFolder } from '../../../support/service/service.ts';

const folder = temporaryFolder();
after(() => {
  rmSync(folder, { recursive: true });
});
const fixtures = join(import.meta.dirname, '..', '..', '..', 'fixtures');
/** Printed by Chromium: bookmarks, named destinations, links, structure. */
const chapters = readFileSync(join(fixtures, 'chapters.pdf'));
const images = readFileSync(join(fixtures, 'images.pdf'));

interface Titled {
  readonly title: string;
  readonly bytes: Uint8Array;
}

let files = 0;

/** Merges the documents, checks the result with qpdf, and returns it. */
async function merge(documents: readonly Titled[]): Promise<Buffer> {
  const path = join(folder, `merged${(files += 1)}.pdf`);
  const file = openSync(path, 'wx');
  const merger = new PdfMerger(file, documents.length);
  for (const [index, { bytes, title }] of documents.entries())
    await merger.add(bytes, { title, number: index + 1 });
  const size = merger.end();
  closeSync(file);
  const merged = readFileSync(path);
  assert.equal(merged.length, size.bytes);
  assert.equal(pdfFacts(merged).pages, size.pages);
  const { status, stdout, stderr } = spawnSync('qpdf', ['--check', path], { encoding: 'utf8' });
  assert.equal(status, 0, `${stdout}${stderr}`);
  assert.doesNotMatch(`${stdout}${stderr}`, /warning/i);
  return merged;
}

/** Returns what poppler draws, page by page, as PPM files. */
function drawn(pdf: Uint8Array): Buffer[] {
  const pages = mkdtempSync(join(folder, 'pages-'));
  writeFileSync(join(pages, 'document'), pdf);
  spawnSync('pdftoppm', ['-r', '40', join(pages, 'document'), join(pages, 'page')]);
  const names = readdirSync(pages).filter((name) => name.endsWith('.ppm'));
  return names.sort().map((name) => readFileSync(join(pages, name)));
}

interface Bookmark {
  readonly title: string;
  readonly page: number;
  readonly below: readonly Bookmark[];
}

/** Returns the bookmarks with the numbers of their pages, from 1; 0 if a bookmark leads nowhere. */
function bookmarksOf(document: PDFDocument): readonly Bookmark[] {
  const root = document.catalog.lookup(PDFName.of('Outlines'), PDFDict);
  const below = (parent: PDFDict): Bookmark[] => {
    const items: Bookmark[] = [];
    let item = parent.lookupMaybe(PDFName.of('First'), PDFDict);
    for (let previous: PDFDict | undefined; item !== undefined;) {
      assert.ok(item.lookup(PDFName.of('Prev')) === previous);
      const title = textIn(item, 'Title');
      items.push({ title, page: pageOf(document, item), below: below(item) });
      previous = item;
      item = item.lookupMaybe(PDFName.of('Next'), PDFDict);
    }
    assert.equal(parent.lookup(PDFName.of('Last')) === undefined, items.length === 0);
    return items;
  };
  return below(root);
}

function pageOf(document: PDFDocument, dict: PDFDict): number {
  const direct =
    dict.lookup(PDFName.of('Dest')) ?? dict.lookupMaybe(PDFName.of('A'), PDFDict)?.lookup(PDFName.of('D'));
  const found = direct instanceof PDFHexString ? destinationsOf(document).get(direct.asString()) : direct;
  const array = found instanceof PDFDict ? found.lookup(PDFName.of('D')) : found;
  const page = array instanceof PDFArray ? array.get(0) : undefined;
  return document.getPages().findIndex(({ ref }) => ref === page) + 1;
}

/** Returns the named destinations, by their names in hex. */
function destinationsOf({ catalog }: PDFDocument) {
  const kids = catalog
    .Names()
    ?.lookupMaybe(PDFName.of('Dests'), PDFDict)
    ?.lookup(PDFName.of('Kids'), PDFArray);
  const destinations = new Map<string, unknown>();
  kids?.asArray().forEach((_, index) => {
    const names = kids.lookup(index, PDFDict).lookup(PDFName.of('Names'), PDFArray);
    for (let at = 0; at < names.size(); at += 2)
      destinations.set(names.lookup(at, PDFHexString).asString(), names.lookup(at + 1));
  });
  return destinations;
}

/** Returns the pages to which the links of each page lead, in the order of the links. */
function linkTargets(document: PDFDocument): number[][] {
  return document.getPages().map(({ node }) => {
    const links = dictsIn(node.Annots()).filter(
      (annotation) => annotation.lookup(PDFName.of('Subtype')) === PDFName.of('Link'),
    );
    return links.map((link) => pageOf(document, link)).filter((page) => page > 0);
  });
}

describe('A merged document', () => {
  test('shows the pages of all documents as they were', async () => {
    const merged = await merge([
      { title: 'One', bytes: chapters },
      { title: 'Two', bytes: images },
      { title: 'Three', bytes: chapters },
    ]);
    const expected = [chapters, images, chapters];
    assert.equal(
      pdfText(merged),
      expected
        .map((pdf) => pdfText(pdf))
        .join(' ')
        .replace(/ +/g, ' '),
    );
    assert.deepEqual(drawn(merged), expected.flatMap(drawn));
  });

  test('has a bookmark for each document, with its own bookmarks below', async () => {
    const own = bookmarksOf(await PDFDocument.load(chapters));
    assert.ok(own.some(({ below }) => below.length > 0));
    const pages = pdfFacts(chapters).pages;
    const merged = await merge([
      { title: 'Größe & (1)', bytes: chapters },
      { title: 'No bookmarks', bytes: images },
      { title: 'Again', bytes: chapters },
    ]);
    const imagePages = pdfFacts(images).pages;
    const moved = (bookmarks: readonly Bookmark[], by: number): Bookmark[] =>
      bookmarks.map(({ title, page, below }) => ({ title, page: page + by, below: moved(below, by) }));
    assert.ok(own.length > 0 && own.every(({ page }) => page > 0));
    assert.deepEqual(bookmarksOf(await PDFDocument.load(merged)), [
      { title: 'Größe & (1)', page: 1, below: own },
      { title: 'No bookmarks', page: pages + 1, below: [] },
      { title: 'Again', page: pages + imagePages + 1, below: moved(own, pages + imagePages) },
    ]);
  });

  test('has links that lead to the document to which they belong, although their names are equal', async () => {
    const own = linkTargets(await PDFDocument.load(await renamed(chapters)));
    assert.ok(own.flat().length > 0);
    const pages = pdfFacts(chapters).pages;
    const merged = await merge(['a', 'b', 'c'].map((title) => ({ title, bytes: chapters })));
    const expected = [0, 1, 2].flatMap((copy) =>
      own.map((targets) => targets.map((page) => page + copy * pages)),
    );
    assert.deepEqual(linkTargets(await PDFDocument.load(merged)), expected);
  });

  test('keeps the form fields of all documents apart', async () => {
    const documents = await Promise.all(
      ['Ann', 'Bob'].map(async (name) => ({ title: name, bytes: await form(name) })),
    );
    const merged = await PDFDocument.load(await merge(documents));
    const fields = merged
      .getForm()
      .getFields()
      .map((field) => field.getName());
    assert.deepEqual(fields, [
      'document1.person.name',
      'document1.agrees',
      'document2.person.name',
      'document2.agrees',
    ]);
    assert.equal(merged.getForm().getTextField('document1.person.name').getText(), 'Ann');
    assert.equal(merged.getForm().getTextField('document2.person.name').getText(), 'Bob');
    const changed = merged.getForm().getTextField('document2.person.name');
    changed.setText('Eve');
    const text = pdfText(Buffer.from(await merged.save()));
    assert.match(text, /Ann.*Eve/);
    assert.doesNotMatch(text, /Bob/);
  });

  test('keeps attached files, also of the same name', async () => {
    const documents = await Promise.all(
      ['one', 'two'].map(async (title) => ({ title, bytes: await withAttachment(title) })),
    );
    const path = join(folder, 'attachments.pdf');
    writeFileSync(path, await merge(documents));
    const { stdout } = spawnSync('pdfdetach', ['-list', path], { encoding: 'utf8' });
    assert.match(stdout, /^2 embedded files/);
    const contents = ['1', '2'].map((number) => {
      const out = join(folder, `attachment${number}`);
      spawnSync('pdfdetach', ['-save', number, '-o', out, path]);
      return readFileSync(out, 'utf8');
    });
    assert.deepEqual(contents, ['one', 'two']);
  });

  test('has the structure of all documents', async () => {
    const structure = (pdf: Buffer) => {
      const { stdout } = spawnSync('pdfinfo', ['-struct-text', '-'], { input: pdf, encoding: 'latin1' });
      // The ids have a prefix, and object numbers differ.
      return stdout.split('\n').map((line) =>
        line
          .trim()
          .replace(/([<(])\d{6}\//g, '$1')
          .replace(/Object \d+/, 'Object'),
      );
    };
    const own = structure(chapters).filter((line) => line !== '');
    assert.ok(
      own.some((line) => line.startsWith('H1')),
      own.join('\n'),
    );
    const merged = await merge(['a', 'b'].map((title) => ({ title, bytes: chapters })));
    const lines = structure(merged).filter((line) => line !== '' && !line.startsWith('Part'));
    assert.deepEqual(lines, [...own, ...own]);
  });

  test('contains equal streams once', async () => {
    const one = await merge([{ title: 'a', bytes: images }]);
    const many = await merge(
      Array.from({ length: 50 }, (_, index) => ({ title: String(index), bytes: images })),
    );
    assert.ok(many.length < one.length * 2 + 50 * 20_000, `${one.length}, ${many.length}`);
  });

  test('is the same file for the same documents', async () => {
    const documents = ['a', 'b'].map((title) => ({ title, bytes: chapters }));
    assert.ok((await merge(documents)).equals(await merge(documents)));
  });

  test('visits each of many nested pictures only a few times', () => {
    const context = PDFContext.create();
    let inner = context.register(context.obj({}));
    const depth = 300;
    for (let level = 0; level < depth; level += 1)
      inner = context.register(context.stream('', { Type: 'XObject', Inner: inner }));
    const page = context.register(context.obj({ XObject: inner }));
    const { mock: lookup } = mock.method(context, 'lookup');
    const file = openSync(join(folder, 'nested.pdf'), 'wx');
    new ObjectWriter(file).copyFrom(context).copy(page);
    closeSync(file);
    assert.ok(lookup.callCount() < 10 * depth, `${lookup.callCount()} lookups`);
  });

  test('is not made of what is no PDF', async () => {
    const file = openSync(join(folder, 'broken.pdf'), 'wx');
    await assert.rejects(new PdfMerger(file, 1).add(Buffer.from('<p>no'), { number: 1 }), /PDF/);
    closeSync(file);
  });
});

/** Merges a document alone, so that its destinations have names as in a merged document. */
async function renamed(bytes: Uint8Array): Promise<Buffer> {
  return await merge([{ title: 'a', bytes }]);
}

async function form(name: string): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const page = document.addPage([200, 200]);
  const field = document.getForm().createTextField('person.name');
  field.setText(name);
  field.addToPage(page, { x: 10, y: 100, width: 150, height: 30 });
  document.getForm().createCheckBox('agrees').addToPage(page, { x: 10, y: 10, width: 20, height: 20 });
  return await document.save();
}

async function withAttachment(content: string): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage([200, 200]);
  await document.attach(Buffer.from(content), 'data.txt', { afRelationship: AFRelationship.Data });
  return await document.save();
}
