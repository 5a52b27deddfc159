/** Page ranges, blank pages, links and the set-up of single pages in the PDF. */
import assert from 'node:assert/strict';
import { PDFArray, PDFDict, PDFDocument, PDFName, PDFNumber } from '@cantoo/pdf-lib';
import { before, describe, test } from 'node:test';
import { zip } from '../../support/archives/zip-writer.ts';
import { convert, htmlFile, refusal, send } from '../../support/service/convert.ts';
import { pdfDestinations, pdfFacts, pdfText, pdfWords } from '../../support/output/pdf.ts';
import { assertNear, findColour } from '../../support/output/find-colour.ts';
import type { Service } from '../../support/service/service.ts';
import { defaultService } from '../../support/service/default-service.ts';

let service: Service;
before(async () => {
  service = await defaultService();
});

const scaleOf = (fields: { scale_factor?: number }) => (fields.scale_factor ?? 100) / 100;
const page = (body: string) => `<!doctype html><style>body { margin: 0 }</style>${body}`;

describe('pages without content', () => {
  const sheets = (...bodies: string[]) =>
    bodies.map((body) => `<div style="break-after:page;height:10px">${body}</div>`).join('');
  const text = `${sheets('one', '', 'three', '', '')}<div style="height:10px"></div>`;

  test('are removed at the end, everywhere or nowhere, according to remove_blank_pages', async () => {
    const count = async (fields: object) => {
      const answer = await send(service, { text, ...fields });
      return [pdfFacts(answer.body).pages, Number(answer.headers.get('x-service-total-pages'))];
    };
    assert.deepEqual(await count({}), [3, 3]);
    assert.deepEqual(await count({ remove_blank_pages: 'all' }), [2, 2]);
    assert.deepEqual(await count({ remove_blank_pages: 'none' }), [6, 6]);
  });

  test('are kept if the document has no other pages', async () => {
    for (const remove_blank_pages of ['trailing', 'all'])
      assert.equal(pdfFacts(await convert(service, { text: '<p></p>', remove_blank_pages })).pages, 1);
  });
});

test('internal links lead to their targets, at any scale and with any margins', async () => {
  const text = page(
    '<a href="#far">go</a><h2 id="near">Near</h2><div style="height:2500px"></div><h2 id="far">Far</h2><a href="#near">back</a>',
  );
  for (const more of [
    {},
    { margin_top: '3in', header_html: 'H' },
    { content_viewport_width: '2000px' },
    { scale_factor: 400 },
  ]) {
    const pdf = await convert(service, { text, ...more });
    const document = await PDFDocument.load(pdf);
    const destinations = document.catalog.lookup(PDFName.of('Dests'), PDFDict);
    for (const [id, word] of [
      ['near', 'Near'],
      ['far', 'Far'],
    ] as const) {
      const place = destinations.lookup(PDFName.of(id), PDFArray);
      const number = document.getPages().findIndex(({ ref }) => ref === place.get(0)) + 1;
      const found = pdfWords(pdf, number).find((candidate) => candidate.text === word);
      const top = document.getPage(number - 1).getHeight() - place.lookup(3, PDFNumber).asNumber();
      assertNear(found?.top, top, 12 * (scaleOf(more) + 1));
      assertNear(found?.left, place.lookup(2, PDFNumber).asNumber(), 4 * scaleOf(more));
    }
  }
});

test('relative links remain relative, so that they do not reveal the address of the service', async () => {
  const pdf = await convert(service, {
    text: '<a href="page2.html?a=(1)">x</a><a href="/top">y</a>',
    footer_html: '<a href="z.html">z</a>',
  });
  const links = [...pdf.toString('latin1').matchAll(/\/URI \((.*?)\)[\s>]/g)].map(([, uri]) => uri);
  assert.deepEqual(links.sort(), ['/top', 'page2.html?a=\\(1\\)', 'z.html']);
});

