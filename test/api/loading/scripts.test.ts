import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { convert, refusal, type Fields } from '../../support/service/convert.ts';
import { pdfFacts, pdfText, pdfWords } from '../../support/output/pdf.ts';
import { defaultService } from '../../support/service/default-service.ts';
import { temporaryFolder, type Service } from '../../support/service/service.ts';
import { serveWeb } from '../../support/servers/web-server.ts';

/** Returns the text and the target page of each link, according to poppler. */
function pdfLinks(pdf: Buffer): readonly (readonly [text: string, page: number])[] {
  const folder = temporaryFolder();
  const path = join(folder, 'printed.pdf');
  writeFileSync(path, pdf);
  const { stdout } = spawnSync('pdftohtml', ['-xml', '-stdout', '-i', '-q', path]);
  rmSync(folder, { recursive: true });
  const pattern = /<a href="[^"#]*#(\d+)">(.*?)<\/a>/g;
  return [...stdout.toString().matchAll(pattern)].map(([, page, text = '']) => [text, Number(page)] as const);
}

describe('Scripts in a request:', () => {
  let service: Service;
  before(async () => (service = await defaultService()));
  const textOf = async (fields: Fields) => pdfText(await convert(service, fields));

  const book = `<h1>One</h1><p style="break-after:page">x</p><h2 id="Größe a">Part &lt;b&gt; &amp; <i>c</i></h2><h4>no</h4>
    <h2 style="display:none">hidden</h2><h3> </h3><h3 id="deep">Deep</h3><p style="break-after:page">x</p><h1 id="deep">Two</h1>`;

  test('on_load_javascript runs before all waits, and its promise is awaited', async () => {
    const text = '<p id="p">page</p><script>setTimeout(() => { p.append(" late") }, 500)</script>';
    const on_load_javascript = 'new Promise(done => setTimeout(() => { p.append(" loaded"); done() }, 100))';
    const custom_javascript = 'p.append(" ready")';
    assert.equal(
      await textOf({ text, on_load_javascript, custom_javascript, javascript_delay: 800 }),
      'page loaded late ready',
    );
  });

  test('on_load_javascript runs in a page without scripts, and its elements can be waited for', async () => {
    const on_load_javascript = `setTimeout(() => {
      const script = document.createElement('script');
      script.textContent = 'document.body.innerHTML = "<b id=made>made</b>"';
      document.body.append(script);
    }, 600)`;
    assert.equal(await textOf({ text: '<p>x', on_load_javascript, wait_for_element: '#made' }), 'made');
  });

  test('on_load_javascript that throws fails the conversion with the name of the option, the error and its line', async () => {
    assert.match(
      await refusal(service, { text: '<p>x', on_load_javascript: 'let a = 1;\nnull.x' }),
      /^400\.327 - on_load_javascript threw TypeError: .*\(line 2\)\.$/,
    );
  });

  for (const option of ['on_load_javascript', 'custom_javascript'])
    test(`${option} runs only once, and can add frames of every kind, including nested and temporary frames, and wait for them`, async () => {
      await using web = await serveWeb({ '/': '<p>served</p>' });
      const inner = '<p>outer</p><iframe srcdoc="<p>nested</p>"></iframe>';
      const script = `p.append(' ran');
        const add = (attributes) => new Promise((loaded) => {
          const frame = Object.assign(document.createElement('iframe'), attributes, { onload: () => loaded(frame) });
          document.body.append(frame);
        });
        document.body.insertAdjacentHTML('beforeend', '<iframe src="about:blank"></iframe><iframe srcdoc="inserted"></iframe>');
        Promise.all([
          add({ srcdoc: ${JSON.stringify(inner)} }),
          add({ src: ${JSON.stringify(web.url)} }),
          add({ src: 'about:blank' }).then((frame) => frame.remove()),
          add({ srcdoc: 'gone' }).then((frame) => frame.remove()),
        ]).then(() => p.append(' waited'))`;
      const text = '<p id="p">page</p>';
      assert.equal(await textOf({ text, [option]: script }), 'page ran waited inserted outer nested served');
    });

  test('a script runs only once, and its promise is awaited, while the page adds frames', async () => {
    const text = `<p id="p">page</p><script>let added = 0; setInterval(() => {
      const frame = document.createElement('iframe');
      document.body.append(frame);
      frame.remove();
      added += 1;
    }, 10)</script>`;
    const on_load_javascript = `p.append(' ran'); const begun = added;
      new Promise((done) => { const timer = setInterval(() => {
        if (added < begun + 5) return;
        clearInterval(timer); p.append(' waited'); done();
      }, 10) })`;
    assert.equal(await textOf({ text, on_load_javascript }), 'page ran waited');
  });

  test('scripts that add frames run even with disable_javascript, or if the Content-Security-Policy of the page forbids scripts', async () => {
    const custom_javascript = `p.append(' ran'); document.body.insertAdjacentHTML('beforeend', '<iframe srcdoc="added"></iframe>');
      Promise.resolve().then(() => p.append(' waited'))`;
    const text = '<p id="p">page</p><script>p.append(" own")</script>';
    assert.equal(
      await textOf({ text, custom_javascript, disable_javascript: true }),
      'page ran waited added',
    );
    const policy = `<meta http-equiv="Content-Security-Policy" content="script-src 'none'; require-trusted-types-for 'script'">`;
    assert.equal(await textOf({ text: policy + text, on_load_javascript: "p.append(' ran')" }), 'page ran');
  });

  test('a script that adds frames and throws, or cannot be parsed, fails the conversion with the error and its line', async () => {
    const add = `document.body.append(document.createElement('iframe'));`;
    const failed = (custom_javascript: string) => refusal(service, { text: '<p>x', custom_javascript });
    assert.match(
      await failed(`${add}\nnull.x`),
      /^400\.327 - custom_javascript threw TypeError: .*\(line 2\)\.$/,
    );
    assert.match(await failed(`${add}\nPromise.reject(new Error('no'))`), /threw Error: no \(line 2\)\.$/);
    assert.match(await failed(`${add}\n\nlet x = ;`), /threw SyntaxError: .*\(line 3\)\.$/);
    assert.match(await failed(`throw 'a text'`), /threw a text\.$/);
  });

  test('functions and variables of on_load_javascript are available to custom_javascript', async () => {
    const on_load_javascript = 'var word = " seen"; function say() { p.append(word) }';
    assert.equal(
      await textOf({ text: '<p id="p">page', on_load_javascript, custom_javascript: 'say()' }),
      'page seen',
    );
  });

  test('the scripts of a header can add frames', async () => {
    const header_html = `<p>header</p><script>document.body.insertAdjacentHTML('beforeend', '<iframe srcdoc="framed" height="30"></iframe>')</script>`;
    const headerOptions = { header_html, header_height: '2in', margin_top: '2in' };
    assert.match(
      await textOf({ text: '<p>page', ...headerOptions }),
      /header framed.*page|page.*header framed/,
    );
  });

  test('element_to_convert can select an element in a frame that a script added', async () => {
    const on_load_javascript = `document.body.insertAdjacentHTML('beforeend', '<iframe srcdoc="<p>other</p><b id=part>part</b>"></iframe>')`;
    const selectors = { wait_for_element: '#part', element_to_convert: '#part' };
    assert.equal(await textOf({ text: '<p>page', on_load_javascript, ...selectors }), 'part');
  });

  test('a script that navigates the page runs only once', async () => {
    await using web = await serveWeb({ '/': '<p>start</p>', '/end': '<p>end</p>' });
    const going = 'document.body.append(" ran"); location.href = "/end"';
    assert.equal(await textOf({ url: web.url, on_load_javascript: going }), 'end');
  });

  test('the line in an error message is a line of the script, even if a function of the page or of libService throws', async () => {
    const text = '<script>\n\n\nfunction fails() { null.x }</script><p>x';
    assert.match(await refusal(service, { text, custom_javascript: '\nfails()' }), /TypeError.*\(line 2\)/);
    const custom_javascript = '\n\nlibService.insertTableOfContents({ target: "#gone" })';
    assert.match(
      await refusal(service, { text, custom_javascript }),
      /Error: insertTableOfContents: no element matches target '#gone' \(line 3\)/,
    );
  });

  test('libService exists only while a script of the request runs', async () => {
    const text = '<p id="p"></p><script>p.append(typeof libService, " ", typeof program)</script>';
    assert.equal(await textOf({ text }), 'undefined undefined');
    const custom_javascript = 'p.append(" ", typeof libService, " ", typeof program)';
    assert.equal(await textOf({ text, custom_javascript }), 'undefined undefined object undefined');
  });

  test('removeZIndexHigherThan removes elements above the limit, and returns their number', async () => {
    const text = `<p id="p">page</p><div style="position:fixed;z-index:100">banner<div style="position:absolute;z-index:200">inner</div></div>
      <div style="position:absolute;z-index:90">low</div><div style="position:relative;z-index:91">high</div>`;
    const custom_javascript = 'p.append(libService.removeZIndexHigherThan({zlimit: 90}))';
    assert.equal(await textOf({ text, custom_javascript }), 'page2 low');
  });

  test('insertStyle adds styles after those of the page, even if the Content-Security-Policy of the page forbids styles', async () => {
    const custom_javascript = 'libService.insertStyle({ style: "p{display:none}" })';
    const text = '<style>p{display:block}</style><p>one</p><b>two</b>';
    assert.equal(await textOf({ text, custom_javascript }), 'two');
    await using web = await serveWeb({
      '/': (_request, response) =>
        response
          .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': "style-src 'none'" })
          .end('<p>one</p><b>two</b>'),
    });
    assert.equal(await textOf({ url: web.url, custom_javascript }), 'two');
  });

  test('insertTableOfContents creates nested links to the pages of their headings', async () => {
    const custom_javascript =
      'libService.insertTableOfContents({ title: "<Contents>", pageBreak: "after", style: ".service-toc{font-family:monospace}" })';
    const pdf = await convert(service, { text: book, custom_javascript });
    assert.deepEqual(pdfLinks(pdf), [
      ['One', 2],
      ['Part &lt;b&gt; &amp; c', 3],
      ['Deep', 3],
      ['Two', 4],
    ]);
    assert.equal(pdfText(pdf, 1), '<Contents> One Part <b> & c Deep Two');
    const [, first, part, , , , deep, second] = pdfWords(pdf).map(({ left }) => left);
    assert.ok(
      (first ?? 0) < (part ?? 0) && (part ?? 0) < (deep ?? 0) && first === second,
      'the entries are not indented by level',
    );
    assert.equal(pdfFacts(pdf).pages, 4);
  });

  test('insertTableOfContents accepts levels, position and page break', async () => {
    const toc = (options: object) => `libService.insertTableOfContents(${JSON.stringify(options)})`;
    const text = `<p>cover</p><div id="here">after</div>${book}`;
    const custom_javascript = toc({ selectors: ['h4', ':is(h1, #x)'], target: '#here', pageBreak: 'before' });
    const pdf = await convert(service, { text, custom_javascript });
    assert.equal(pdfText(pdf, 1), 'cover');
    assert.match(pdfText(pdf, 2), /^One no Two after/);
    const commas = await textOf({ text, custom_javascript: toc({ selectors: 'h4, :is(h1, #x)' }) });
    assert.match(commas, /^One no Two cover/);
  });

  test('insertTableOfContents shows the page of each heading', async () => {
    const chapters = Array.from({ length: 120 }, (_, index) => {
      const lines = '<p>Some text of the chapter.</p>'.repeat((index * 7) % 40);
      return `<h1>Chapter ${index + 1}</h1>${lines}<figure><figcaption>Figure ${index + 1}</figcaption></figure>`;
    });
    const toc = (options: object) =>
      `libService.insertTableOfContents(${JSON.stringify({ ...options, pageNumbers: true })});`;
    const custom_javascript = `${toc({ selectors: 'figcaption', pageBreak: 'after' })}${toc({ selectors: 'h1' })}`;
    const pdf = await convert(service, { text: chapters.join(''), custom_javascript });
    const texts = Array.from({ length: pdfFacts(pdf).pages }, (_, index) => pdfText(pdf, index + 1));
    const links = pdfLinks(pdf);
    const titles = links.filter(([text]) => /^(Chapter|Figure) \d+$/.test(text));
    assert.equal(titles.length, 240);
    for (const [title, page] of titles)
      assert.ok(` ${texts[page - 1] ?? ''} `.includes(` ${title} `), `${title} is not on page ${page}`);
    const numbers = links.filter(([text]) => /^\d+$/.test(text));
    assert.equal(numbers.length, 240);
    for (const [number, page] of numbers) assert.equal(number, String(page));
  });

  test('insertTableOfContents shows a dash for a heading on a page that is not in the output', async () => {
    const text = '<h1>One</h1><h1 style="break-before:page">Two</h1>';
    const custom_javascript = 'libService.insertTableOfContents({ pageNumbers: true })';
    const words = pdfWords(await convert(service, { text, custom_javascript, print_page_range: '1' }));
    assert.deepEqual(words.map(({ text: word }) => word).sort(), ['1', 'One', 'One', 'Two', '–']);
  });

  test('insertTableOfContents works with another base URL, and leaves a page without headings unchanged', async () => {
    const text = `<base href="http://example.com/x/">${book}`;
    const custom_javascript = 'libService.insertTableOfContents()';
    const pdf = await convert(service, { text, custom_javascript });
    assert.deepEqual(
      pdfLinks(pdf).map(([, page]) => page),
      [1, 2, 2, 3],
    );
    assert.equal(await textOf({ text: '<p>x', custom_javascript }), 'x');
  });
});
