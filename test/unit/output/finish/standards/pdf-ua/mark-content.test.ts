import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  decodePDFRawStream,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFRawStream,
  type PDFRef,
} from '@cantoo/pdf-lib';
import { HtmlNodes } from '../../../../../../main/output/finish/standards/pdf-ua/html-nodes.ts';
import { TreePlaces } from '../../../../../../main/output/finish/standards/pdf-ua/tree-places.ts';
import { UntaggedTexts } from '../../../../../../main/output/finish/standards/pdf-ua/untagged-texts.ts';
import { markContent } from '../../../../../../main/output/finish/standards/pdf-ua/mark-content.ts';
import { StructureElement } from '../../../../../../main/output/finish/standards/pdf-ua/structure-tree.ts';

type FormTexts = Readonly<Record<string, string>>;

interface Marked {
  readonly content: string;
  /** The content of each form. */
  readonly forms: FormTexts;
  readonly root: StructureElement;
  readonly holders: readonly (PDFRef | undefined)[];
  readonly page: PDFRef;
}

/** Marks a page whose sequences 0, 1 and 2 have elements. */
async function marked(
  content: string,
  forms: FormTexts = {},
  picture?: { left: number; top: number },
): Promise<Marked> {
  const document = await PDFDocument.create();
  const { node, ref: page } = document.addPage([200, 200]);
  const { context } = document;
  const xobjects = context.obj({});
  for (const [name, text] of Object.entries(forms)) {
    const form = context.stream(text, { Subtype: 'Form', Resources: { XObject: xobjects } });
    xobjects.set(PDFName.of(name), context.register(form));
  }
  node.set(PDFName.of('Resources'), context.obj({ XObject: xobjects }));
  node.set(PDFName.of('Contents'), context.register(context.stream(content)));
  const numbers = [0, 1, 2];
  const root = StructureElement.create(
    context,
    'Document',
    numbers.map((number) => ({ page, number })),
  );
  const figure = StructureElement.create(context, 'Figure');
  const html = new HtmlNodes({ language: 'en', ids: [], parents: [], elements: [], texts: [] });
  const texts = new UntaggedTexts(html, new TreePlaces(root, html));
  const holderOf = markContent(document, root, {
    pictures: picture === undefined ? [] : [{ element: figure, page, ...picture }],
    texts,
  });
  root.kids.push(figure);
  const text = (entry: unknown) => {
    const stream = context.lookup(entry as PDFRef);
    const bytes = stream instanceof PDFRawStream ? decodePDFRawStream(stream).decode() : new Uint8Array();
    return Buffer.from(bytes).toString('latin1').replace(/\s+/g, ' ').trim();
  };
  const written = node.Resources()?.lookup(PDFName.of('XObject'), PDFDict).entries() ?? [];
  return {
    content: text(node.get(PDFName.of('Contents'))),
    forms: Object.fromEntries(written.map(([name, entry]) => [name.decodeText(), text(entry)])),
    root,
    holders: numbers.map((number) => holderOf({ page, number })),
    page,
  };
}

test('paint outside tagged content becomes an artifact, and paths for clipping do not', async () => {
  const { content } = await marked(
    'q 0 0 9 9 re W n 0 0 5 5 re f 1 w 2 2 m 3 3 l S Q BT /P <</MCID 0>> BDC (a) Tj EMC (b) Tj ET',
  );
  assert.equal(
    content,
    'q 0 0 9 9 re W n /Artifact BMC 0 0 5 5 re f 1 w 2 2 m 3 3 l S EMC Q BT /P <</MCID 0>> BDC (a) Tj EMC /Artifact BMC (b) Tj EMC ET',
  );
});

test('sequences without an element become artifacts', async () => {
  const { content } = await marked('/P <</MCID 7>> BDC 0 0 5 5 re f EMC');
  assert.equal(content, '/Artifact BMC 0 0 5 5 re f EMC');
});

test('existing artifacts and tagged content stay as they are', async () => {
  const content = '/Artifact <</Type/Background>> BDC q /A Do Q EMC /P <</MCID 1>> BDC /A Do EMC';
  const { holders, page } = await marked(content, { A: '0 0 5 5 re f' });
  assert.equal(holders[1], page);
});

test('a tagged form is the holder of its sequences, and a second painting of it is an artifact without tags', async () => {
  const { content, forms, holders, page } = await marked('/A Do /A Do', {
    A: '0 0 5 5 re f /P <</MCID 2>> BDC (a) Tj EMC',
  });
  assert.match(content, /^\/A Do \/Artifact BMC \/Untagged\d+ Do EMC$/);
  assert.equal(forms.A, '/Artifact BMC 0 0 5 5 re f EMC /P <</MCID 2>> BDC (a) Tj EMC');
  const copy = Object.entries(forms).find(([name]) => name.startsWith('Untagged'))?.[1];
  assert.equal(copy, '/Artifact BMC 0 0 5 5 re f EMC /P << >> BDC (a) Tj EMC');
  assert.ok(holders[2] !== undefined && holders[2] !== page);
});

test('the paint inside a clip at the position of a picture becomes its content', async () => {
  const text = 'q 2 0 0 2 10 10 cm q 5 5 20 20 re W n q 0 0 9 9 re f Q 1 1 m 2 2 l S Q 0 0 1 1 re f Q';
  const { content, root } = await marked(text, {}, { left: 20.4, top: 60.2 });
  assert.match(
    content,
    /re W n q \/Figure <<\/MCID 3>> BDC 0 0 9 9 re f EMC Q \/Figure <<\/MCID 4>> BDC 1 1 m 2 2 l S EMC Q \/Artifact BMC 0 0 1 1 re f EMC Q$/,
  );
  assert.equal(root.elements[0]?.kids.length, 2);
});

test('a clip elsewhere is no picture', async () => {
  const { content } = await marked('q 5 5 20 20 re W n 0 0 9 9 re f Q', {}, { left: 60, top: 25 });
  assert.match(content, /\/Artifact BMC 0 0 9 9 re f/);
});
