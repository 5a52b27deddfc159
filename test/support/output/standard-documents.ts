/** Small documents of many kinds: scripts, tables, forms, pictures, effects, headers and footers. */
import iconv from 'iconv-lite';
import type { Fields } from '../service/convert.ts';

const drawing =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='50' height='50'><rect width='50' height='50' fill='red'/></svg>";
const rows = Array.from({ length: 120 }, (_, index) => `<tr><td>${index}<td>value ${index}`).join('');
export const table = `<table border=1><thead><tr><th>A<th>B</thead>${rows}</table>`;
/** All printable characters of Windows-1252 that need no escape in HTML. */
const windows1252 = iconv
  .decode(Buffer.from(Uint8Array.from({ length: 224 }, (_, index) => index + 32)), 'windows-1252')
  .replaceAll(/["&<>\x7f-\x9f\xad\ufffd]/g, '');
const form = `<form action="https://example.com/"><label><input type=checkbox checked>A</label><input type=radio name=r aria-label=B><button>Send</button></form>`;
export const header: Fields = {
  header_html: '<b>Head</b> <span class="service-page-number"></span>',
  footer_html: 'Foot 😀 日本 <a href="https://example.com/">link</a>',
  header_height: '20mm',
  footer_height: '20mm',
};
export const marks: Fields = {
  page_background_color: 'ffeedd80',
  title: 'Ein Titel',
  author: 'Ä & <b>',
  keywords: 'a, b',
};

export const standardDocuments: Readonly<Record<string, Fields & { readonly text: string }>> = {
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
  'form fields with text': {
    text: `<form><label>Name <input name=n value="${windows1252}"></label><label>More <textarea name=t>Grüße\nœuvre – €</textarea></label><select aria-label=S><option>Größe ½<option selected>Ÿž</select><select aria-label=L multiple size=2><option selected>ñ<option>Þ</select></form>`,
    enable_pdf_forms: true,
  },
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
  'page references': {
    text: `<p>See page <a class=service-page-ref href="#t"></a>, <a href="#t">table on page <b class=service-page-ref></b></a><h1 id=t style="break-before:page">Table</h1>${table}`,
    ...header,
  },
  'table of contents': {
    text: `<h1>One</h1>${table}<h2>Two</h2>${table}<h1>Three</h1>`,
    custom_javascript:
      'libService.insertTableOfContents({ pageNumbers: true, title: "Contents", pageBreak: "after" })',
  },
  'hidden content': {
    text: '<p>a<span aria-hidden=true>b</span><span style="visibility:hidden">c</span></p><a href="https://example.com/" aria-hidden=true>d</a><a href="https://example.com/"></a>',
  },
};
