/** Elements with a fixed position, which are on each page, on the first page or hidden, and the text that they cover. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { convert, send, type Fields } from '../../support/service/convert.ts';
import { readDebugLog } from '../../support/debug-log/debug-log.ts';
import { pdfFacts, pdfText, pdfWords } from '../../support/output/pdf.ts';
import { extent, readImage, type Colour } from '../../support/output/image.ts';
import type { Service } from '../../support/service/service.ts';
import { defaultService } from '../../support/service/default-service.ts';

const lines = Array.from({ length: 120 }, (_, index) => `<p>text${index + 1}</p>`).join('');
const bars = `<div class="top">header</div><div class="cookies">cookies</div>`;
const styles = `body { margin: 0 } main { padding-top: 70px }
  .top { position: fixed; top: 0; left: 0; right: 0; height: 60px; background: rgb(255,200,0) }
  .cookies { position: fixed; bottom: 0; left: 0; width: 100%; height: 120px; background: rgb(0,128,0) }
  .sticky { position: sticky; top: 60px }`;
const page = (body: string, style = '') => `<!doctype html><style>${styles}${style}</style>${body}`;
const text = page(`${bars}<main><div class="sticky">sticky</div>${lines}</main>`);
const green: Colour = [0, 128, 0];

describe('Fixed elements', () => {
  let service: Service;
  before(async () => (service = await defaultService()));

  const pagesWith = (pdf: Buffer, word: string) =>
    Array.from({ length: pdfFacts(pdf).pages }, (_, index) => index + 1).filter((number) =>
      pdfText(pdf, number).split(' ').includes(word),
    );
  const covering = async (fields: Fields) => {
    const { findings } = await readDebugLog(await send(service, { ...fields, debug_log: true }));
    return findings.filter(({ code }) => code === 'fixed-element-covers');
  };

  test('are on each page of a document as Chromium prints them', async () => {
    const pdf = await convert(service, { text });
    assert.deepEqual(pagesWith(pdf, 'header'), [1, 2, 3]);
    assert.deepEqual(pagesWith(pdf, 'cookies'), [1, 2, 3]);
  });

  for (const [what, style] of [
    ['in the body', ''],
    ['in a positioned element', 'body { position: relative; margin: 20px }'],
  ] as const)
    test(`are in their place on the first page, and on no other page, with first-page: ${what}`, async () => {
      const html = page(`${bars}<main><div class="sticky">sticky</div>${lines}</main>`, style);
      const defaultPdf = await convert(service, { text: html });
      const pdf = await convert(service, { text: html, fixed_elements: 'first-page' });
      for (const word of ['header', 'cookies']) {
        assert.deepEqual(pagesWith(pdf, word), [1], word);
        const top = (bytes: Buffer) =>
          pdfWords(bytes).find((candidate) => candidate.text === word)?.top ?? -100;
        assert.ok(Math.abs(top(pdf) - top(defaultPdf)) < 3, `${word}: ${top(pdf)}, not ${top(defaultPdf)}`);
      }
      assert.match(pdfText(pdf), /\btext120\b/);
    });

  test('are hidden with hide, while sticky elements remain in the text', async () => {
    const pdf = await convert(service, { text, fixed_elements: 'hide' });
    assert.deepEqual([pagesWith(pdf, 'header'), pagesWith(pdf, 'cookies')], [[], []]);
    assert.deepEqual(pagesWith(pdf, 'sticky'), [1]);
    assert.match(pdfText(pdf), /\btext120\b/);
  });

  test("are not hidden if they contain most of the page's text", async () => {
    const app = page(`<div id="app">${lines}</div>${bars}`, '#app { position: fixed; inset: 0 }');
    const answer = await send(service, { text: app, fixed_elements: 'hide', debug_log: true });
    assert.match(pdfText(answer.body), /text1 .*text120/);
    assert.doesNotMatch(pdfText(answer.body), /cookies/);
    const { findings } = await readDebugLog(answer);
    const found = findings.find(({ code }) => code === 'option-without-effect');
    assert.match(found?.sentence ?? '', /^div#app .*most of the page's text/);
  });

  test('appear only once in an image of the whole page, and bars at the bottom appear at its end', async () => {
    const image = async (fixed_elements: string) =>
      readImage(await convert(service, { text, output_format: 'png', fixed_elements }));
    const keptImage = await image('keep');
    const atEnd = extent(keptImage, green);
    assert.deepEqual([atEnd?.top, atEnd?.bottom], [keptImage.height - 120, keptImage.height - 1]);
    const onFirst = extent(await image('first-page'), green);
    assert.deepEqual([onFirst?.top, onFirst?.bottom], [768 - 120, 767]);
    assert.equal(extent(await image('hide'), green), undefined);
  });

  test('are reported if they cover text, with the option that prevents this', async () => {
    const found = await covering({ text });
    assert.deepEqual(
      found.map(({ sentence }) => /^\S+ is fixed/.exec(sentence)?.[0]),
      ['div.top is fixed', 'div.cookies is fixed'],
    );
    assert.match(found[1]?.sentence ?? '', /on each page and covers about \d+ lines of text on [23] of/);
    assert.deepEqual([found[0]?.severity, found[0]?.options], ['warning', ['fixed_elements']]);
    const [onFirst, ...others] = await covering({ text, fixed_elements: 'first-page' });
    assert.match(
      onFirst?.sentence ?? '',
      /^div\.cookies .* on the first page and covers about \d+ lines of text there/,
    );
    assert.deepEqual(others, []);
    assert.deepEqual(await covering({ text, fixed_elements: 'hide' }), []);
    assert.equal((await send(service, { text })).headers.get('x-service-note-codes'), 'fixed-element-covers');
  });

  test('are not reported if they cover no text', async () => {
    const clear = `<div class="cookies" style="background:none;pointer-events:none"></div>
      <div class="top" style="visibility:hidden">menu</div><div class="cookies" style="left:-9999px">away</div>
      <div style="position:fixed;right:5px;bottom:5px;width:40px;height:40px;background:red"></div>`;
    assert.deepEqual(await covering({ text: page(`${clear}<main style="width:300px">${lines}</main>`) }), []);
    // On a single page, fixed elements are where a browser shows them.
    assert.deepEqual(await covering({ text: page(`${bars}<p>short</p>`) }), []);
  });
});