describe('every spelling of a link to the document itself leads to its place:', () => {
  const uris = (pdf: Buffer) =>
    [...pdf.toString('latin1').matchAll(/\/URI \((.*?)\)[\s>]/g)].map(([, uri]) => uri);
  const pageWith = (...hrefs: readonly string[]) =>
    `<meta charset="utf-8">${hrefs.map((href) => `<a href="${href}">x</a> `).join('')}<a href="other.html#a">x</a>
     <p id="a" style="break-before: page">a<p id="b ü">b`;
  const folder = ['#a', './#a', './#b%20%C3%BC', '/#a', 'index.html#a', './index.html#b ü'];
  const zipped = (name: string, page: string) => {
    const entries = [
      { name, contents: page },
      { name: 'other.html', contents: 'x' },
    ];
    return new File([new Uint8Array(zip(entries))], 'a.zip');
  };
  const inputs = {
    'in a text': { text: pageWith(...folder) },
    'in a file': {
      file: htmlFile(
        pageWith(...folder.slice(0, 4), 'my%20letter.html#a', './my letter.html#a'),
        'my letter.html',
      ),
    },
    'in an archive': { file: zipped('index.html', pageWith(...folder)) },
    'in a folder of an archive': {
      file: zipped(
        'pages/index.html',
        pageWith('#a', './#a', 'index.html#a', '../pages/index.html#b ü', '/pages/#a'),
      ),
      zip_main_filename: 'pages/index.html',
    },
  };
  for (const [where, input] of Object.entries(inputs))
    test(where, async () => {
      const pdf = await convert(service, input);
      assert.deepEqual(uris(pdf), [
        where === 'in a folder of an archive' ? 'pages/other.html#a' : 'other.html#a',
      ]);
      assert.deepEqual(new Set(pdfDestinations(pdf).map((place) => place.split(' ')[0])), new Set(['2']));
    });

  test('unless a base element makes it another document', async () => {
    const text = '<base href="https://example.com/pages/"><a href="/#a">x</a><p id="a">a';
    assert.deepEqual(uris(await convert(service, { text })), ['https://example.com/#a']);
  });
});

test('the head of a table is repeated on each page, with screen and print styles', async () => {
  const rows = Array.from({ length: 120 }, (_, index) => `<tr><td>Row ${index + 1}</td></tr>`).join('');
  const text = `<table><thead><tr><th>Head</th></tr></thead>${rows}</table>`;
  for (const use_print_media of [false, true])
    assert.match(pdfText(await convert(service, { text, use_print_media }), 2), /^Head Row/);
});

describe('print_page_range', () => {
  const text = Array.from(
    { length: 12 },
    (_, index) =>
      `<h1 id="c${index + 1}" style="break-before:page">Chapter ${index + 1}</h1><a href="#c${12 - index}">to ${12 - index}</a>`,
  ).join('');
  const chapters = (pdf: Buffer) =>
    [...pdfText(pdf).matchAll(/Chapter (\d+)/g)].map(([, number]) => Number(number));

  test('selects pages in all documented forms, and the response headers contain both page counts', async () => {
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

  test('that is outside the document is refused with the number of pages', async () => {
    const answer = await refusal(service, { text, print_page_range: '13-20' });
    assert.match(answer, /^400\.311 - print_page_range .*\b12 pages\b/);
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

  test('sets the margins and the paper of the first page', async () => {
    const setup = config({ pages: '1', marginTop: '3in', pageSize: 'A5', orientation: 'landscape' });
    const pdf = await convert(service, { text: page(sheets), conversion_config: setup });
    assertNear(topOf(pdf, 1), 216, 4);
    assertNear(topOf(pdf, 2), 28.8, 4);
    assertNear(pdfFacts(pdf).width, (210 / 25.4) * 72);
    assertNear(pdfFacts(pdf).height, (148 / 25.4) * 72);
  });

  test('sets the margins of even pages', async () => {
    const setup = config({ pages: 'even', marginTop: '2in' });
    const pdf = await convert(service, { text: page(sheets), conversion_config: setup });
    for (const [number, top] of [
      [1, 28.8],
      [2, 144],
      [3, 28.8],
      [4, 144],
    ] as const)
      assertNear(topOf(pdf, number), top, 4);
  });

  test('hides the header on some pages, and either frees its space or keeps it empty', async () => {
    const fields = { text: page(sheets), header_html: 'Head', header_height: '1in', margin_top: '0' };
    const setup = config({ pages: '1', displayHeader: 'none' }, { pages: 'last', displayHeader: 'space' });
    const pdf = await convert(service, { ...fields, conversion_config: setup });
    const heads = [1, 2, 3, 4].map((number) => pdfText(pdf, number).includes('Head'));
    assert.deepEqual(heads, [false, true, true, false]);
    assertNear(topOf(pdf, 1), 0, 4);
    assertNear(topOf(pdf, 4), 72, 4);
  });

  test('sets the background colour of pages, and can be sent as a file', async () => {
    const setup = config({ pages: '2-3', backgroundColor: 'ff0000' });
    const form = new File([setup], 'config.json');
    const pdf = await convert(service, { text: page(sheets), conversion_config_file: form });
    const coloured = await Promise.all(
      [1, 2, 3, 4].map(async (number) => (await findColour(pdf, [255, 0, 0], number)) !== undefined),
    );
    assert.deepEqual(coloured, [false, true, true, false]);
    const broken = await refusal(service, {
      text: 'x',
      conversion_config_file: new File(['{'], 'config.json'),
    });
    assert.match(broken, /^400\.311 - .*conversion_config is not allowed, because it is not a JSON object/);
  });
});
