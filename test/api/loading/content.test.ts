import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { newspaper } from '../../support/pages/article.ts';
import { convert, refusal, send, type Fields } from '../../support/service/convert.ts';
import { pdfFacts, pdfImage, pdfText, pdfWords } from '../../support/output/pdf.ts';
import { extent, readImage } from '../../support/output/image.ts';
import { readDebugLog } from '../../support/debug-log/debug-log.ts';
import { defaultService } from '../../support/service/default-service.ts';
import type { Service } from '../../support/service/service.ts';
import { serveWeb } from '../../support/servers/web-server.ts';

const green = [0, 255, 0] as const;
const red = [255, 0, 0] as const;

describe('The content of a page', () => {
  let service: Service;
  before(async () => (service = await defaultService()));

  const textOf = async (fields: Fields) => pdfText(await convert(service, fields));
  const imageOf = async (fields: Fields) =>
    readImage(await convert(service, { output_format: 'png', screenshot_width: 400, ...fields }));
  const logOf = async (fields: Fields) => {
    const { headers } = await send(service, { ...fields, debug_log: true });
    return (await fetch(headers.get('x-service-debug-log') ?? '')).text();
  };

  const shop = `<!doctype html><style>body{margin:10px;font:16px/20px monospace;display:grid;grid-template-columns:200px 1fr}
    nav,aside{background:#f00}.card{padding:50px;border:1px solid #000}.shop .price{background:#0f0;height:40px}</style>
    <nav>menu</nav><div class="shop">loose<div class="card"><p>before</p><p class="price">price one</p><p class="price">price two</p></div></div>
    <aside>advertisement</aside>`;

  test('element_to_convert moves the first matching element to the top, with the styles of the page', async () => {
    const image = await imageOf({ text: shop, element_to_convert: '#none, .price' });
    assert.deepEqual(extent(image, green), { left: 10, top: 16, right: 389, bottom: 55 });
    assert.equal(extent(image, red), undefined);
    assert.equal(await textOf({ text: shop, element_to_convert: '.price' }), 'price one');
  });

  test('element_to_convert uses the first match in the document, even if it matches a later selector of the list', async () => {
    assert.equal(await textOf({ text: shop, element_to_convert: 'aside, nav' }), 'menu');
  });

  test('remove-siblings keeps the element inside its ancestors, and removes everything else', async () => {
    const fields = {
      text: shop,
      element_to_convert: '.price',
      element_to_convert_mode: 'remove-siblings',
      custom_javascript:
        'document.querySelector(".price").append(document.querySelectorAll("nav, .card > p").length)',
    };
    assert.equal(await textOf(fields), 'price one1');
    const { left, top, right } = extent(await imageOf(fields), green) ?? assert.fail('nothing green');
    assert.deepEqual({ left, top, right }, { left: 61, top: 77, right: 158 });
  });

  test('hide-siblings hides everything else, including text nodes, but scripts can still use it', async () => {
    const fields = {
      text: shop,
      element_to_convert: '.price',
      element_to_convert_mode: 'hide-siblings',
      custom_javascript:
        'document.querySelector(".price").append(document.querySelectorAll("nav, .card > p").length)',
    };
    assert.equal(await textOf(fields), 'price one4');
  });

  test('styles and SVG definitions outside the element still apply to it', async () => {
    const text = `<div><svg width="0" height="0"><defs><linearGradient id="g"><stop stop-color="#0f0"/></linearGradient></defs></svg>
      <div>gone<style>b{font-family:monospace;color:#0f0}</style></div></div>
      <section><b>kept</b><svg width="50" height="50"><rect width="50" height="50" fill="url(#g)"/></svg></section>`;
    for (const element_to_convert_mode of ['cut-out', 'remove-siblings', 'hide-siblings']) {
      const fields = { text, element_to_convert: 'section', element_to_convert_mode };
      assert.equal(await textOf(fields), 'kept', element_to_convert_mode);
      const box = extent(await imageOf(fields), green) ?? assert.fail('nothing green');
      assert.ok(box.bottom - box.top >= 49 && box.right - box.left > 70, JSON.stringify(box));
    }
  });

  test('a positioned or scrollable element is printed completely, only once, from the top', async () => {
    const lines = Array.from({ length: 150 }, (_, n) => `<p>line${n}</p>`).join('');
    const text = `<style>html,body{height:100%;overflow:hidden}</style><p>page</p><div style="opacity:0.01;display:none;display:block">
      <div id="e" style="position:fixed;top:50%;left:50%;transform:translate(-50%,-50%);height:200px;overflow:auto">${lines}</div></div>`;
    const pdf = await convert(service, { text, element_to_convert: '#e' });
    const words = pdfText(pdf).split(' ');
    assert.deepEqual(
      words,
      Array.from({ length: 150 }, (_, n) => `line${n}`),
    );
    assert.ok((pdfWords(pdf)[0]?.top ?? 999) < 60);
    assert.ok(pdfFacts(pdf).pages > 2);
  });

  test('an image of an element is as tall as the element', async () => {
    const text =
      '<!doctype html><style>body{margin:0}div{height:3000px}#e{height:100px;background:#0f0}</style><div>x</div><div id="e"></div><div>y</div>';
    const image = await imageOf({ text, element_to_convert: '#e' });
    assert.equal(image.height, 100);
    assert.deepEqual(extent(image, green), { left: 0, top: 0, right: 399, bottom: 99 });
  });

  test('an element in a same-origin frame becomes the page, with its styles and images, and custom_css', async () => {
    const square =
      '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="30"><rect width="30" height="30" fill="#0f0"/></svg>';
    await using web = await serveWeb({
      '/': '<h1>outside</h1><iframe src="/deep/frame.html" height="50"></iframe>',
      '/deep/frame.html': `<link rel="stylesheet" href="style.css"><p>beside</p><div id="e">inside <img src="square.svg">${'<p>more</p>'.repeat(100)}</div>`,
      '/deep/style.css': (_request, response) =>
        setTimeout(
          () => response.writeHead(200, { 'content-type': 'text/css' }).end('#e p{display:none}'),
          50,
        ),
      '/deep/square.svg': (_request, response) =>
        response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(square),
    });
    const fields = { url: web.url, element_to_convert: '#e', custom_css: '#e::before{content:"styled "}' };
    assert.equal(await textOf(fields), 'styled inside');
    const box = extent(await imageOf(fields), green) ?? assert.fail('nothing green');
    assert.deepEqual([box.right - box.left, box.bottom - box.top], [29, 29]);
    const { events } = await readDebugLog(await send(service, { ...fields, debug_log: true }));
    const noteCodes = events.flatMap((event) => (event.kind === 'note' ? [event.detail.code] : []));
    assert.deepEqual(noteCodes, ['content-chosen'], 'the wait for the style sheets ended before its timeout');
  });

  test('a missing element fails with 400.324 and names its selector; an invalid selector fails with 400.311', async () => {
    assert.match(
      await refusal(service, { text: shop, element_to_convert: '#never' }),
      /^400\.324 - .*element_to_convert '#never'/,
    );
    assert.match(
      await refusal(service, { text: shop, element_to_convert: '###' }),
      /^400\.311 - .*'###' of element_to_convert/,
    );
  });

  test('an element that appears late is converted if wait_for_element waits for it', async () => {
    const text =
      '<p>x</p><script>setTimeout(() => { document.body.innerHTML += "<b id=late>late</b>" }, 700)</script>';
    const fields = { text, element_to_convert: '#late', settle_limit: 300 };
    assert.match(await refusal(service, fields), /^400\.324/);
    assert.equal(await textOf({ ...fields, wait_for_element: '#late' }), 'late');
  });

  test('auto_detect_element_to_convert uses the main element, and the debug log names the element', async () => {
    const text =
      '<nav>menu</nav><div><main id="m" class="wide">main text</main></div><footer>imprint</footer>';
    const fields = { text, auto_detect_element_to_convert: true };
    assert.equal(await textOf(fields), 'main text');
    assert.match(
      await logOf(fields),
      /The main content is &lt;main id=&quot;m&quot; class=&quot;wide&quot;>/,
    );
    assert.equal(await textOf({ ...fields, element_to_convert: 'nav' }), 'menu');
  });

  test('auto_detect_element_to_convert selects the longest article, or all articles of a list', async () => {
    const articles = '<nav>menu</nav><article>short</article><article>this one is a lot longer</article>';
    assert.equal(
      await textOf({ text: articles, auto_detect_element_to_convert: true }),
      'this one is a lot longer',
    );
    const list = '<nav>menu</nav><div><article>one</article><article>two</article></div>';
    assert.equal(await textOf({ text: list, auto_detect_element_to_convert: true }), 'one two');
  });

  test('auto_detect_element_to_convert finds the text of an unstructured page, with its styles', async () => {
    const pdf = await convert(service, { text: newspaper, auto_detect_element_to_convert: true });
    assert.match(pdfText(pdf), /^The bridge is built Paragraph0 .*Paragraph5 /);
    assert.doesNotMatch(pdfText(pdf), /Sports|cookies|Advertisement|Imprint/);
    assert.ok(extent(await readImage(pdfImage(pdf)), [0, 0, 255]), 'the text is not blue');
  });

  test('auto_detect_element_to_convert keeps a page without main content, with a note', async () => {
    const fields = { text: '<b>a</b><i>b</i>', auto_detect_element_to_convert: true };
    assert.equal(await textOf(fields), 'ab');
    assert.match(await logOf(fields), /No main content was found/);
  });

  test('readability_enhancements shows the title, author and text of an article in plain styles', async () => {
    const pdf = await convert(service, { text: newspaper, readability_enhancements: 'readability-v1' });
    assert.match(pdfText(pdf), /^The bridge is built Ada Writer Paragraph0 .*Paragraph5 .*Captioned image/);
    assert.doesNotMatch(pdfText(pdf), /Sports|cookies|Imprint/);
    const image = await readImage(pdfImage(pdf));
    assert.equal(extent(image, red), undefined);
    assert.equal(extent(image, [0, 0, 255]), undefined);
    assert.ok(extent(image, green), 'the image is missing');
  });

  test('later versions of readability_enhancements omit captions, and finally images and links', async () => {
    const of = (readability_enhancements: string) =>
      convert(service, { text: newspaper, readability_enhancements });
    const links = (pdf: Buffer) => pdf.includes('https://example.com/more');
    const v2 = await of('readability-v2');
    const v3 = await of('readability-v3');
    const v4 = await of('readability-v4');
    assert.match(pdfText(v2), /Captioned image/);
    assert.doesNotMatch(pdfText(v3), /Captioned image/);
    assert.ok(extent(await readImage(pdfImage(v3)), green));
    assert.equal(extent(await readImage(pdfImage(v4)), green), undefined);
    assert.deepEqual([links(v2), links(v3), links(v4)], [true, true, false]);
    assert.match(pdfText(v4), /^The bridge is built Ada Writer Paragraph0 .*Ending with a reference/);
  });

  test('with readability_enhancements, custom_css applies to the article, and a page without an article is unchanged', async () => {
    const readability_enhancements = 'readability-v1';
    const custom_css = '.service-article-title{display:none}.service-body::before{content:"styled"}';
    assert.match(
      await textOf({ text: newspaper, readability_enhancements, custom_css }),
      /^styled Ada Writer/,
    );
    const fields = { text: '<style>b{font-size:40px}</style><b>Total: 12</b>', readability_enhancements };
    assert.equal(await textOf(fields), 'Total: 12');
    assert.match(await logOf(fields), /The page has no article/);
  });

  test('no_background removes backgrounds from an image, also in frames, and keeps text colours', async () => {
    const text = `<!doctype html><style>body{background:#f00!important}p{background:#f00;color:#0f0;font:40px monospace}
      p::before{content:"x";background:linear-gradient(#f00,#f00)}</style><p style="background:#f00!important">xxx</p><table bgcolor="red"><td>y</table>
      <iframe srcdoc="<body bgcolor=red>z"></iframe>`;
    const fields = { text };
    assert.ok(extent(await imageOf(fields), red));
    const bare = await imageOf({ ...fields, no_background: true });
    assert.equal(extent(bare, red), undefined);
    assert.ok(extent(bare, green));
  });
});
