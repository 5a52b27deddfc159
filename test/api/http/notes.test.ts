/** What the headers of an answer say about the document, without a debug log. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { zip } from '../../support/archives/zip-writer.ts';
import { output, submitted, waitForEnd } from '../../support/service/asynchronous-job.ts';
import { demo, send, type Fields } from '../../support/service/convert.ts';
import { startService, type Service } from '../../support/service/service.ts';
import { serveWeb, type WebServer } from '../../support/servers/web-server.ts';

const codesOf = (headers: Headers) =>
  [headers.get('x-service-notes'), headers.get('x-service-note-codes')].join(' ');

describe('x-service-notes and x-service-note-codes', () => {
  let service: Service;
  let web: WebServer;
  before(async () => {
    const flags = ['--network-allow', '127.0.0.1', '--network-deny', '127.0.0.2'];
    service = await startService({ flags });
    web = await serveWeb({
      '/page': '<p>page<img src="/none.png"><img src="/damaged.png"><link rel="stylesheet" href="/none.css">',
      '/damaged.png': (_request, response) =>
        void response.setHeader('content-type', 'image/png').end('no picture'),
      '/refused': '<p>page<img src="http://127.0.0.2:8080/a.png">',
      '/pushes': `<p id="p">waiting<script>setInterval(() => { p.textContent = Math.random() }, 20)</script>`,
    });
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await web[Symbol.asyncDispose]();
  });

  const cases: Readonly<Record<string, readonly [fields: () => Fields, notes: string]>> = {
    'a letter': [() => ({ text: '<p>Dear Ann' }), '0 '],
    'an empty page': [() => ({ text: '<p></p>' }), '1 blank-output'],
    'a page that an error leaves empty': [
      () => ({ text: '<div id="a"></div><script>null.x; a.textContent = "x"</script>' }),
      '2 script-error,blank-output',
    ],
    'an error in the console': [
      () => ({ text: '<p>x<script>console.error("bad")</script>' }),
      '1 script-error',
    ],
    'a scroll area': [
      () => ({ text: '<div style="height: 99px; overflow: auto"><p style="height: 900px">x' }),
      '1 content-hidden',
    ],
    'a scroll area that is expanded': [
      () => ({
        text: '<div style="height: 99px; overflow: auto"><p style="height: 900px">x',
        expand_scroll_areas: true,
      }),
      '0 ',
    ],
    'a wide element': [
      () => ({ text: '<div style="width: 3000px">x', content_viewport_width: 800 }),
      '1 content-overflows',
    ],
    'a wide element without scaling': [
      () => ({ text: '<div style="width: 3000px">x', content_fit_mode: 'no-scaling' }),
      '2 content-overflows,content-cut',
    ],
    'a high footer': [
      () => ({ text: '<p>x', footer_html: '<p style="height: 300px">x' }),
      '1 header-footer-clipped',
    ],
    'a web font that does not load': [
      () => ({
        text: `<style>@font-face { font-family: F; src: url(${web.url}/none.woff2) } p { font-family: F }</style><p>x`,
      }),
      '2 missing-resource,font-not-loaded',
    ],
    'a file that is missing from the upload': [
      () => ({ text: '<p>x<img src="none.png">' }),
      '1 missing-resource',
    ],
    'a missing picture with a blank and an umlaut in its name': [
      () => ({ text: '<p>x<img src="\u00fc ber.png"><img src="%C3%A4%20b.png">' }),
      '1 missing-resource',
    ],
    'missing pictures with a fragment, and with a long name': [
      () => ({ text: `<p>x<img src="none.svg#a b"><img src="${'\u00fc '.repeat(100)}.png">` }),
      '1 missing-resource',
    ],
    'missing and damaged resources': [() => ({ url: `${web.url}/page` }), '2 missing-resource,image-broken'],
    'an address that is refused': [() => ({ url: `${web.url}/refused` }), '1 blocked-resource'],
    'a page that was not found': [() => ({ url: `${web.url}/none` }), '2 missing-resource,blank-output'],
    'an endless page': [() => ({ url: `${web.url}/pushes` }), '1 endless-activity'],
    'options without effect': [
      () => ({ text: '<p>x', layout_dpi: 300, screenshot_width: 500 }),
      '2 option-without-effect',
    ],
    'older names of options': [() => ({ text: '<p>x', viewport_width: 700 }), '0 '],
    'margin boxes of pages': [
      () => ({ text: '<style>@page { @bottom-right { content: counter(page) } }</style><p>x' }),
      '1 css-not-printed',
    ],
    'text that is not hyphenated': [
      () => ({ text: '<p style="width: 60px; hyphens: auto">responsibilities and documentation' }),
      process.platform === 'darwin' ? '0 ' : '1 css-not-printed',
    ],
    'text under a filter': [
      () => ({ text: '<p style="filter: drop-shadow(2px 2px 2px #999)">x' }),
      '1 css-not-printed',
    ],
    'a filter that changes nothing': [() => ({ text: '<p style="filter: grayscale(0)">x' }), '0 '],
    'a picture under a filter': [
      () => ({ text: '<div style="filter: grayscale(1); height: 9px; background: red"></div><p>x' }),
      '0 ',
    ],
    'text that only its background shows': [
      () => ({
        text: '<h1 style="background: red; background-clip: text; -webkit-text-fill-color: transparent">x</h1><p>x',
        no_background: true,
      }),
      '1 css-not-printed',
    ],
    'content behind other content': [
      () => ({
        text: '<div style="transform-style: preserve-3d"><p style="transform: translateZ(-1px)">x</p></div>',
      }),
      '1 css-not-printed',
    ],
    'a table head that is too tall to be repeated': [
      () => ({
        text: `<table><thead style="height: 400px"><tr><th>x<tbody>${'<tr><td>x'.repeat(200)}</table>`,
      }),
      '1 css-not-printed',
    ],
    'a table head on each page': [
      () => ({ text: `<table><thead><tr><th>x<tbody>${'<tr><td>x'.repeat(200)}</table>` }),
      '0 ',
    ],
    'a cell with a border that is taller than a page': [
      () => ({
        text: `<style>td { border: 1px solid }</style><table><tr><td>x<td>${'x<br>'.repeat(200)}</table>`,
      }),
      '1 css-not-printed',
    ],
    'a cell whose border is closed on each page, and one without a border': [
      () => ({
        text: `<table style="border-spacing: 0"><tr><td style="border: 1px solid; box-decoration-break: clone">${'x<br>'.repeat(200)}<tr><td>${'x<br>'.repeat(200)}</table>`,
      }),
      '0 ',
    ],
    'a picture of a scroll area': [
      () => ({
        text: '<div style="height: 99px; overflow: auto"><p style="height: 900px">x',
        output_format: 'png',
      }),
      '1 content-hidden',
    ],
  };
  for (const [what, [fields, notes]] of Object.entries(cases))
    test(`of ${what}`, async () => {
      const plain = await send(service, fields());
      assert.equal(codesOf(plain.headers), notes, plain.body.toString().slice(0, 200));
      const recorded = await send(service, { ...fields(), debug_log: true });
      assert.equal(codesOf(recorded.headers), notes, 'with a debug log');
    });

  test('of a job that fails', async () => {
    const { status, headers } = await send(service, {
      text: 'x',
      layout_dpi: 300,
      custom_javascript: 'throw 1',
    });
    assert.equal(status, 400);
    assert.equal(codesOf(headers), '1 option-without-effect');
  });

  test('of an asynchronous job, and of the archive of a batch', async () => {
    const single = await submitted(service, demo, { text: '<p>x<img src="none.png">' });
    await waitForEnd(service, demo, single);
    assert.equal(codesOf((await output(service, demo, single)).headers), '1 missing-resource');
    const rows = new File(['source\nnone.png\n"data:image/png;base64,AAAA"\n'], 'rows.csv');
    const batch = await submitted(service, demo, { text: '<p>x<img src="{{source}}">', rows });
    await waitForEnd(service, demo, batch);
    assert.equal(codesOf((await output(service, demo, batch)).headers), '2 missing-resource,image-broken');
  });
});

describe('fail_on_notes', () => {
  let service: Service;
  before(async () => (service = await startService({ flags: ['--accounts', 'ann:key:2'] })));
  after(() => service[Symbol.asyncDispose]());
  const ann = { authorization: `Basic ${Buffer.from('ann:key').toString('base64')}` };
  const text = '<p>x<img src="none.png">';

  for (const codes of ['any', 'content-hidden, missing-resource'])
    test(`${codes}: refuses a document with such a note, and charges nothing`, async () => {
      const answer = await send(service, { text, fail_on_notes: codes }, ann);
      assert.equal(answer.status, 400);
      assert.match(
        answer.body.toString(),
        /^400\.329 - The document would carry 1 note .*missing-resource: .*none\.png/,
      );
      assert.equal(codesOf(answer.headers), '1 missing-resource');
    });

  test('names the files that an archive lacks', async () => {
    const archive = zip([{ name: 'index.html', contents: '<p>x<img src="img/\u00fc ber.png">' }]);
    const file = new File([new Uint8Array(archive)], 'page.zip');
    const { body } = await send(service, { file, fail_on_notes: 'any' }, ann);
    assert.match(
      body.toString(),
      /1 note .*missing from the archive: img\/\u00fc ber\.png\. Add them to the archive/,
    );
  });

  test('names files of an archive whose names are similar to those that it lacks', async () => {
    const archive = zip([
      { name: 'index.html', contents: '<p>x<img src="x.png"><img src="img/\u00fc ber%26.png?v=2">' },
      { name: 'Pictures/\u00dc BER&.png', contents: '' },
    ]);
    const file = new File([new Uint8Array(archive)], 'page.zip');
    const { body } = await send(service, { file, fail_on_notes: 'any' }, ann);
    assert.match(
      body.toString(),
      /1 note .*: img\/\u00fc ber%26\.png\?v=2 \(the archive has Pictures\/\u00dc BER&\.png\) and x\.png\. Add/,
    );
  });

  test('sends a document with other notes, or none', async () => {
    const answer = await send(service, { text, fail_on_notes: 'content-hidden' }, ann);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('x-service-remaining-credits'), '1');
  });

  test('names the codes that it knows', async () => {
    const { body } = await send(service, { text, fail_on_notes: 'none' }, ann);
    assert.match(body.toString(), /^400\.311 - .*'none' of fail_on_notes .*content-hidden/);
  });
});
