import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { convert } from '../../support/service/convert.ts';
import { pdfFacts, pdfImage, pdfText, pdfWords } from '../../support/output/pdf.ts';
import { extent, readImage, type Colour } from '../../support/output/image.ts';
import type { Service } from '../../support/service/service.ts';
import { defaultService } from '../../support/service/default-service.ts';

const red: Colour = [255, 0, 0];
const filled = '<!doctype html><style>html{height:100%;background:red}body{margin:0}</style>';

const near = (actual: number, expected: number, tolerance = 1) => {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not within ${tolerance} of ${expected}`);
};

describe('A PDF document:', () => {
  let service: Service;
  before(async () => (service = await defaultService()));

  const sizes = {
    A0: [841, 1189],
    A3: [297, 420],
    A4: [210, 297],
    A6: [105, 148],
    Letter: [215.9, 279.4],
    Legal: [215.9, 355.6],
    Tabloid: [279.4, 431.8],
    Ledger: [431.8, 279.4],
  } as const;
  for (const [page_size, [width, height]] of Object.entries(sizes)) {
    test(`a ${page_size} page is ${width} by ${height} mm`, async () => {
      const facts = pdfFacts(
        await convert(service, { text: '<p>page</p>', page_size: page_size.toLowerCase() }),
      );
      near(facts.width, (width / 25.4) * 72);
      near(facts.height, (height / 25.4) * 72);
      assert.equal(facts.pages, 1);
    });
  }

  test('a landscape A4 page is 297 by 210 mm', async () => {
    const facts = pdfFacts(await convert(service, { text: '<p>page</p>', orientation: 'LANDSCAPE' }));
    near(facts.width, 841.89);
    near(facts.height, 595.28);
  });

  test('page_width and page_height override page_size', async () => {
    const facts = pdfFacts(
      await convert(service, {
        text: '<p>page</p>',
        page_size: 'A3',
        page_width: '100mm',
        page_height: '4in',
      }),
    );
    near(facts.width, 283.46);
    near(facts.height, 288);
  });

  test('content fills the area inside the four margins, accurate to a point', async () => {
    const margins = { margin_top: '1in', margin_right: '20mm', margin_bottom: '2cm', margin_left: '36pt' };
    const image = await readImage(pdfImage(await convert(service, { text: filled, ...margins })));
    const box = extent(image, red);
    near(box?.top ?? -1, 72);
    near(box?.left ?? -1, 36);
    near((box?.right ?? -1) + 1, 595.28 - 56.69);
    near((box?.bottom ?? -1) + 1, 841.89 - 56.69);
  });

  for (const viewport of ['small', '480px', 'medium', 'large', '800', '1280px', '96', '5000px', '65000']) {
    test(`with content_viewport_width=${viewport}, a box of that width fills the print area`, async () => {
      const pixels = { small: 480, medium: 1024, large: 1200 }[viewport] ?? Number.parseInt(viewport);
      const text = `<!doctype html><style>body{margin:0}div{width:${pixels}px;height:${pixels / 2}px;background:red}</style><div></div>`;
      const image = await readImage(
        pdfImage(await convert(service, { text, content_viewport_width: viewport })),
      );
      const box = extent(image, red);
      near(box?.left ?? -1, 28.8);
      near((box?.right ?? -1) + 1, 595.28 - 28.8, 1.5);
      near((box?.bottom ?? 0) - (box?.top ?? 0) + 1, 537.68 / 2, 1.5);
    });
  }

  test('scripts and media queries get the width of the layout that is printed', async () => {
    const text = `<p id="seen"></p><style>@media (width: 800px) { p::after { content: ' query' } }</style>
      <script>document.getElementById('seen').textContent = 'seen' + innerWidth</script>`;
    const pageText = pdfText(await convert(service, { text, content_viewport_width: '800px' }));
    assert.match(pageText, /seen800 query/);
  });

  test('with balanced, the layout is as wide as the widest content, but at least as wide as the print area', async () => {
    const wide =
      '<!doctype html><style>body{margin:0}</style><div style="width:1500px;height:10px;background:red"></div>';
    const box = extent(
      await readImage(pdfImage(await convert(service, { text: wide, content_viewport_width: 'balanced' }))),
      red,
    );
    near((box?.right ?? -1) + 1, 595.28 - 28.8, 1.5);
    const narrow =
      '<!doctype html><style>body{margin:0}</style><div style="width:717px;height:10px;background:red"></div>';
    const full = extent(
      await readImage(pdfImage(await convert(service, { text: narrow, content_viewport_width: 'balanced' }))),
      red,
    );
    near((full?.right ?? -1) + 1, 595.28 - 28.8, 1.5);
  });

  test('a narrow viewport, which enlarges the content, changes neither the links nor the number and size of pages', async () => {
    const text =
      '<a href="https://example.com/">out</a> <a href="#there">in</a><p id="there" style="break-before:page">target</p>';
    const pdf = await convert(service, { text, content_viewport_width: '200px' });
    assert.match(pdf.toString('latin1'), /example\.com/);
    assert.equal(pdfFacts(pdf).pages, 2);
    near(pdfFacts(pdf).width, 595.28);
  });

  test('the options for paper and margins override the @page rules of the page', async () => {
    const text = `<style>@page{size:A5 landscape;margin:3cm}@page:first{margin:0}@page wide{size:A3}.w{page:wide}</style>${filled}<p class="w">wide</p>`;
    const pdf = await convert(service, { text, margin_left: '1in' });
    near(pdfFacts(pdf).width, 595.28);
    near(extent(await readImage(pdfImage(pdf)), red)?.left ?? -1, 72);
    near(extent(await readImage(pdfImage(pdf)), red)?.top ?? -1, 28.8);
  });

  test('the page-break properties of CSS determine where pages end', async () => {
    const text = `<style>.b{page-break-before:always}.a{page-break-after:always}</style>
      <p>one</p><p class="b">two</p><p class="a">still two</p><p>three</p>`;
    const pdf = await convert(service, { text });
    assert.equal(pdfFacts(pdf).pages, 3);
    assert.match(pdfText(pdf, 2), /two\s+still two/);
    const rows = Array.from(
      { length: 6 },
      (_, n) => `<div style="page-break-inside:avoid;height:600px">block${n}</div>`,
    ).join('');
    assert.equal(pdfFacts(await convert(service, { text: rows })).pages, 3);
  });

  test('backgrounds are printed', async () => {
    const image = await readImage(pdfImage(await convert(service, { text: filled })));
    assert.deepEqual(image.at(300, 400), red);
  });

  test('a PDF uses screen styles unless use_print_media is true', async () => {
    const text =
      '<style>@media print{.s{display:none}}@media screen{.p{display:none}}</style><p class="s">screen</p><p class="p">print</p>';
    assert.deepEqual(
      pdfWords(await convert(service, { text })).map((word) => word.text),
      ['screen'],
    );
    const printed = await convert(service, { text, use_print_media: 'True' });
    assert.deepEqual(
      pdfWords(printed).map((word) => word.text),
      ['print'],
    );
    assert.deepEqual(
      pdfWords(await convert(service, { text })).map((word) => word.text),
      ['screen'],
    );
  });
});
