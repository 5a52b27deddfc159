/** The effects of options that no other file tests. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { PDFDict, PDFDocument, PDFName } from '@cantoo/pdf-lib';
import { convert, htmlFile, send } from '../../support/service/convert.ts';
import { pdfText, pdfWords } from '../../support/output/pdf.ts';
import type { Service } from '../../support/service/service.ts';
import { defaultService } from '../../support/service/default-service.ts';
import { assertNear, findColour } from '../../support/output/find-colour.ts';
import { serveWeb } from '../../support/servers/web-server.ts';

let service: Service;
before(async () => {
  service = await defaultService();
});

const printing = (script: string) => `<p id="said"></p><script>said.textContent = ${script}</script>`;

describe('the header and the footer', () => {
  test('are transformed by header_matrix and footer_matrix', async () => {
    const headerHtml = '<body style="margin:0;font-size:12px">Word</body>';
    for (const side of ['header', 'footer']) {
      const fields = { text: 'Body', [`${side}_html`]: headerHtml, [`${side}_height`]: '1in' };
      const at = async (more: object) =>
        pdfWords(await convert(service, { ...fields, ...more })).find(({ text }) => text === 'Word');
      const unmoved = await at({});
      const moved = await at({ [`${side}_matrix`]: '2,0,36,0,1,10' });
      assertNear(moved?.left, (unmoved?.left ?? 0) + 36);
      assertNear(moved?.top, (unmoved?.top ?? 0) + 10);
      assertNear(
        (moved?.right ?? 0) - (moved?.left ?? 0),
        2 * ((unmoved?.right ?? 0) - (unmoved?.left ?? 0)),
      );
    }
  });
});

test('content_area_height limits the height of the content on each page', async () => {
  const text = `<style>body { margin: 0 }</style><div style="height:20000px;background:#f00"></div>`;
  const pdf = await convert(service, { text, no_margins: true, content_area_height: '5in' });
  assertNear((await findColour(pdf, [255, 0, 0]))?.bottom, 360, 2);
});

describe('the older option', () => {
  test('viewport_width sets the width of the viewport, and viewport_height its height', async () => {
    const text = printing('innerWidth + " x " + innerHeight');
    const pdf = await convert(service, { text, viewport_width: 700, viewport_height: 900 });
    assert.match(pdfText(pdf), /700 x 900/);
  });

  test('smart_scaling_mode sets the content_fit_mode', async () => {
    const text = '<body style="margin:0"><div style="width:96px;height:96px;background:#f00"></div>';
    const fields = { text, no_margins: true, smart_scaling_mode: 'disabled' };
    assertNear((await findColour(await convert(service, fields), [255, 0, 0]))?.right, 72);
  });

  test('use_mobile_user_agent sets the user agent of a phone', async () => {
    const pdf = await convert(service, {
      text: printing('navigator.userAgent'),
      use_mobile_user_agent: true,
    });
    assert.match(pdfText(pdf), /Android .*Mobile/);
  });
});

test('multi-page watermarks and backgrounds can be loaded from URLs', async () => {
  const document = await PDFDocument.create();
  for (const word of ['First', 'Second']) document.addPage([595, 842]).drawText(word, { x: 300, y: 400 });
  const sheets = Buffer.from(await document.save());
  await using web = await serveWeb({ '/sheets.pdf': (_, response) => response.end(sheets) });
  for (const option of ['multipage_watermark_url', 'multipage_background_url']) {
    const text = '<p style="break-after:page">1</p><p>2</p>';
    const pdf = await convert(service, { text, [option]: `${web.url}/sheets.pdf` });
    assert.deepEqual(
      [1, 2].map((page) => /First|Second/.exec(pdfText(pdf, page))?.[0]),
      ['First', 'Second'],
    );
  }
});

test('the option for each viewer preference sets exactly this preference in the document', async () => {
  const names: Readonly<Record<string, string>> = {
    hide_toolbar: 'HideToolbar',
    hide_menubar: 'HideMenubar',
    hide_window_ui: 'HideWindowUI',
    fit_window: 'FitWindow',
    center_window: 'CenterWindow',
    display_title: 'DisplayDocTitle',
  };
  for (const [option, name] of Object.entries(names)) {
    const document = await PDFDocument.load(await convert(service, { text: 'x', [option]: true }));
    const preferences = document.catalog.lookup(PDFName.of('ViewerPreferences'), PDFDict);
    assert.equal(String(preferences.get(PDFName.of(name))), 'true', option);
    assert.equal(preferences.keys().length, 1, option);
  }
});

describe('the data of a template', () => {
  test('is read in the requested format and character encoding', async () => {
    const template = '{% for row in data %}[{{ row.name }}]{% endfor %}';
    const rows = new Uint8Array(Buffer.from('name\nMüller\n', 'latin1'));
    const fields = { text: template, data_file: htmlFile(rows, 'data'), data_format: 'csv' };
    assert.match(pdfText(await convert(service, { ...fields, data_encoding: 'latin1' })), /\[Müller\]/);
    const yaml = { text: '{{ a }}!', data_string: 'a: "1"', data_format: 'yaml', template_engine: 'jinja' };
    assert.match(pdfText(await convert(service, yaml)), /^1!/);
  });

  test('is escaped with data_auto_escape, and trimmed with data_trim_blocks, by the requested engine', async () => {
    const fields = { text: '<pre>{{ a }}</pre>', data_string: '{"a": "<b>x</b>"}', template_engine: 'jinja' };
    assert.equal(pdfText(await convert(service, fields)), 'x');
    assert.equal(pdfText(await convert(service, { ...fields, data_auto_escape: true })), '<b>x</b>');
    const lines = { text: '<pre>a{% if a %}\n{% endif %}b</pre>', data_string: '{"a": 1}' };
    assert.equal(pdfText(await convert(service, lines)), 'a b');
    assert.equal(pdfText(await convert(service, { ...lines, data_trim_blocks: true })), 'ab');
    const handlebars = {
      text: '{{#if a}}yes{{/if}}',
      data_string: '{"a": 1}',
      template_engine: 'handlebars',
    };
    assert.equal(pdfText(await convert(service, handlebars)), 'yes');
  });
});

test('options without effect are accepted, counted in x-service-notes and named in the debug log', async () => {
  const idle = {
    layout_dpi: 300,
    disable_page_height_optimization: true,
    main_document_css_annotation: true,
    rendering_mode: 'viewport',
    no_xpdfcrowd_header: true,
    subprocess_referrer: 'x',
  };
  const answer = await send(service, {
    text: 'x',
    ...idle,
    debug_log: true,
    header_footer_css_annotation: true,
  });
  assert.equal(answer.headers.get('x-service-notes'), '6');
  const log = await (await fetch(answer.headers.get('x-service-debug-log') ?? '')).text();
  for (const name of Object.keys(idle)) assert.match(log, new RegExp(`${name} has no effect`));
});
