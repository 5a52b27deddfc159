/** Paper, fit modes, ranges and set-ups of single pages, as a caller sees them in the PDF. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { convert, refusal, send } from '../support/convert.ts';
import { pdfFacts, pdfPicture, pdfText, pdfWords } from '../support/pdf.ts';
import { extent, readPicture, type Colour } from '../support/picture.ts';
import { startService, type Service } from '../support/service.ts';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service[Symbol.asyncDispose]());

const red: Colour = [255, 0, 0];
const blue: Colour = [0, 0, 255];
const bare = { no_margins: true };
const box = (width: string, height: string, colour = '#f00', more = '') =>
  `<div style="width:${width};height:${height};background:${colour};${more}"></div>`;
const page = (body: string) => `<!doctype html><style>body { margin: 0 }</style>${body}`;

/** Where a colour is on the first page, in points. */
async function spot(pdf: Buffer, colour: Colour, number = 1) {
  const found = extent(await readPicture(pdfPicture(pdf, 2, number)), colour);
  if (found === undefined) return undefined;
  const { left, top, right, bottom } = found;
  return { left: left / 2, top: top / 2, right: (right + 1) / 2, bottom: (bottom + 1) / 2 };
}

function near(actual: number | undefined, expected: number, tolerance = 1): void {
  assert.ok(
    actual !== undefined && Math.abs(actual - expected) <= tolerance,
    `${String(actual)} is not ${expected}`,
  );
}

const a4 = { width: 595.28, height: 841.89 };

