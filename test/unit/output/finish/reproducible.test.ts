import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PDFArray, PDFDict, PDFDocument, PDFName, PDFString } from '@cantoo/pdf-lib';
import { identifyFile, renumberElements } from '../../../../main/output/finish/reproducible.ts';

/** Returns a table with a header cell and a cell that refers to it, whose nodes have numbers from `first`. */
async function tableFrom(first: number): Promise<PDFDocument> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.addPage([200, 200]);
  const { context, catalog } = document;
  const id = (index: number) => PDFString.of(`node${String(first + index).padStart(8, '0')}`);
  // The cell that refers to the header cell has a smaller number.
  const cell = context.register(context.obj({ S: 'TD', ID: id(0), A: [{ O: 'Table', Headers: [id(1)] }] }));
  const header = context.register(context.obj({ S: 'TH', ID: id(1) }));
  const row = context.register(context.obj({ S: 'TR', K: [header, cell] }));
  const leaf = context.register(context.obj({ Limits: [id(0), id(1)], Names: [id(0), cell, id(1), header] }));
  const root = { Type: 'StructTreeRoot', K: row, IDTree: { Kids: [leaf] } };
  catalog.set(PDFName.of('StructTreeRoot'), context.register(context.obj(root)));
  return document;
}

test('elements are numbered in their order, also where other elements and the tree of ids refer to them', async () => {
  const document = await tableFrom(4711);
  renumberElements(document);
  const root = document.catalog.lookup(PDFName.of('StructTreeRoot'), PDFDict);
  const row = root.lookup(PDFName.of('K'), PDFDict);
  const cells = row.lookup(PDFName.of('K'), PDFArray);
  assert.match(cells.lookup(0, PDFDict).toString(), /\/S \/TH\n\/ID \(node00000001\)/);
  assert.match(
    cells.lookup(1, PDFDict).toString(),
    /\/ID \(node00000002\)[^]*\/Headers \[ \(node00000001\) \]/,
  );
  const leaf = root
    .lookup(PDFName.of('IDTree'), PDFDict)
    .lookup(PDFName.of('Kids'), PDFArray)
    .lookup(0, PDFDict);
  const names = leaf.lookup(PDFName.of('Names'), PDFArray);
  assert.deepEqual([names.get(0), names.get(2)].map(String), ['(node00000001)', '(node00000002)']);
  assert.equal(names.get(1), cells.get(0));
});

test('the identifier of a file depends on its objects', async () => {
  const identifierOf = async (first: number) => {
    const document = await tableFrom(first);
    identifyFile(document);
    return String(document.context.trailerInfo.ID);
  };
  assert.match(await identifierOf(1), /^\[ <([\dA-F]{32})> <\1> \]$/);
  assert.equal(await identifierOf(1), await identifierOf(1));
  assert.notEqual(await identifierOf(1), await identifierOf(2));
});
