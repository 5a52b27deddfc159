/** Documents of many kinds conform to PDF/A, judged by veraPDF. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { failuresOf, skipReason } from '../support/output/verapdf.ts';
import { convert, type Fields } from '../support/service/convert.ts';
import { project, startService, type Service } from '../support/service/service.ts';

const rows = Array.from({ length: 120 }, (_, index) => `<tr><td>${index}<td>value ${index}`).join('');
const table = `<table border=1><thead><tr><th>A<th>B</thead>${rows}</table>`;
const form = `<form action="https://example.com/"><input type=checkbox checked><input type=radio name=r><button>Send</button></form>`;
const header: Fields = {
  header_html: '<b>Head</b> <span class="service-page-number"></span>',
  footer_html: 'Foot 😀 日本 <a href="https://example.com/">link</a>',
  header_height: '20mm',
  footer_height: '20mm',
};
const marks: Fields = {
  page_background_color: 'ffeedd80',
  title: 'Ein Titel',
  author: 'Ä & <b>',
  keywords: 'a, b',
};

const documents: Readonly<Record<string, Fields>> = {
  text: {
    text: '<title>Letter</title><h1>Office</h1><p>Difficult fi ffi fl, “quotes” and <i>italics</i>, <code>code</code>',
  },
  link: {
    text: '<a href="https://example.com/?q=ü">web</a> <a href="#end">end</a><p style="break-before:page" id=end>end',
  },
  table: { text: table },
  'table with header and footer': { text: table, ...header },
  'linearized table with everything': { text: table, ...header, ...marks, linearize: true, outline: true },
  emoji: { text: '<p style="font-size:30px">😀 👍🏽 ❤️ 👨‍👩‍👧 🇩🇪 text' },
  CJK: { text: '<p lang=ja>日本語の文章。<p lang=zh>中文字符<p lang=ko>한국어 텍스트' },
  'right to left': { text: '<p dir=rtl lang=ar>مرحبا بالعالم، الإصدار لا<p dir=rtl lang=he>שלום עולם' },
  'complex scripts': { text: '<p>हिन्दी क्षत्रिय श्री<p>ภาษาไทย<p>தமிழ் மொழி<p>ქართული<p>Tiếng Việt' },
  transparency: {
    text: '<div style="opacity:.5;background:red;height:99px">half</div><div style="mix-blend-mode:multiply;background:blue;height:50px">m</div><div style="filter:blur(3px)">blur</div>',
  },
  SVG: {
    text: '<svg width=300 height=200><linearGradient id=g><stop stop-color=red /><stop offset=1 stop-opacity=.3 /></linearGradient><rect width=300 height=200 fill=url(#g) /><text x=9 y=50>SVG</text></svg>',
  },
  'text effects': {
    text: '<p style="text-shadow:2px 2px 5px red;box-shadow:0 0 9px blue">S<p style="-webkit-text-stroke:1px red">T<p style="background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent">C',
  },
  'nested transformations': {
    text: `${'<div style="transform:rotate(1deg);overflow:hidden;border-radius:5px;opacity:.99">'.repeat(40)}deep`,
  },
  canvas: { text: '<canvas id=c></canvas><script>c.getContext("2d").fillRect(5,5,50,50)</script>' },
  'recompressed images': {
    text: '<canvas id=c></canvas><script>c.getContext("2d").fillRect(5,5,50,50)</script>',
    convert_images_to_jpeg: 'all',
    image_dpi: 72,
  },
  'a tagged document': {
    text: `<h1>One</h1><h2>Two</h2><ul><li>a<li>b</ul>${table}`,
    tagged: true,
    outline: true,
  },
  'form fields without text': { text: form, enable_pdf_forms: true },
  'single pages': {
    text: table,
    print_page_range: '2-',
    page_mode: 'outlines',
    initial_zoom_type: 'fit-page',
    outline: true,
  },
  'blank page': { text: '<p>' },
};

describe('veraPDF accepts', { skip: skipReason }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-pdf-a-'));
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  for (const standard of ['pdfa-2b', 'pdfa-2u', 'pdfa-3b', 'pdfa-3u'])
    test(`all documents as ${standard}`, async () => {
      const files: string[] = [];
      for (const [name, fields] of Object.entries(documents)) {
        const file = join(folder, `${standard} ${name}.pdf`);
        writeFileSync(file, await convert(service, { ...fields, pdf_standard: standard }));
        files.push(file);
      }
      assert.deepEqual(failuresOf(standard.slice('pdfa-'.length), files), []);
    });

  test('documents with watermarks and backgrounds', async () => {
    const pdf = async (fields: Fields) =>
      new File([new Uint8Array(await convert(service, fields))], 'stamp.pdf');
    const png = new File(
      [new Uint8Array(readFileSync(join(project, 'build', 'icons', 'platen-128.png')))],
      'stamp.png',
    );
    const files: string[] = [];
    for (const [name, stamps] of Object.entries({
      text: { page_watermark: await pdf({ text: '<p style="color:#f008">Draft 草案' }) },
      letterhead: { page_background: await pdf({ text: documents['text effects']?.text ?? '' }), ...marks },
      image: { page_watermark: png, multipage_background: png },
    })) {
      const file = join(folder, `${name}.pdf`);
      writeFileSync(file, await convert(service, { text: table, pdf_standard: 'pdfa-2u', ...stamps }));
      files.push(file);
    }
    assert.deepEqual(failuresOf('2u', files), []);
  });

  test('no document without the option, so this check can fail', async () => {
    const file = join(folder, 'plain.pdf');
    writeFileSync(file, await convert(service, { text: 'plain' }));
    assert.notDeepEqual(failuresOf('2b', [file]), []);
  });
});