describe('content_fit_mode', () => {
  const wide = page(box('2048px', '100px'));

  test('viewport-width, auto and no value at all fill the width with the viewport', async () => {
    for (const mode of [{}, { content_fit_mode: 'auto' }, { content_fit_mode: 'viewport-width' }]) {
      const pdf = await convert(service, { text: page(box('512px', '100px')), ...bare, ...mode });
      near((await spot(pdf, red))?.right, a4.width / 2);
    }
  });

  test('viewport-width cuts wider content, at the edge of the paper', async () => {
    const fields = { ...bare, content_fit_mode: 'viewport-width' };
    for (const margin of [0, 8]) {
      const text = `<body style="margin:${margin}px">${box('2048px', '100px')}<p style="text-align:right">END</p>`;
      const pdf = await convert(service, { text, ...fields });
      const found = await spot(pdf, red);
      near(found?.right, a4.width);
      near((found?.bottom ?? 0) - (found?.top ?? 0), (100 * a4.width) / 1024);
      assert.match(pdfText(pdf), /END/);
    }
  });

  test('smart-scaling makes wider content fit, and leaves narrower as it is', async () => {
    const fields = { ...bare, content_fit_mode: 'smart-scaling' };
    const found = await spot(await convert(service, { text: wide, ...fields }), red);
    near(found?.right, a4.width);
    near(found?.bottom, (100 * a4.width) / 2048);
    const narrow = await spot(await convert(service, { text: page(box('512px', '100px')), ...fields }), red);
    near(narrow?.right, a4.width / 2);
  });

  test('content-width fills the width with the content, wherever it is in the viewport', async () => {
    const fields = { ...bare, content_fit_mode: 'content-width' };
    const text = page(box('512px', '100px', '#f00', 'margin: 0 auto'));
    const found = await spot(await convert(service, { text, ...fields }), red);
    near(found?.left, 0);
    near(found?.right, a4.width);
    near(found?.bottom, (100 * a4.width) / 512, 2);
    const much = await spot(await convert(service, { text: wide, ...fields }), red);
    near(much?.bottom, (100 * a4.width) / 2048);
  });

  test('no-scaling prints a CSS pixel as 1/96in and cuts what is too wide at the print area', async () => {
    const fields = {
      content_fit_mode: 'no-scaling',
      margin_left: '1in',
      margin_right: '1in',
      margin_top: '1in',
    };
    const found = await spot(await convert(service, { text: wide, ...fields }), red);
    near(found?.left, 72);
    near(found?.right, a4.width - 72);
    near((found?.bottom ?? 0) - 72, 75);
    const small = await spot(await convert(service, { text: page(box('96px', '96px')), ...fields }), red);
    near((small?.right ?? 0) - 72, 72);
  });

  test('single-page puts everything on one page', async () => {
    const text = page(box('1024px', '5000px') + box('1024px', '100px', '#00f'));
    const pdf = await convert(service, { text, ...bare, content_fit_mode: 'single-page' });
    assert.equal(pdfFacts(pdf).pages, 1);
    near(pdfFacts(pdf).height, a4.height);
    near((await spot(pdf, blue))?.bottom, a4.height, 3);
    const few = await convert(service, {
      text: page(box('1024px', '100px')),
      ...bare,
      content_fit_mode: 'single-page',
    });
    near((await spot(few, red))?.right, a4.width);
  });

  test('single-page-ratio lays out wider until everything is on one page', async () => {
    const words = page(
      '<p style="font-size:20px;margin:0">'.concat('many words here '.repeat(1500), '<b>END</b></p>'),
    );
    const fields = { text: words, ...bare };
    assert.ok(pdfFacts(await convert(service, fields)).pages > 1);
    const pdf = await convert(service, { ...fields, content_fit_mode: 'single-page-ratio' });
    assert.equal(pdfFacts(pdf).pages, 1);
    const rights = pdfWords(pdf).map(({ right }) => right);
    assert.ok(Math.max(...rights) > 0.95 * a4.width, 'the text fills the width');
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
      near(height, (pixels * 9.2 * 72) / 1024 + 0.8 * 72, 3);
    }
  });

  test('is as tall as the content, its header and its footer', async () => {
    const strips = { header_html: 'Head', footer_html: 'Foot' };
    const pdf = await convert(service, { text: page(box('1024px', '700px')), page_height: -1, ...strips });
    assert.equal(pdfFacts(pdf).pages, 1);
    near(pdfFacts(pdf).height, (700 * (a4.width - 57.6)) / 1024 + 1.8 * 72, 3);
    assert.match(pdfText(pdf), /Head[\s\S]*Foot/);
  });

  test('has no margins with no_margins, whatever they are', async () => {
    const pdf = await convert(service, {
      text: page(box('100%', '50px')),
      margin_left: '2in',
      no_margins: true,
    });
    const found = await spot(pdf, red);
    near(found?.left, 0);
    near(found?.top, 0);
    near(found?.right, a4.width);
  });

  test('has its content moved and sized by content_area_*', async () => {
    const area = { content_area_x: '1in', content_area_y: '-0.4in', content_area_width: '4in' };
    const found = await spot(await convert(service, { text: page(box('100%', '50px')), ...area }), red);
    near(found?.left, 28.8 + 72);
    near(found?.top, 0);
    near(found?.right, 28.8 + 72 + 288);
  });

  test('has its content turned by contents_matrix', async () => {
    const fields = { ...bare, contents_matrix: '0.5,0,72,0,0.5,36' };
    const found = await spot(await convert(service, { text: page(box('1024px', '100px')), ...fields }), red);
    near(found?.left, 72);
    near(found?.top, 36);
    near(found?.right, 72 + a4.width / 2);
  });

  test("follows the page's own rules with css_page_rule_mode=mode2 only", async () => {
    const text = '<style>@page { size: 300pt 400pt; margin: 50pt } body { margin: 0 }</style>'.concat(
      box('100%', '30px'),
    );
    const usual = pdfFacts(await convert(service, { text }));
    assert.deepEqual([Math.round(usual.width), Math.round(usual.height)], [595, 842]);
    const pdf = await convert(service, { text, css_page_rule_mode: 'mode2' });
    const { width, height } = pdfFacts(pdf);
    assert.deepEqual([Math.round(width), Math.round(height)], [300, 400]);
    const found = await spot(pdf, red);
    near(found?.left, 50);
    near(found?.top, 50);
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
      const found = await spot(await convert(service, { text: page(box('96px', '96px')), ...fields }), red);
      near(found?.right, points);
    }
  });

  test('is seen through a window of content_viewport_height', async () => {
    const script = '<p id="h"></p><script>h.textContent = "high " + innerHeight</script>';
    const said = async (height: string) =>
      pdfText(await convert(service, { text: script, content_viewport_height: height }));
    assert.equal(await said('3000px'), 'high 3000');
    assert.equal(await said('large'), 'high 10000');
    assert.match(await said('auto'), /high 1[45]\d\d/);
  });
});

describe('pages without content', () => {
  const sheets = (...bodies: string[]) =>
    bodies.map((body) => `<div style="break-after:page;height:10px">${body}</div>`).join('');
  const text = `${sheets('one', '', 'three', '', '')}<div style="height:10px"></div>`;

  test('are left out at the end, everywhere, or nowhere', async () => {
    const count = async (fields: object) => {
      const answer = await send(service, { text, ...fields });
      return [pdfFacts(answer.body).pages, Number(answer.headers.get('x-service-total-pages'))];
    };
    assert.deepEqual(await count({}), [3, 3]);
    assert.deepEqual(await count({ remove_blank_pages: 'all' }), [2, 2]);
    assert.deepEqual(await count({ remove_blank_pages: 'none' }), [6, 6]);
  });

  test('do not make an empty document', async () => {
    for (const remove_blank_pages of ['trailing', 'all'])
      assert.equal(pdfFacts(await convert(service, { text: '<p></p>', remove_blank_pages })).pages, 1);
  });
});

