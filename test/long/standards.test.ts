/** Documents of many kinds conform to PDF/A and PDF/UA, judged by veraPDF. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { failuresOf, skipReason } from '../support/output/verapdf.ts';
import { invoiceAs, invoices } from '../support/output/invoice-xml.ts';
import { SigningFolder } from '../support/servers/signing.ts';
import { convert, type Fields } from '../support/service/convert.ts';
import { project, startService, type Service } from '../support/service/service.ts';

const drawing =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='50' height='50'><rect width='50' height='50' fill='red'/></svg>";
const rows = Array.from({ length: 120 }, (_, index) => `<tr><td>${index}<td>value ${index}`).join('');
const table = `<table border=1><thead><tr><th>A<th>B</thead>${rows}</table>`;
const form = `<form action="https://example.com/"><label><input type=checkbox checked>A</label><input type=radio name=r aria-label=B><button>Send</button></form>`;
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

const documents: Readonly<Record<string, Fields & { readonly text: string }>> = {
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
    text: '<svg role=img aria-label=Chart width=300 height=200><linearGradient id=g><stop stop-color=red /><stop offset=1 stop-opacity=.3 /></linearGradient><rect width=300 height=200 fill=url(#g) /><text x=9 y=50>SVG</text></svg>',
  },
  'text effects': {
    text: '<p style="text-shadow:2px 2px 5px red;box-shadow:0 0 9px blue">S<p style="-webkit-text-stroke:1px red">T<p style="background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent">C',
  },
  'nested transformations': {
    text: `${'<div style="transform:rotate(1deg);overflow:hidden;border-radius:5px;opacity:.99">'.repeat(40)}deep`,
  },
  canvas: {
    text: '<canvas id=c role=img aria-label=Drawing></canvas><script>c.getContext("2d").fillRect(5,5,50,50)</script>',
  },
  'recompressed images': {
    text: '<canvas id=c role=img aria-label=Drawing></canvas><script>c.getContext("2d").fillRect(5,5,50,50)</script>',
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
  'lists and definitions': {
    text: '<ol><li>a<ul><li>b</ul>c</ol><ul><p>stray</p><li></ul><dl><dt>t<dd>d<dd>e</dl><dl><div><dt>t<dd>d</div></dl><li>alone',
  },
  'incomplete tables': {
    text: '<table><caption>C</caption><tr><th>a<th colspan=2>b<tr><td><td>x<td><tr><td rowspan=5>y<td>z<tr><tr><td>q</table><table><tfoot><tr><td>f</tfoot><tr><td>r</table><table><thead><tr><th>h</table><div style="display:table"><div>loose</div></div>',
  },
  pictures: {
    text: `<p>a<img alt=Square width=50 height=50 src="${drawing}">b<figure><img alt=Small width=9 src="${drawing}"><figcaption>C</figcaption></figure><a href="https://example.com/"><img alt=Home src="${drawing}"></a><div style="opacity:.5">c<img alt=Faint src="${drawing}"></div><img alt="" src="${drawing}">`,
  },
  'blocks of text': {
    text: '<article><section><blockquote>a<p>b</blockquote><pre><code>c\nd</code></pre></section><aside>e<hr>f</aside><nav><a href="#x">g</a></nav></article><details id=x><summary>h</summary>i</details><p lang=de>j <q>k</q> <ruby>l<rt>m</rt></ruby><math><mi>x</mi></math>',
  },
  'hidden content': {
    text: '<p>a<span aria-hidden=true>b</span><span style="visibility:hidden">c</span></p><a href="https://example.com/" aria-hidden=true>d</a><a href="https://example.com/"></a>',
  },
};

const xRechnung = 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0';

/** The names of the standards in veraPDF. */
const flavours: Readonly<Record<string, string>> = {
  'pdfa-2b': '2b',
  'pdfa-2u': '2u',
  'pdfa-3b': '3b',
  'pdfa-3u': '3u',
  'pdfua-1': 'ua1',
};

describe('veraPDF accepts', { skip: skipReason }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-standards-'));
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  test('e-invoices of all profiles, with further attachments', async () => {
    const files: string[] = [];
    for (const [name, xml] of Object.entries({ ...invoices, XRECHNUNG: invoiceAs(xRechnung) })) {
      const file = join(folder, `invoice ${name}.pdf`);
      const attached = {
        invoice_xml: new File([xml], 'invoice.xml'),
        attachment: [new File(['a'], 'ä.txt'), new File(['b'], 'b')],
        attachment_description: 'Ä',
      };
      writeFileSync(
        file,
        await convert(service, { ...attached, ...header, text: table, pdf_standard: 'pdfa-3u' }),
      );
      files.push(file);
    }
    assert.deepEqual(failuresOf('3u', files), []);
  });

  test('signed documents, with a visible and an invisible signature', async () => {
    using signing = new SigningFolder();
    const flags = ['--signing-certificate', `demo=${signing.certificate('Signer')}`];
    await using signer = await startService({ flags, environment: { PLATEN_SIGNING_PASSWORD: 'secret' } });
    const files: string[] = [];
    for (const [name, fields] of Object.entries({ invisible: {}, visible: { signature_page: 1 } })) {
      const file = join(folder, `signed ${name}.pdf`);
      const text = `<html lang=en><title>${name}</title>${table}`;
      const pdf = await convert(signer, {
        text,
        ...header,
        ...fields,
        sign: true,
        pdf_standard: 'pdfa-3u,pdfua-1',
      });
      writeFileSync(file, pdf);
      files.push(file);
    }
    for (const flavour of ['3u', 'ua1']) assert.deepEqual(failuresOf(flavour, files), []);
  });

  for (const standard of ['pdfa-2b', 'pdfa-2u', 'pdfa-3b', 'pdfa-3u', 'pdfua-1', 'pdfa-3u,pdfua-1'])
    test(`all documents as ${standard}`, async () => {
      const files: string[] = [];
      for (const [name, fields] of Object.entries(documents)) {
        const file = join(folder, `${standard} ${name}.pdf`);
        const text = `<html lang=en><title>${name}</title>${fields.text}`;
        writeFileSync(file, await convert(service, { ...fields, text, pdf_standard: standard }));
        files.push(file);
      }
      for (const flavour of standard.split(','))
        assert.deepEqual(failuresOf(flavours[flavour] ?? '', files), []);
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
      writeFileSync(
        file,
        await convert(service, {
          text: `<html lang=en><title>${name}</title>${table}`,
          pdf_standard: 'pdfa-2u,pdfua-1',
          ...stamps,
        }),
      );
      files.push(file);
    }
    assert.deepEqual([...failuresOf('2u', files), ...failuresOf('ua1', files)], []);
  });

  test('no document without the option, so this check can fail', async () => {
    const file = join(folder, 'plain.pdf');
    writeFileSync(file, await convert(service, { text: 'plain' }));
    assert.notDeepEqual(failuresOf('2b', [file]), []);
  });
});
