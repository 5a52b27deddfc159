import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { PDFDocument } from '@cantoo/pdf-lib';
import { convert, type Fields } from '../../support/service/convert.ts';
import { positionOf } from '../../support/output/pdf-form.ts';
import { pdfFacts, pdfImage } from '../../support/output/pdf.ts';
import { readImage, type Colour } from '../../support/output/image.ts';
import type { Service } from '../../support/service/service.ts';
import { defaultService } from '../../support/service/default-service.ts';

describe('the position of a form field', () => {
  let service: Service;
  before(async () => (service = await defaultService()));
  const bytesOf = (text: string, options: Fields = {}) =>
    convert(service, { text, enable_pdf_forms: true, ...options });

  const controls = Object.entries({
    text: '<input name="text" class="k">',
    date: '<input name="date" type="date" class="k">',
    area: '<textarea name="area" class="k"></textarea>',
    select: '<select name="select" class="k"><option>x</select>',
    list: '<select name="list" class="k" size="3"><option>x</select>',
    check: '<input name="check" type="checkbox" class="k own">',
    radio: '<input name="radio" type="radio" class="k own">',
    send: '<button name="send" class="k">Send</button>',
  });
  const colourOf = (index: number): Colour => [255, 0, index * 30];
  const all = controls
    .map(([, html], index) =>
      html.replace('class', `style="border-color:rgb(${colourOf(index).join()})" class`),
    )
    .join(' ');
  const layouts: Readonly<Record<string, string>> = {
    'in a line of text': `<p>Some words ${all} and more.</p>`,
    'in a table': `<table><tr><td>cell<td style="padding:9px">${all}</table>`,
    'in two columns': `<div style="columns:2"><p style="height:1in">x</p>${all}</div>`,
    'in a flexible box over two pages': `<div class="flex"><p style="height:6in">x</p><p class="solid">y</p>${all}</div>`,
    'in a grid': `<div style="display:grid;grid-template-columns:1fr 2fr;gap:7px">${all}</div>`,
    'partly on the next page': `<div style="height:8.3in"></div><div class="blocks">${all}</div>`,
    'moved and enlarged': `<div style="width:300px;transform:translate(30px,40px) scale(1.2);transform-origin:0 0">${all}</div>`,
    'fixed on every page': `<div style="position:fixed;left:9px;bottom:9px">${all}</div><p style="height:12in">x</p>`,
    'in a label in a link': `<a href="https://example.com/"><label>label ${all}</label></a>`,
  };
  const head = `<!doctype html><style>.k{border:3px solid;background:white;max-width:150px} .own{appearance:none;width:20px;height:20px}
    .flex{display:flex;flex-direction:column;align-items:start} .solid{height:5in;break-inside:avoid} .blocks>*{display:block}</style>`;
  for (const [layout, body] of Object.entries(layouts)) {
    for (const width of ['420px', '1000px']) {
      test(`matches its control within a point: ${layout}, in a layout ${width} wide`, async () => {
        const pdf = await bytesOf(`${head}<form action="https://example.com/">${body}</form>`, {
          content_viewport_width: width,
        });
        const document = await PDFDocument.load(pdf);
        const drawn = new Map<number, Awaited<ReturnType<typeof bordersOn>>>();
        for (const [index, [name]] of controls.entries()) {
          const { page, ...place } = positionOf(document, name);
          const borders = drawn.get(page) ?? (await bordersOn(pdf, page));
          drawn.set(page, borders);
          const border = borders.get(colourOf(index).join());
          assert.ok(border, `the ${name} is not drawn on page ${page}`);
          const field = [place.x, place.y, place.x + place.width, place.y + place.height];
          const off = field.map((value, side) => Math.abs(value - (border[side] ?? Infinity)));
          assert.ok(
            Math.max(...off) <= 1,
            `${name}: drawn at ${border.join()}, the field at ${field.join()}`,
          );
        }
      });
    }
  }

  test('is valid according to qpdf, in all these layouts', async () => {
    const file = join(service.data, 'form.pdf');
    writeFileSync(file, await bytesOf(`<form>${Object.values(layouts).join('')}</form>`));
    const { status, stdout, stderr } = spawnSync('qpdf', ['--check', file]);
    assert.equal(status, 0, stdout.toString() + stderr.toString());
  });
});

/**
 * Returns the bounding box of each border colour on a page: left, bottom, right and top in points, accurate to a third of a point.
 */
async function bordersOn(pdf: Buffer, page: number): Promise<ReadonlyMap<string, number[]>> {
  const scale = 3;
  const image = await readImage(pdfImage(pdf, scale, page));
  const boxes = new Map<string, [left: number, top: number, right: number, bottom: number]>();
  for (let y = 0; y < image.height; y += 1) {
    for (let x = 0; x < image.width; x += 1) {
      const colour = image.at(x, y);
      if (colour[0] !== 255 || colour[1] !== 0) continue;
      const [left, top, right] = boxes.get(colour.join()) ?? [x, y, x, y];
      boxes.set(colour.join(), [Math.min(left, x), top, Math.max(right, x), y]);
    }
  }
  const { height } = pdfFacts(pdf);
  const inPoints = ([left, top, right, bottom]: readonly [number, number, number, number]) => [
    left / scale,
    height - (bottom + 1) / scale,
    (right + 1) / scale,
    height - top / scale,
  ];
  return new Map([...boxes].map(([colour, box]) => [colour, inPoints(box)]));
}
