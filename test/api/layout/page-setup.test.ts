/** The effect of options for the paper, the fit mode and the layout on the PDF. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { convert } from '../../support/service/convert.ts';
import { pdfFacts, pdfText, pdfWords } from '../../support/output/pdf.ts';
import type { Colour } from '../../support/output/image.ts';
import { assertNear, findColour } from '../../support/output/find-colour.ts';
import type { Service } from '../../support/service/service.ts';
import { defaultService } from '../../support/service/default-service.ts';

let service: Service;
before(async () => {
  service = await defaultService();
});

const red: Colour = [255, 0, 0];
const blue: Colour = [0, 0, 255];
const bare = { no_margins: true };
const box = (width: string, height: string, more = '') =>
  `<div style="width:${width};height:${height};background:#f00;${more}"></div>`;
const page = (body: string) => `<!doctype html><style>body { margin: 0 }</style>${body}`;

const a4 = { width: 595.28, height: 841.89 };

describe('content_fit_mode', () => {
  const wide = page(box('2048px', '100px'));

  test('viewport-width, auto and the default fill the width of the print area with the viewport', async () => {
    for (const mode of [{}, { content_fit_mode: 'auto' }, { content_fit_mode: 'viewport-width' }]) {
      const pdf = await convert(service, { text: page(box('512px', '100px')), ...bare, ...mode });
      assertNear((await findColour(pdf, red))?.right, a4.width / 2);
    }
  });

  test('viewport-width cuts off wider content at the edge of the print area', async () => {
    const fields = { ...bare, content_fit_mode: 'viewport-width' };
    for (const margin of [0, 8]) {
      const text = `<body style="margin:${margin}px">${box('2048px', '100px')}<p style="text-align:right">END</p>`;
      const pdf = await convert(service, { text, ...fields });
      const found = await findColour(pdf, red);
      assertNear(found?.right, a4.width);
      assertNear((found?.bottom ?? 0) - (found?.top ?? 0), (100 * a4.width) / 1024);
      assert.match(pdfText(pdf), /END/);
    }
  });

  test('smart-scaling shrinks wider content to fit, and keeps the size of narrower content', async () => {
    const fields = { ...bare, content_fit_mode: 'smart-scaling' };
    const found = await findColour(await convert(service, { text: wide, ...fields }), red);
    assertNear(found?.right, a4.width);
    assertNear(found?.bottom, (100 * a4.width) / 2048);
    const narrow = await findColour(
      await convert(service, { text: page(box('512px', '100px')), ...fields }),
      red,
    );
    assertNear(narrow?.right, a4.width / 2);
  });

  test('content-width fills the width of the print area with the content, wherever it is in the viewport', async () => {
    const fields = { ...bare, content_fit_mode: 'content-width' };
    const text = page(box('512px', '100px', 'margin: 0 auto'));
    const found = await findColour(await convert(service, { text, ...fields }), red);
    assertNear(found?.left, 0);
    assertNear(found?.right, a4.width);
    assertNear(found?.bottom, (100 * a4.width) / 512, 2);
    const much = await findColour(await convert(service, { text: wide, ...fields }), red);
    assertNear(much?.bottom, (100 * a4.width) / 2048);
  });

  test('no-scaling prints a CSS pixel as 1/96in, and clips content at the print area', async () => {
    const fields = {
      content_fit_mode: 'no-scaling',
      margin_left: '1in',
      margin_right: '1in',
      margin_top: '1in',
    };
    const found = await findColour(await convert(service, { text: wide, ...fields }), red);
    assertNear(found?.left, 72);
    assertNear(found?.right, a4.width - 72);
    assertNear((found?.bottom ?? 0) - 72, 75);
    const small = await findColour(
      await convert(service, { text: page(box('96px', '96px')), ...fields }),
      red,
    );
    assertNear((small?.right ?? 0) - 72, 72);
  });

  test('single-page puts all content on one page', async () => {
    const text = page(box('1024px', '5000px') + box('1024px', '100px', 'background:#00f'));
    const pdf = await convert(service, { text, ...bare, content_fit_mode: 'single-page' });
    assert.equal(pdfFacts(pdf).pages, 1);
    assertNear(pdfFacts(pdf).height, a4.height);
    assertNear((await findColour(pdf, blue))?.bottom, a4.height, 3);
    const few = await convert(service, {
      text: page(box('1024px', '100px')),
      ...bare,
      content_fit_mode: 'single-page',
    });
    assertNear((await findColour(few, red))?.right, a4.width);
  });

  test('single-page-ratio widens the layout until all content is on one page', async () => {
    const words = page(
      '<p style="font-size:20px;margin:0">'.concat('many words here '.repeat(1500), '<b>END</b></p>'),
    );
    const fields = { text: words, ...bare };
    assert.ok(pdfFacts(await convert(service, fields)).pages > 1);
    const pdf = await convert(service, { ...fields, content_fit_mode: 'single-page-ratio' });
    assert.equal(pdfFacts(pdf).pages, 1);
    const rights = pdfWords(pdf).map(({ right }) => right);
    assert.ok(Math.max(...rights) > 0.95 * a4.width, 'the text does not fill the width');
    assert.match(pdfText(pdf), /END$/);
  });
});

describe('the paper', () => {
  test('is as tall as the content with page_height=-1', async () => {
    for (const pixels of [50, 700, 9000]) {
      const fields = { text: page(box('1024px', `${pixels}px`)), page_height: -1, page_width: '10in' };
      const pdf = await convert(service, fields);
      const { pages, width, height } = pdfFacts(pdf);
      assert.deepEqual([pages, Math.round(width)], [1, 720]);
      assertNear(height, (pixels * 9.2 * 72) / 1024 + 0.8 * 72, 3);
    }
  });

  for (const [what, text] of Object.entries({
    'a rule': '<style>div { height: 100vh }</style><div>A</div><p>END',
    'an attribute': '<div style="min-height: calc(100dvh + 20px)">A</div><p>END',
    'a custom property in nested rules':
      '<style>@media all { body { --tall: 50vh; & div { height: calc(2 * var(--tall)) } } }</style><div>A</div><p>END',
    'a single page by content_fit_mode': '<style>div { height: 150svh }</style><div>A</div><p>END',
  }))
    test(`has room for content below an element as tall as the viewport (${what})`, async () => {
      const fit = what.startsWith('a single page')
        ? { content_fit_mode: 'single-page' }
        : { page_height: -1 };
      const pdf = await convert(service, { text, ...fit });
      assert.equal(pdfFacts(pdf).pages, 1);
      assert.match(pdfText(pdf), /^A\s+END$/);
    });

  test('is as tall as the content, the header and the footer together with page_height=-1', async () => {
    const headerAndFooter = { header_html: 'Head', footer_html: 'Foot' };
    const pdf = await convert(service, {
      text: page(box('1024px', '700px')),
      page_height: -1,
      ...headerAndFooter,
    });
    assert.equal(pdfFacts(pdf).pages, 1);
    assertNear(pdfFacts(pdf).height, (700 * (a4.width - 57.6)) / 1024 + 1.8 * 72, 3);
    assert.match(pdfText(pdf), /Head[\s\S]*Foot/);
  });

  test('has no margins with no_margins, even if margins are set', async () => {
    const pdf = await convert(service, {
      text: page(box('100%', '50px')),
      margin_left: '2in',
      no_margins: true,
    });
    const found = await findColour(pdf, red);
    assertNear(found?.left, 0);
    assertNear(found?.top, 0);
    assertNear(found?.right, a4.width);
  });

  test('has its content in the area that the options content_area_* specify', async () => {
    const area = { content_area_x: '1in', content_area_y: '-0.4in', content_area_width: '4in' };
    const found = await findColour(await convert(service, { text: page(box('100%', '50px')), ...area }), red);
    assertNear(found?.left, 28.8 + 72);
    assertNear(found?.top, 0);
    assertNear(found?.right, 28.8 + 72 + 288);
  });

  test('has its content transformed by contents_matrix', async () => {
    const fields = { ...bare, contents_matrix: '0.5,0,72,0,0.5,36' };
    const found = await findColour(
      await convert(service, { text: page(box('1024px', '100px')), ...fields }),
      red,
    );
    assertNear(found?.left, 72);
    assertNear(found?.top, 36);
    assertNear(found?.right, 72 + a4.width / 2);
  });

  test('follows the @page rules with css_page_rule_mode=mode2, but not with mode1', async () => {
    const text = '<style>@page { size: 300pt 400pt; margin: 50pt } body { margin: 0 }</style>'.concat(
      box('100%', '30px'),
    );
    const withoutRules = pdfFacts(await convert(service, { text, css_page_rule_mode: 'mode1' }));
    assert.deepEqual([Math.round(withoutRules.width), Math.round(withoutRules.height)], [595, 842]);
    const pdf = await convert(service, { text, css_page_rule_mode: 'mode2' });
    const { width, height } = pdfFacts(pdf);
    assert.deepEqual([Math.round(width), Math.round(height)], [300, 400]);
    const found = await findColour(pdf, red);
    assertNear(found?.left, 50);
    assertNear(found?.top, 50);
    const plain = pdfFacts(
      await convert(service, { text: 'x', css_page_rule_mode: 'mode2', page_size: 'A5' }),
    );
    assert.equal(Math.round(plain.width), 420);
  });
});

describe('the layout', () => {
  test('is zoomed by scale_factor', async () => {
    for (const [factor, points] of [
      [50, 36],
      [100, 72],
      [300, 216],
    ] as const) {
      const width = `${Math.round(((a4.width / 72) * 96) / 1)}px`;
      const fields = { ...bare, content_viewport_width: width, scale_factor: factor };
      const found = await findColour(
        await convert(service, { text: page(box('96px', '96px')), ...fields }),
        red,
      );
      assertNear(found?.right, points);
    }
  });

  test('has a viewport with the height in content_viewport_height', async () => {
    const script = '<p id="h"></p><script>h.textContent = "high " + innerHeight</script>';
    const heightFor = async (height: string) =>
      pdfText(await convert(service, { text: script, content_viewport_height: height }));
    assert.equal(await heightFor('3000px'), 'high 3000');
    assert.equal(await heightFor('large'), 'high 10000');
    assert.match(await heightFor('auto'), /high 1[45]\d\d/);
  });
});

test('a black header fills its whole area', async () => {
  const header_html = '<body style="margin: 0; background: black; color: white">white on black';
  const headerBox = await findColour(
    await convert(service, { text: '<p style="color:red">Body', header_html }),
    [0, 0, 0],
  );
  assertNear(headerBox?.bottom === undefined ? undefined : headerBox.bottom - headerBox.top, 36);
  assertNear(
    headerBox?.right === undefined ? undefined : headerBox.right - headerBox.left,
    a4.width - 2 * 0.4 * 72,
  );
});