describe('print_page_range', () => {
  const text = Array.from(
    { length: 12 },
    (_, index) =>
      `<h1 id="c${index + 1}" style="break-before:page">Chapter ${index + 1}</h1><a href="#c${12 - index}">to ${12 - index}</a>`,
  ).join('');
  const chapters = (pdf: Buffer) =>
    [...pdfText(pdf).matchAll(/Chapter (\d+)/g)].map(([, number]) => Number(number));

  test('selects pages in all its forms, and tells both counts', async () => {
    for (const [range, pages] of [
      ['3', [3]],
      ['2-4, 11-', [2, 3, 4, 11, 12]],
      ['-2,LAST', [1, 2, 12]],
      ['even', [2, 4, 6, 8, 10, 12]],
      ['10-99', [10, 11, 12]],
    ] as const) {
      const answer = await send(service, { text, print_page_range: range });
      assert.deepEqual(chapters(answer.body), pages, range);
      assert.equal(answer.headers.get('x-service-pages'), String(pages.length));
      assert.equal(answer.headers.get('x-service-total-pages'), '12');
    }
  });

  test('outside of the document is refused, with what there is', async () => {
    const answer = await refusal(service, { text, print_page_range: '13-20' });
    assert.match(
      answer,
      /^400\.311 - print_page_range names no page of the document, which has 12 pages; choose pages from 1 to 12\.$/,
    );
  });
});

describe('conversion_config', () => {
  const sheets = Array.from(
    { length: 4 },
    (_, index) => `<p style="break-after:page;margin:0">Sheet ${index + 1}</p>`,
  ).join('');
  const config = (...pageSetup: object[]) => JSON.stringify({ pageSetup });
  const topOf = (pdf: Buffer, number: number) => {
    const found = pdfText(pdf, number);
    assert.match(found, /Sheet/);
    return pdfWords(pdf, number).find(({ text }) => text === 'Sheet')?.top ?? 0;
  };

  test('gives the first page its own margins and paper', async () => {
    const setup = config({ pages: '1', marginTop: '3in', pageSize: 'A5', orientation: 'landscape' });
    const pdf = await convert(service, { text: page(sheets), conversion_config: setup });
    near(topOf(pdf, 1), 216, 4);
    near(topOf(pdf, 2), 28.8, 4);
    near(pdfFacts(pdf).width, (210 / 25.4) * 72);
    near(pdfFacts(pdf).height, (148 / 25.4) * 72);
  });

  test('gives left and right pages their own margins', async () => {
    const setup = config({ pages: 'even', marginTop: '2in' });
    const pdf = await convert(service, { text: page(sheets), conversion_config: setup });
    for (const [number, top] of [
      [1, 28.8],
      [2, 144],
      [3, 28.8],
      [4, 144],
    ] as const)
      near(topOf(pdf, number), top, 4);
  });

  test('shows headers on some pages, and frees their space on the first', async () => {
    const fields = { text: page(sheets), header_html: 'Head', header_height: '1in', margin_top: '0' };
    const setup = config({ pages: '1', displayHeader: 'none' }, { pages: 'last', displayHeader: 'space' });
    const pdf = await convert(service, { ...fields, conversion_config: setup });
    const heads = [1, 2, 3, 4].map((number) => /Head/.test(pdfText(pdf, number)));
    assert.deepEqual(heads, [false, true, true, false]);
    near(topOf(pdf, 1), 0, 4);
    near(topOf(pdf, 4), 72, 4);
  });

  test('colours pages, and may come as a file', async () => {
    const setup = config({ pages: '2-3', backgroundColor: 'ff0000' });
    const form = new File([setup], 'config.json');
    const pdf = await convert(service, { text: page(sheets), conversion_config_file: form });
    const coloured = await Promise.all(
      [1, 2, 3, 4].map(async (number) => (await spot(pdf, red, number)) !== undefined),
    );
    assert.deepEqual(coloured, [false, true, true, false]);
    const broken = await refusal(service, {
      text: 'x',
      conversion_config_file: new File(['{'], 'config.json'),
    });
    assert.match(broken, /^400\.311 - .*conversion_config is not allowed, because it is not a JSON object/);
  });
});
