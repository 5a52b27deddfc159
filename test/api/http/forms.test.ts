import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { PDFBool, PDFDict, PDFDocument, type PDFField, PDFHexString, PDFName } from '@cantoo/pdf-lib';
import { convert, type Fields } from '../../support/service/convert.ts';
import { pdfFacts, pdfImage, pdfText, pdfWords } from '../../support/output/pdf.ts';
import { positionOf, type FieldPosition } from '../../support/output/pdf-form.ts';
import { extent, readImage, type Colour } from '../../support/output/image.ts';
import type { Service } from '../../support/service/service.ts';
import { defaultService } from '../../support/service/default-service.ts';

const entry = (field: PDFField, key: string) => field.acroField.dict.lookup(PDFName.of(key));
const tooltip = (field: PDFField) => (entry(field, 'TU') as PDFHexString | undefined)?.decodeText();

describe('enable_pdf_forms', () => {
  let service: Service;
  before(async () => (service = await defaultService()));
  const bytesOf = (text: string, options: Fields = {}) =>
    convert(service, { text, enable_pdf_forms: true, ...options });
  const formOf = async (text: string, options: Fields = {}) => PDFDocument.load(await bytesOf(text, options));

  test('is off by default: controls are printed, and no fields are created', async () => {
    const pdf = await convert(service, { text: '<input value="printed">' });
    assert.equal(pdfText(pdf), 'printed');
    assert.deepEqual((await PDFDocument.load(pdf)).getForm().getFields(), []);
  });

  test('does not change a page without controls', async () => {
    const document = await formOf('<p>no form, <a href="https://example.com/">a link</a>');
    assert.equal(document.catalog.get(PDFName.of('AcroForm')), undefined);
    assert.equal(document.getPage(0).node.Annots()?.size(), 1);
  });

  test('creates a matching field for each kind of control, with its value and flags', async () => {
    const form = (
      await formOf(`<form><label>First name <input name="first" value="Ada" required maxlength="9"></label>
        <input name="mail" type="email" value="a@b.c" title="Address" readonly><input name="gone" disabled value="x">
        <input name="secret" type="password" value="hidden"><input name="day" type="date" value="2024-02-29">
        <textarea name="notes" placeholder="Notes">one\ntwo</textarea>
        <input type="checkbox" name="yes" value="agreed" checked><input type="checkbox" name="no">
        <input type="radio" name="size" value="S"><input type="radio" name="size" value="XL" checked>
        <select name="one"><option value="1">First<option value="2" selected>Second</select>
        <select name="many" multiple><option selected>red<option>green<option selected>blue</select></form>`)
    ).getForm();
    const names = ['first', 'mail', 'gone', 'secret', 'day', 'notes', 'yes', 'no', 'size', 'one', 'many'];
    assert.deepEqual(
      form.getFields().map((field) => field.getName()),
      names,
    );
    const first = form.getTextField('first');
    assert.deepEqual([first.getText(), first.getMaxLength(), first.isRequired()], ['Ada', 9, true]);
    assert.deepEqual([first.isReadOnly(), first.isMultiline(), tooltip(first)], [false, false, 'First name']);
    const mail = form.getTextField('mail');
    assert.deepEqual([mail.getText(), mail.isReadOnly(), mail.isExported()], ['a@b.c', true, true]);
    assert.equal(tooltip(mail), 'Address');
    const removed = form.getTextField('gone');
    assert.deepEqual([removed.isReadOnly(), removed.isExported()], [true, false]);
    const secret = form.getTextField('secret');
    assert.deepEqual([secret.isPassword(), secret.getText() ?? ''], [true, '']);
    assert.equal(form.getTextField('day').getText(), '2024-02-29');
    const notes = form.getTextField('notes');
    assert.deepEqual([notes.isMultiline(), notes.getText(), tooltip(notes)], [true, 'one\ntwo', 'Notes']);
    assert.deepEqual(
      ['yes', 'no'].map((name) => form.getCheckBox(name).isChecked()),
      [true, false],
    );
    assert.equal(entry(form.getCheckBox('yes'), 'V'), PDFName.of('agreed'));
    const size = form.getRadioGroup('size');
    assert.deepEqual([size.getOptions(), size.getSelected()], [['S', 'XL'], 'XL']);
    const choice = form.getDropdown('one');
    assert.deepEqual([choice.getOptions(), choice.getSelected()], [['First', 'Second'], ['2']]);
    const many = form.getOptionList('many');
    assert.deepEqual(
      [many.getOptions(), many.getSelected()],
      [
        ['red', 'green', 'blue'],
        ['red', 'blue'],
      ],
    );
    assert.ok(many.isMultiselect());
  });

  test('makes field names unique, creates a child field for a name with a full stop, and names unnamed controls', async () => {
    const document = await formOf(
      '<input name="a.b" value="child"><input name="a" value="clash"><input name="x"><input name="x"><input><input name="..">',
    );
    const names = document
      .getForm()
      .getFields()
      .map((field) => field.getName());
    assert.deepEqual(names, ['a.b', 'a_2', 'x', 'x_2', 'text', '__']);
  });

  test('puts values only into fields, and not on the page below them', async () => {
    const pdf = await bytesOf(
      `<input name="a" value="Alpha"><select name="b"><option>Beta</select><textarea name="c">Gamma</textarea>
        <select name="d" multiple><option selected>Delta</select><input type="search" placeholder="Epsilon"><button>Zeta</button>`,
    );
    const document = await PDFDocument.load(pdf);
    assert.equal(
      document.catalog.lookup(PDFName.of('AcroForm'), PDFDict).has(PDFName.of('NeedAppearances')),
      false,
    );
    assert.deepEqual(pdfText(pdf).split(/\W+/).sort(), ['Alpha', 'Beta', 'Delta', 'Gamma', 'Zeta']);
    for (const page of document.getPages()) page.node.delete(PDFName.of('Annots'));
    assert.equal(pdfText(Buffer.from(await document.save({ updateFieldAppearances: false }))), 'Zeta');
  });

  test('creates fields that show their values when they are filled in', async () => {
    const document = await formOf(
      '<input name="a" value="before"><input type="checkbox" name="b"><select name="c"><option>x<option>y</select>',
    );
    const form = document.getForm();
    const off = await inkIn(Buffer.from(await document.save()), positionOf(document, 'b'));
    form.getTextField('a').setText('afterwards');
    form.getCheckBox('b').check();
    form.getDropdown('c').select('y');
    const filled = Buffer.from(await document.save());
    assert.equal(pdfText(filled), 'afterwards y');
    assert.ok((await inkIn(filled, positionOf(document, 'b'))) > off + 5);
  });

  test('creates checkboxes and radio buttons that show their state, with at most one radio button on per group', async () => {
    const html = [
      'checkbox" name="a" checked',
      'checkbox" name="b"',
      'radio" name="r" value="1"',
      'radio" name="r" value="é" checked',
    ];
    const pdf = await bytesOf(html.map((type) => `<p><input style="zoom:2" type="${type}>`).join(''));
    const document = await PDFDocument.load(pdf);
    const expectedPositions = [
      positionOf(document, 'a'),
      positionOf(document, 'b'),
      positionOf(document, 'r'),
      positionOf(document, 'r', 1),
    ];
    const [on = 0, off = 0, first = 0, second = 0] = await Promise.all(
      expectedPositions.map((place) => inkIn(pdf, place)),
    );
    assert.ok(on > off + 20 && second > first + 20, [on, off, first, second].join());
  });

  test('keeps the size, colour and alignment of text in controls', async () => {
    const html = `<!doctype html><style>body{margin:0}input{border:0;padding:0;width:300px;font:20px Arial;color:rgb(255,0,0)}</style>`;
    const pdf = await bytesOf(`${html}<input style="text-align:right" value="HHH">`, {
      content_viewport_width: '600px',
    });
    const [word] = pdfWords(pdf);
    const scale = (595.28 - 57.6) / 600;
    assert.ok(word && Math.abs(word.right - (28.8 + 300 * scale)) < 1, JSON.stringify(word));
    const red = extent(await readImage(pdfImage(pdf, 4)), [255, 0, 0]);
    const height = ((red?.bottom ?? 0) - (red?.top ?? 0) + 1) / 4;
    assert.ok(Math.abs(height - 20 * scale * 0.718) < 1, `capitals are ${height} points high`);
  });

  test('keeps values that Helvetica cannot show, and lets the viewer draw them', async () => {
    const document = await formOf(
      '<input name="a" value="Ελληνικά"><select name="b"><option>日本<option>plain</select>',
    );
    assert.equal(document.getForm().getTextField('a').getText(), 'Ελληνικά');
    assert.deepEqual(document.getForm().getDropdown('b').getSelected(), ['日本']);
    const form = document.catalog.lookup(PDFName.of('AcroForm'), PDFDict);
    assert.equal(form.get(PDFName.of('NeedAppearances')), PDFBool.True);
  });

  test('creates no fields for invisible controls, and prints their visible replacements', async () => {
    const document = await formOf(
      `<style>i{display:none}.on:checked+label+i{display:inline}</style><input type="hidden" name="a"><input name="b" style="display:none">
        <input name="c" style="visibility:hidden"><input name="d" style="position:absolute;left:-999px"><div style="opacity:0"><input name="e"></div>
        <input type="checkbox" class="on" id="f" checked style="position:absolute;clip:rect(0,0,0,0)"><label for="f">f</label><i>drawn</i>
        <input type="file"><input type="color"><input type="range"><button type="button">b</button><button>no form</button>`,
    );
    assert.deepEqual(document.getForm().getFields(), []);
    assert.match(pdfText(Buffer.from(await document.save())), /drawn/);
  });

  test('does not change the layout or the styles of the page', async () => {
    const html = `<style>input + b{color:#f00} p > :last-child{background:#0f0} textarea{border:2px solid #00f}</style>
      <p>text <input> <b>bold</b> <select><option>x</select></p><textarea>x</textarea><select size="3"><option>long option</select><p>end</p>`;
    // Sorted by position, because pdftotext orders words by the gaps between them, which differ.
    const words = async (options: Fields) =>
      pdfWords(await convert(service, { text: html, ...options }))
        .filter(({ text }) => /text|bold|end/.test(text))
        .sort((left, right) => left.top - right.top || left.left - right.left);
    assert.deepEqual(await words({ enable_pdf_forms: true }), await words({}));
    const at = async (options: Fields) => {
      const image = await readImage(pdfImage(await convert(service, { text: html, ...options })));
      return [
        [255, 0, 0],
        [0, 255, 0],
        [0, 0, 255],
      ].map((colour) => extent(image, colour as unknown as Colour));
    };
    assert.deepEqual(await at({ enable_pdf_forms: true }), await at({}));
  });

  test('creates submit and reset buttons that apply only to the fields of their form', async () => {
    const document = await formOf(
      `<form action="https://example.com/a(1)?x" method="post"><input name="a"><button name="go">Go</button><input type="reset" name="back"></form>
        <form action="file:///etc/passwd"><input name="b"><button name="local">x</button></form>`,
    );
    const form = document.getForm();
    assert.deepEqual(
      form.getFields().map((field) => field.getName()),
      ['a', 'go', 'back', 'b'],
    );
    const action = (name: string) => entry(form.getButton(name), 'A') as PDFDict;
    assert.equal(action('go').lookup(PDFName.of('S')), PDFName.of('SubmitForm'));
    const address = action('go').lookup(PDFName.of('F'), PDFDict).lookup(PDFName.of('F'), PDFHexString);
    assert.equal(address.decodeText(), 'https://example.com/a(1)?x');
    assert.equal(String(action('go').lookup(PDFName.of('Flags'))), '4');
    for (const name of ['go', 'back'])
      assert.equal(
        String(action(name).lookup(PDFName.of('Fields'))),
        `[ ${form.getTextField('a').ref.toString()} ]`,
      );
    assert.equal(action('back').lookup(PDFName.of('S')), PDFName.of('ResetForm'));
  });

  test('keeps the order of the document as the tab order', async () => {
    const document = await formOf(
      '<input name="a" style="position:relative;z-index:2"><input name="b"><input name="c" style="float:left">',
    );
    const widgets = document.getPage(0).node.Annots()?.asArray() ?? [];
    const names = widgets.map((ref) =>
      document.context.lookup(ref, PDFDict).lookup(PDFName.of('T'), PDFHexString).decodeText(),
    );
    assert.deepEqual(names, ['a', 'b', 'c']);
  });

  test('creates only one field for a control that is fixed or taller than a page, and keeps links', async () => {
    const document = await formOf(
      `<input name="fixed" style="position:fixed;top:0"><a href="https://example.com/">a</a><textarea name="tall" style="display:block;height:1800px"></textarea>`,
    );
    assert.ok(document.getPageCount() > 1);
    const annotations = document.getPages().flatMap(({ node }) => node.Annots()?.asArray() ?? []);
    const kinds = annotations.map((ref) =>
      String(document.context.lookup(ref, PDFDict).get(PDFName.of('Subtype'))),
    );
    assert.deepEqual(kinds.sort(), ['/Link', '/Widget', '/Widget']);
  });
});

/** Returns the number of dark pixels in a box, at 2 pixels per point. */
async function inkIn(pdf: Buffer, place: FieldPosition): Promise<number> {
  const image = await readImage(pdfImage(pdf, 2, place.page));
  const { height } = pdfFacts(pdf);
  let dark = 0;
  for (let y = (height - place.y - place.height) * 2; y < (height - place.y) * 2; y += 1)
    for (let x = place.x * 2; x < (place.x + place.width) * 2; x += 1)
      if (image.at(Math.round(x), Math.round(y))[0] < 128) dark += 1;
  return dark;
}
