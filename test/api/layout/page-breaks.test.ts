/** Findings about page breaks: split elements, and elements taller than a page. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { send, type Fields } from '../../support/service/convert.ts';
import { readDebugLog } from '../../support/debug-log/debug-log.ts';
import { pdfText } from '../../support/output/pdf.ts';
import type { Service } from '../../support/service/service.ts';
import { defaultService } from '../../support/service/default-service.ts';

/** Returns an element that leaves `less` pixels free on an A4 page, in a layout 1024 px wide. */
const nearlyPage = (less: number) => `<div style="height:${1493 - less}px"></div>`;
const doctype = '<!doctype html><style>body{margin:0;font:16px/20px serif}</style>';
const lines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n + 1}`).join('<br>');

describe('Findings about page breaks', () => {
  let service: Service;
  before(async () => (service = await defaultService()));

  const convertLogged = async (fields: Fields) => {
    const answer = await send(service, { ...fields, debug_log: true });
    assert.equal(answer.status, 200, answer.body.toString());
    const { events } = await readDebugLog(answer);
    return { ...answer, breaks: events.find((event) => event.kind === 'breaks') };
  };
  const breaksOf = async (text: string) => (await convertLogged({ text })).breaks?.detail;

  test('report a split table row, with the pages on which it is printed', async () => {
    const rows = `<tr><td>${lines(6)}</td></tr>`.repeat(3);
    const text = `${doctype}${nearlyPage(220)}<table id="t">${rows}</table>`;
    const { body, breaks } = await convertLogged({ text });
    assert.deepEqual(breaks?.detail.splits, [
      { element: 'table#t > tbody > tr:nth-of-type(2)', first: 1, last: 2 },
    ]);
    assert.equal(pdfText(body, 2).match(/line 6/g)?.length, 2);
    assert.match(pdfText(body, 2), /^line [2-6]/);
  });

  test('report whether the cells of a split row have borders without a line at the end of the page', async () => {
    const openRows = async (style: string) => {
      const rows = `<tr><td style="${style}">${lines(6)}</td></tr>`.repeat(3);
      const found = await breaksOf(`${doctype}${nearlyPage(220)}<table>${rows}</table>`);
      return found?.splits.map(({ open }) => open);
    };
    assert.deepEqual(await openRows('border-bottom: 1px solid'), [true]);
    assert.deepEqual(await openRows('border-bottom: 1px solid; box-decoration-break: clone'), [undefined]);
    assert.deepEqual(await openRows('border-left: 1px solid'), [undefined]);
  });

  test('ignore a row that moves completely to the next page, also below a repeated table head', async () => {
    const rows = `<tr><td>${lines(6)}</td></tr>`.repeat(3);
    const head = '<thead><tr><th>Head</th></tr></thead>';
    const style = '<style>tr{break-inside:avoid}</style>';
    const text = `${doctype}${style}${nearlyPage(220)}<table>${head}${rows}</table>`;
    const { body, breaks } = await convertLogged({ text });
    assert.equal(breaks, undefined);
    assert.match(pdfText(body, 2), /^Head line 1/);
  });

  test('report an image taller than a page, with its height', async () => {
    const image = `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='100' height='2000'%3E%3C/svg%3E`;
    const text = `${doctype}<p>before</p><img src="${image}"><p>after</p>`;
    assert.deepEqual((await breaksOf(text))?.tall, [{ element: 'img', height: 2000, page: 2 }]);
  });

  for (const [where, before, after, page] of [
    ['at the end of a document', '<p>before</p>', '', 2],
    ['that is the only content', '', '', 1],
    ['between other content', '<p>before</p>', '<p>after</p>', 2],
  ] as const)
    test(`report an image taller than a page ${where}`, async () => {
      const text = (height: number) => {
        const image = `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3C/svg%3E`;
        const style = `width:300px;height:${height}px;background:red`;
        return `${doctype}${before}<img style="${style}" src="${image}">${after}`;
      };
      for (const height of [2000, 2600, 4000])
        assert.deepEqual((await breaksOf(text(height)))?.tall, [{ element: 'img', height, page }]);
    });

  const box = (style: string, content = 'panel') =>
    `${doctype}<p>before</p>${nearlyPage(200)}<div class="box" style="height:400px;${style}">${content}</div>`;
  for (const style of ['background:#def', 'border:1px solid', 'box-shadow:0 0 5px #000', 'background:#000'])
    test(`report a split box: ${style}`, async () => {
      const inner = '<div style="border:1px solid;height:300px">in it</div>';
      const breaks = await breaksOf(box(style, inner));
      assert.deepEqual(breaks?.splits, [{ element: 'div.box', first: 1, last: 2 }]);
    });

  test('report a split list item that has a border', async () => {
    const item = `<li style="border-bottom:1px solid">${lines(6)}</li>`;
    const text = `${doctype}${nearlyPage(200)}<ul style="margin:0">${item.repeat(3)}</ul>`;
    const breaks = await breaksOf(text);
    assert.deepEqual(breaks?.splits, [{ element: 'ul > li:nth-of-type(2)', first: 1, last: 2 }]);
  });

  const ordinary = {
    'an invisible box': box(''),
    'a white box on white': box('background:#fff'),
    'a box with only a top border': box('border-top:1px solid'),
    'a box that is taller than a page': box('background:#def;height:1600px'),
    'a box that contains a forced page break': box(
      'background:#def',
      '<p>a</p><p style="break-before:page">b</p>',
    ),
    'a table with a border, split between its rows': `${doctype}${nearlyPage(200)}<table style="border:1px solid;background:#def">${'<tr style="break-inside:avoid"><td>row</td></tr>'.repeat(20)}</table>`,
    'a body with a background': `${doctype}<body style="background:#def">${`<p>${lines(9)}</p>`.repeat(12)}`,
    'a box around the whole page': `${doctype}<main><div style="margin-top:60px;border:1px solid;background:#def">${nearlyPage(30)}</div></main>`,
    'text with a background': `${doctype}${nearlyPage(50)}<p><mark>${lines(9)}</mark>`,
  };
  for (const [what, text] of Object.entries(ordinary))
    test(`ignore ordinary page breaks: ${what}`, async () => {
      const { breaks, headers } = await convertLogged({ text, remove_blank_pages: 'none' });
      assert.notEqual(headers.get('x-service-total-pages'), '1');
      assert.equal(breaks, undefined);
    });

  test('ignore a box whose background is not printed', async () => {
    const { breaks } = await convertLogged({ text: box('background:#def'), no_background: true });
    assert.equal(breaks, undefined);
  });

  test('report a heading at the end of a page without its text, unless a forced break separates them', async () => {
    const heading = (style: string) =>
      `${doctype}${nearlyPage(80)}<h2>Terms</h2><p style="${style}">${lines(9)}`;
    const breaks = await breaksOf(heading('break-inside:avoid'));
    assert.deepEqual(breaks?.splits, [{ element: 'h2', first: 1, last: 2, apart: true }]);
    assert.equal(await breaksOf(heading('break-before:page')), undefined);
  });

  test('contain page numbers that include forced page breaks', async () => {
    const chapter = '<h1 style="break-before:page">Chapter</h1>';
    const figure = `<figure style="border:1px solid" id="f">${lines(9)}</figure>`;
    const text = `${doctype}<p>Title</p>${chapter}${chapter}${nearlyPage(200)}${figure}`;
    const breaks = await breaksOf(text);
    assert.deepEqual(breaks?.splits, [{ element: 'figure#f', first: 3, last: 4 }]);
  });
});
