/** Page references, checked against the text of each page. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { pdfFacts, pdfText } from '../../support/output/pdf.ts';
import { readDebugLog } from '../../support/debug-log/debug-log.ts';
import { convert, refusal, send } from '../../support/service/convert.ts';
import { defaultService } from '../../support/service/default-service.ts';
import type { Service } from '../../support/service/service.ts';

let service: Service;
before(async () => {
  service = await defaultService();
});

const styles = '<style>section{break-before:page}</style>';
const reference = (id: string, more = '') => `<a class="service-page-ref" href="#${id}" ${more}>?</a>`;
const section = (id: string, text = id) => `<section id="${id}">${text}</section>`;
/** A document with a page for each of the sections a to e, whose first page has a reference to each of them. */
const letters = ['a', 'b', 'c', 'd', 'e'];
const document = `${styles}<p>${letters.map((id) => reference(id)).join(', ')}</p>${letters.map((id) => section(id)).join('')}`;
const footer = '<span class="service-page-number"></span>';

const firstPage = async (fields: Parameters<typeof convert>[1]) => pdfText(await convert(service, fields), 1);

/** Returns the first page with the word, from 1. */
function pageWith(pdf: Buffer, word: string): number {
  const pages = Array.from({ length: pdfFacts(pdf).pages }, (_, index) => pdfText(pdf, index + 1));
  return pages.findIndex((text) => text.split(' ').includes(word)) + 1;
}

describe('page references', () => {
  test('show the pages of their targets, in documents with and without scripts', async () => {
    assert.equal(await firstPage({ text: document }), '2, 3, 4, 5, 6');
    assert.equal(await firstPage({ text: `${document}<script>1</script>` }), '2, 3, 4, 5, 6');
    const built = `${styles}<body><script>document.body.innerHTML = ${JSON.stringify(document).replaceAll('</', '<\\/')}</script>`;
    assert.equal(await firstPage({ text: built }), '2, 3, 4, 5, 6');
  });

  test('show the numbers that headers and footers show', async () => {
    const text = `${document}<script>1</script>`;
    const pdf = await convert(service, { text, page_numbering_offset: 10, footer_html: footer });
    assert.equal(pdfText(pdf, 1), '12, 13, 14, 15, 16 11');
    assert.equal(pdfText(pdf, 4), 'c 14');
    const range = { print_page_range: '1,4-5', footer_html: footer };
    const part = await convert(service, { text, ...range });
    assert.equal(pdfText(part, 1), '–, –, 2, 3, – 1');
    assert.equal(pdfText(part, 3), 'd 3');
    const withBlank = text.replace(section('b'), section('b', ''));
    assert.equal(await firstPage({ text: withBlank, remove_blank_pages: 'all' }), '2, –, 3, 4, 5');
  });

  test('note references without a number', async () => {
    const answer = await send(service, { text: document, print_page_range: '1-2', debug_log: true });
    const log = await readDebugLog(answer);
    const { sentence } = log.findings.find(({ code }) => code === 'page-references') ?? {};
    assert.match(sentence ?? '', /^4 page references .* without a number, because/);
    assert.equal(answer.headers.get('x-service-notes'), '1');
  });

  test('have number formats', async () => {
    const text = ['lower-roman', 'roman', 'thai', 'unknown']
      .map((format) => reference('c', `data-service-number-format="${format}"`))
      .join(', ');
    assert.equal(
      await firstPage({ text: document.replace('<p>', `<p>${text}, `) }),
      'iv, IV, ๔, 4, 2, 3, 4, 5, 6',
    );
  });

  test('find targets with any id or name, without a box, and with another base URL', async () => {
    const text = `<base href="http://example.com/x/">${styles}<p>${['ü', 'a b', 'x(1)/%', 'inside', 'named'].map((id) => reference(id)).join(', ')}
      <a href="#ü">a link to page <b class="service-page-ref"></b></a></p>
      ${section('ü')}${section('a b')}${section('x(1)/%')}<div id="inside" style="display:contents">${section('')}</div>
      <section><a name="named">named</a></section>`;
    assert.equal(await firstPage({ text }), '2, 3, 4, 5, 6 a link to page 2');
  });

  test('are right on paper of other sizes, on pages that are scaled and placed, and on one long page', async () => {
    const text = `<p>${letters.map((id) => reference(id)).join(', ')}</p>${letters.map((id) => section(id, `${id}<div style="height:700px">`)).join('')}`;
    for (const options of [
      { page_size: 'A5' },
      { content_fit_mode: 'no-scaling', scale_factor: 150 },
      { page_height: '-1' },
      { custom_css: '@page { size: A5 landscape }' },
    ]) {
      const pdf = await convert(service, { text, ...options });
      const numbers = letters.map((letter) => pageWith(pdf, letter));
      const shown = pdfText(pdf, 1).split(', ').map(parseFloat);
      assert.deepEqual(shown, numbers, JSON.stringify(options));
    }
  });

  test('are right if the width of a number moves its target', async () => {
    // The number 1 leaves room for the target on page 10. The number 10 takes two lines, which move the target to page 11.
    const pages = '<div style="break-after:page">x</div>'.repeat(9);
    const style = 'font:100px/120px monospace;width:80px;word-break:break-all';
    const text = `${pages}<div style="${style}">${reference('end')}</div><div style="height:1270px"></div><h1 id="end" style="margin:0">end</h1>`;
    const answer = await send(service, { text, debug_log: true });
    assert.equal(pageWith(answer.body, 'end'), 11);
    assert.equal(pdfText(answer.body, 10).replaceAll(/\D/g, ''), '11');
    const { events } = await readDebugLog(answer);
    assert.equal(events.filter(({ text: stage }) => stage === 'print').length, 3);
  });

  test('that alternate between two pages are noted', async () => {
    // As "1", the reference leaves room for its target on page 1; as "1" it would be 2, and with "2" it is 1.
    const text = `<style>a[data-n]{display:block}</style>
      <div id="box" style="height:0">${reference('end')}</div><h1 id="end">end</h1>
      <script>new MutationObserver(() => {
        box.style.height = box.textContent === '1' ? '3000px' : '0';
      }).observe(box, { characterData: true, childList: true, subtree: true })</script>`;
    const answer = await send(service, { text, debug_log: true });
    assert.equal(answer.status, 200);
    const log = await readDebugLog(answer);
    const { sentence } = log.findings.find(({ code }) => code === 'page-references') ?? {};
    assert.match(sentence ?? '', /with a wrong number: the number moves its own target/);
  });

  test('without a target that is printed are refused', async () => {
    const refused = async (text: string) => {
      const message = await refusal(service, { text });
      assert.match(message, /400\.324/);
      return message;
    };
    assert.match(
      await refused(reference('gone')),
      /The page reference a\.service-page-ref links to "#gone", but no element has that id\. Link each page reference/,
    );
    assert.match(
      await refused(`${reference('hid')}<p id="hid" hidden>`),
      /a\.service-page-ref links to an element that is not printed/,
    );
    assert.match(
      await refused('<b class="service-page-ref">1</b>'),
      /b\.service-page-ref is neither a link nor/,
    );
    for (const href of ['http://example.com/#a', '#', 'other.html#a'])
      assert.match(
        await refused(`<a class="service-page-ref" href="${href}">1</a>`),
        /which is not an element of the page/,
      );
    assert.match(await refused(reference('gone').repeat(9)), /4 more are wrong\./);
  });

  test('keep their text in an image', async () => {
    const answer = await send(service, { text: reference('gone'), output_format: 'png' });
    assert.equal(answer.status, 200);
  });
});
