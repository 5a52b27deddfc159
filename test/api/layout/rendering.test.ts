import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { convert, refusal, send } from '../../support/service/convert.ts';
import { pdfImage, pdfText, pdfWords } from '../../support/output/pdf.ts';
import { extent, readImage } from '../../support/output/image.ts';
import { defaultService } from '../../support/service/default-service.ts';
import type { Service } from '../../support/service/service.ts';
import { serveWeb } from '../../support/servers/web-server.ts';

const words = (pdf: Buffer) => pdfWords(pdf).map((word) => word.text);

describe('Rendering a page:', () => {
  let service: Service;
  before(async () => (service = await defaultService()));

  test('custom_css applies after the styles of the page', async () => {
    const text = '<style>p{display:block}</style><p>one</p><b>two</b>';
    assert.deepEqual(words(await convert(service, { text, custom_css: 'p{display:none}' })), ['two']);
  });

  test('custom_css and scripts of several megabytes are applied completely', async () => {
    const filling = `/*${'ř𝄞'.repeat(500_000)}*/`;
    const fields = {
      text: '<p id="a">one</p><p id="b"></p>',
      custom_css: `#a::before{${filling}content:"čtyři "}`,
      on_load_javascript: `b.append(${filling}'pět ')`,
      custom_javascript: `b.append('šest'${filling})`,
    };
    assert.deepEqual(words(await convert(service, fields)), ['čtyři', 'one', 'pět', 'šest']);
  });

  test('custom_css applies even if the Content-Security-Policy of the page forbids styles, and can import style sheets', async () => {
    await using web = await serveWeb({
      '/strict': (_request, response) =>
        response
          .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': "style-src 'none'" })
          .end('<p>one</p><b>two</b>'),
      '/more.css': (_request, response) =>
        response.writeHead(200, { 'content-type': 'text/css' }).end('p{display:none}'),
    });
    assert.deepEqual(
      words(await convert(service, { url: `${web.url}/strict`, custom_css: 'p{display:none}' })),
      ['two'],
    );
    const custom_css = `@import url(${web.url}/more.css);`;
    assert.deepEqual(words(await convert(service, { text: '<p>one</p><b>two</b>', custom_css })), ['two']);
  });

  test('images that custom_css adds are loaded before the print', async () => {
    const red =
      '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><rect width="99" height="99" fill="red"/></svg>';
    await using web = await serveWeb({
      '/red.svg': (_request, response) => {
        response.writeHead(200, { 'content-type': 'image/svg+xml' });
        setTimeout(() => response.end(red), 150);
      },
      '/more.css': (_request, response) =>
        response.writeHead(200, { 'content-type': 'text/css' }).end('p{background:url(red.svg)}'),
    });
    for (const custom_css of [`p{background:url(${web.url}/red.svg)}`, `@import url(${web.url}/more.css)`]) {
      const pdf = await convert(service, { text: '<p>one', custom_css });
      assert.ok(extent(await readImage(pdfImage(pdf, 0.5)), [255, 0, 0]) !== undefined, custom_css);
    }
  });

  test('service-remove works on a page whose CSP forbids scripts', async () => {
    await using web = await serveWeb({
      '/': (_request, response) =>
        response
          .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': 'sandbox' })
          .end('<p>one</p><p class="service-remove">two</p>'),
    });
    assert.deepEqual(words(await convert(service, { url: web.url })), ['one']);
  });

  test('service-remove removes an element from the layout, and service-hide keeps its space', async () => {
    const text =
      '<style>div{height:100px}</style><div>a</div><div class="service-remove" style="display:block">b</div><div class="service-hide">c</div><div>d</div>';
    const found = pdfWords(await convert(service, { text, content_viewport_width: '717px' }));
    assert.deepEqual(
      found.map((word) => word.text),
      ['a', 'd'],
    );
    assert.ok(Math.abs((found[1]?.top ?? 0) - (found[0]?.top ?? 0) - 150) < 1.5);
  });

  test('the class service-body selects rules that apply only during conversion', async () => {
    const text = '<style>.service-body h1::after{content:" converted"}</style><h1>title</h1>';
    assert.deepEqual(words(await convert(service, { text })), ['title', 'converted']);
  });

  test('custom_javascript runs before the page is printed, and its promise is awaited', async () => {
    const text = '<p id="p">before</p><script>var mark = "page"</script>';
    const custom_javascript =
      'new Promise(done => setTimeout(() => { p.textContent = mark + " after"; done() }, 300))';
    assert.deepEqual(words(await convert(service, { text, custom_javascript })), ['page', 'after']);
  });

  test('custom_javascript runs in a page without scripts', async () => {
    assert.deepEqual(
      words(
        await convert(service, {
          text: '<p id="p">before</p>',
          custom_javascript: 'p.textContent = "after"',
        }),
      ),
      ['after'],
    );
  });

  test('custom_javascript that throws fails the conversion with 400.327 and the error', async () => {
    assert.match(
      await refusal(service, { text: '<p>x', custom_javascript: 'let a = 1;\nnull.x' }),
      /^400\.327 - custom_javascript threw TypeError: Cannot read properties of null \(reading 'x'\) \(line 2\)\.$/,
    );
    assert.match(
      await refusal(service, { text: '<p>x', custom_javascript: 'let a = ;' }),
      /^400\.327 - .*SyntaxError/,
    );
    assert.match(
      await refusal(service, { text: '<p>x', custom_javascript: 'Promise.reject(new Error("no"))' }),
      /^400\.327 - .*Error: no/,
    );
  });

  test('javascript_delay waits for late content', async () => {
    const text = '<p id="p">early</p><script>setTimeout(() => { p.textContent = "late" }, 900)</script>';
    assert.deepEqual(words(await convert(service, { text, javascript_delay: 100 })), ['early']);
    assert.deepEqual(words(await convert(service, { text, javascript_delay: 1200 })), ['late']);
  });

  test('a page that runs scripts is converted when it is idle', async () => {
    await using web = await serveWeb({
      '/': '<p id="p">early</p><script>fetch("/data").then(r => r.text()).then(t => { p.textContent = t })</script>',
      '/data': (_request, response) => setTimeout(() => response.end('fetched'), 80),
    });
    assert.deepEqual(words(await convert(service, { url: web.url })), ['fetched']);
  });

  test('a page that is never idle is converted too', async () => {
    const text =
      '<p id="p">x</p><script>setInterval(() => { p.append("") ; p.title = Math.random() }, 1)</script>';
    assert.deepEqual(words(await convert(service, { text })), ['x']);
  });

  test('wait_for_element waits for any selector of its list', async () => {
    const text =
      '<script>setTimeout(() => { document.body.innerHTML = "<p class=ready>ready</p>" }, 700)</script>';
    assert.deepEqual(words(await convert(service, { text, wait_for_element: '#never, .ready' })), ['ready']);
  });

  test('wait_for_element also searches frames, of the same and of another origin', async () => {
    const delayed =
      '<script>setTimeout(() => { document.body.innerHTML = "<i id=deep>deep</i>" }, 600)</script>';
    await using web = await serveWeb({ '/frame': delayed });
    const same = `<iframe srcdoc='${delayed}'></iframe>`;
    assert.deepEqual(words(await convert(service, { text: same, wait_for_element: '#deep' })), ['deep']);
    const foreign = `<iframe src="${web.url}/frame"></iframe>`;
    assert.equal((await send(service, { text: foreign, wait_for_element: '#deep' })).status, 200);
  });

  test('wait_for_element with an invalid selector fails with 400.311', async () => {
    assert.match(
      await refusal(service, { text: '<p>x', wait_for_element: '###' }),
      /^400\.311 - .*'###' of wait_for_element/,
    );
  });

  test('lazy images are loaded and decoded', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"><rect width="50" height="50" fill="#00f"/></svg>';
    await using web = await serveWeb({
      '/i.svg': (_request, response) => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(svg),
    });
    const text = `<!doctype html><style>body{margin:0}img{display:block}</style><div style="height:9000px"></div><img loading="lazy" src="${web.url}/i.svg">`;
    const image = await readImage(
      await convert(service, { text, output_format: 'png', screenshot_width: 200 }),
    );
    assert.deepEqual(image.at(25, 9025), [0, 0, 255]);
    assert.ok((await convert(service, { text })).length > 0);
  });

  test('animation frames and observers run before printing', async () => {
    const text = `<p id="p"></p><script>const seen = t => p.append(t + ' ');
      requestAnimationFrame(() => requestAnimationFrame(() => seen('frame')));
      new ResizeObserver(() => seen('resize')).observe(document.body);
      new IntersectionObserver(() => seen('intersection')).observe(document.body);</script>`;
    const found = words(await convert(service, { text }));
    for (const what of ['frame', 'resize', 'intersection'])
      assert.ok(found.includes(what), `${what} in ${found.join()}`);
  });

  test('a navigation by a script, a refresh or a redirect is followed', async () => {
    await using web = await serveWeb({
      '/script': '<script>location.href = "/end"</script>start',
      '/late': '<script>setTimeout(() => { location.href = "/end" }, 20)</script>start',
      '/refresh': '<meta http-equiv="refresh" content="0;url=/end">start',
      '/redirect': (_request, response) => response.writeHead(302, { location: '/end' }).end(),
      '/end': '<p>end</p>',
    });
    for (const path of ['script', 'late', 'refresh', 'redirect']) {
      assert.deepEqual(words(await convert(service, { url: `${web.url}/${path}` })), ['end'], path);
    }
  });

  test('dialogs, pop-ups, printing and downloads of a page do not delay it', async () => {
    const text = `<p>shown</p><script>alert(1); confirm(2); prompt(3); window.open('https://example.com'); print();
      onbeforeunload = e => { e.preventDefault(); return 'stay' };
      const a = document.createElement('a'); a.href = 'data:application/zip,x'; a.download = 'x'; document.body.append(a); a.click()</script>`;
    assert.ok(words(await convert(service, { text })).includes('shown'));
    assert.deepEqual(words(await convert(service, { text: '<script></script>next' })), ['next']);
  });

  test('a missing resource and console output are recorded in the debug log', async () => {
    await using web = await serveWeb({});
    const text = `<img src="${web.url}/gone.png"><script>console.warn('careful <b>now</b>')</script>`;
    const { headers } = await send(service, { text, debug_log: true });
    const link = headers.get('x-service-debug-log') ?? '';
    const page = await (await fetch(link, { headers: { accept: 'text/html' } })).text();
    assert.match(page, /gone\.png.*status 404/);
    assert.match(page, /careful &lt;b>now&lt;\/b>/);
    const json = (await (await fetch(link, { headers: { accept: 'application/json' } })).json()) as {
      events: { kind: string }[];
    };
    assert.ok(json.events.some(({ kind }) => kind === 'stage'));
  });

  test('text in several writing systems is printed with fonts that contain its characters', async () => {
    const text = pdfText(await convert(service, { text: '<p>Zażółć ß Ελλάδα Привет 日本語 مرحبا</p>' }));
    for (const word of ['Zażółć', 'Ελλάδα', 'Привет', '日本語']) assert.ok(text.includes(word), word);
  });
});
