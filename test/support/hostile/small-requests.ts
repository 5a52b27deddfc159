/** Small requests that once stopped the service for everyone, because a pattern or a loop took far more than linear time. */
import { zip } from '../archives/zip-writer.ts';
import { htmlFile, type Fields } from '../service/convert.ts';

export interface SmallRequest {
  readonly fields: Fields;
  readonly path: '/convert/24.04/' | '/jobs';
  /** The status with which an account that has credits is answered. */
  readonly status: number;
  /** How long Chromium itself may take on its main thread, in milliseconds, where it takes longer than other steps. */
  readonly chromiumMs?: number;
}

const blanks = ' '.repeat(15_000);
const manyPages = '<p style="break-after: page">x'.repeat(150);
const throwing =
  "setTimeout(() => { throw '\\n'.repeat(1e6) + 'x'; }); setTimeout(() => { throw new Error('\\n    at '.repeat(1e5)); })";

const manyMarks = `http://${'\u0316\u0301'.repeat(7900)}`;
const manyCharacters = `http://${Array.from({ length: 15_900 }, (_, index) => String.fromCharCode(0x3400 + index)).join('')}`;
const leaving =
  "<p>x<script>location.href = `http://xn--${'a'.repeat(500_000)}-${'b'.repeat(500_000)}/`</script>";
const asking =
  "<p>x<script>if (location.search === '') location.href = `/${'%CC%96%CC%81'.repeat(100_000)}?x`</script>";
const askingArchive = new File([new Uint8Array(zip([{ name: 'index.html', contents: asking }]))], 'a.zip');

function pageSetups(count: number): string {
  return JSON.stringify({ pageSetup: Array.from({ length: count }, () => ({ pages: '1-' })) });
}

function conversion(fields: Fields, status: number, chromiumMs?: number): SmallRequest {
  return {
    ...(chromiumMs !== undefined && { chromiumMs }),
    fields: { ...(fields.file === undefined && { text: '<p>x' }), ...fields },
    path: '/convert/24.04/',
    status,
  };
}

function batch(rows: string, fields: Fields, status: number): SmallRequest {
  return {
    fields: { text: '<p>{{a}}', rows: new File([rows], 'rows.csv'), ...fields },
    path: '/jobs',
    status,
  };
}

export const smallRequests: Readonly<Record<string, SmallRequest>> = {
  'a document that begins with many comments': conversion(
    { file: htmlFile(`${'<!---->'.repeat(40)}<p>x`, 'a.html') },
    200,
  ),
  'a document that begins with many near-comments': conversion(
    { file: htmlFile(`${'<!--->-->'.repeat(5000)}<p>x`, 'a.html') },
    200,
  ),
  'a header with many blanks and a control character': conversion(
    { custom_http_header: `a:${blanks}\0b` },
    400,
  ),
  'a longer header of that kind': conversion({ custom_http_header: `a:${' '.repeat(20_000)}\0` }, 400),
  'a cookie with many blanks': conversion({ cookies: `a=${blanks}\0b` }, 400),
  'a matrix with many digits': conversion({ header_matrix: '1'.repeat(100_000) }, 400),
  'a page range with many blanks': conversion({ print_page_range: `1${blanks}x` }, 400),
  'a page reference to the prototype of all objects': conversion(
    {
      text: '<a class="service-page-ref" href="#__proto__" data-service-number-format="get">x</a><p id="__proto__">y',
    },
    200,
  ),
  'a console message with many directives': conversion(
    { text: "<p>x<script>console.log('%%'.repeat(2e6), ...Array(1e4).fill(1))</script>", debug_log: true },
    200,
    400,
  ),
  'a function with a long name that throws': conversion(
    {
      text: "<p>x<script>const f = Object.defineProperty(() => { throw new Error('x') }, 'name', { value: 'n'.repeat(5e6) }); setTimeout(f)</script>",
      debug_log: true,
    },
    200,
    400,
  ),
  'many rules for pages': conversion(
    {
      text: `<p>x<script>document.write('<style>' + Array.from({ length: 40000 }, (_, n) => '@page a' + n + '{size:100px 100px}').join('') + '</style>')</script>`,
    },
    200,
  ),
  'rules for pages in many layers': conversion(
    {
      text: `<p>x<script>document.write('<style>' + Array.from({ length: 300 }, (_, n) =>
        '@layer l' + Math.random().toString(36).slice(2) + '{@page{size:100px 100px}}@page a' + n + '{size:99px 99px}').join('') + '</style>')</script>`,
    },
    200,
  ),
  'controls that share a long attribute': conversion(
    {
      text: `<form></form><script>const long = 'x'.repeat(3e7);
        for (let n = 0; n < 100; n += 1) document.forms[0].append(document.createElement('input'));
        for (const input of document.querySelectorAll('input')) input.setAttribute('data-x', long)</script>`,
      enable_pdf_forms: true,
    },
    400,
  ),
  'a control with a long value': conversion(
    {
      text: "<textarea id=t></textarea><script>t.value = 'x'.repeat(1e7)</script>",
      enable_pdf_forms: true,
    },
    400,
    // Also without form fields.
    400,
  ),
  'more controls than allowed': conversion(
    {
      text: "<form></form><script>document.forms[0].innerHTML = '<input>'.repeat(10_001)</script>",
      enable_pdf_forms: true,
    },
    400,
  ),
  'more page references than allowed': conversion(
    {
      text: `<p id="x">x<script>document.write('<a class="service-page-ref" href="#x">1</a> '.repeat(10_001))</script>`,
    },
    400,
  ),
  'page references with long addresses': conversion(
    {
      text: `<p>x<script>const long = '#' + 'x'.repeat(2e7);
        for (let n = 0; n < 5; n += 1) document.body.append(Object.assign(document.createElement('a'), { className: 'service-page-ref', href: long }))</script>`,
    },
    400,
  ),
  'many tags with facts about the page': conversion(
    {
      text: "<p>x<script>document.head.innerHTML = Array.from({ length: 200_000 }, (_, n) => '<meta name=m' + n + ' content=x>').join('')</script>",
      footer_html: '<p>foot',
    },
    200,
  ),
  'more nodes than are read for PDF/UA': conversion(
    {
      text: `<html lang="en"><title>t</title><p>x<div id="d" hidden></div><script>d.innerHTML = '<i></i>'.repeat(300_000)</script>`,
      pdf_standard: 'pdfua-1',
    },
    400,
  ),
  'more nodes than are read for PDF/UA, in a closed shadow tree': conversion(
    {
      text: `<html lang="en"><title>t</title><p>x<div id="d" hidden></div><script>d.attachShadow({ mode: 'closed' }).innerHTML = '<i></i>'.repeat(600_000)</script>`,
      pdf_standard: 'pdfua-1',
    },
    400,
  ),
  'fonts of elements with many siblings': conversion(
    {
      text: "<p>x</p><div></div><script>document.querySelector('div').innerHTML = '<i hidden data-long=attribute></i>'.repeat(200_000) + '<b>x</b>'</script>",
      debug_log: true,
    },
    200,
  ),
  'a script with a long value': conversion({ custom_javascript: "'x'.repeat(1e8)" }, 200),
  'a script that throws a long value': conversion({ custom_javascript: "throw 'x'.repeat(1e8)" }, 400),
  'a long title above many pages': conversion(
    {
      text: `${manyPages}<script>document.title = 'x'.repeat(2e6)</script>`,
      header_html: '<p class="service-page-number">',
    },
    200,
  ),
  'a footer that requests long addresses': conversion(
    {
      text: '<p style="break-after: page">x'.repeat(10),
      footer_html: "<script>fetch('a'.repeat(2e6)).catch(() => {})</script>",
    },
    200,
  ),
  'many requests with long addresses': conversion(
    {
      text: "<p>x<script>for (let n = 0; n < 20; n += 1) fetch('x' + n + 'a'.repeat(1e6)).catch(() => {})</script>",
    },
    200,
  ),
  'a forged answer of the page': conversion(
    {
      text: "<p>x<script>try { globalThis[Symbol.for('platen.settling')].advance = () => ({ state: 'more', pending: Array.from({ length: 1e6 }, () => []) }) } catch {} setInterval(() => document.body.append('x'), 50)</script>",
    },
    200,
  ),
  'an index in many field names': conversion(
    Object.fromEntries(Array.from({ length: 499 }, (_, n) => [`field${n}[99]`, 'x'])),
    400,
  ),
  'many indices in field names': conversion(
    Object.fromEntries(
      Array.from({ length: 10 }, (_, n) => [`attachment_description[${n}]${'[99]'.repeat(40)}`, 'x']),
    ),
    400,
  ),
  'cookies in 499 fields': conversion(
    { cookies: Array.from({ length: 499 }, () => 'a;'.repeat(20_000)) },
    400,
  ),
  'more page set-ups than allowed': conversion(
    { text: manyPages, conversion_config: pageSetups(60_000) },
    400,
  ),
  'more page set-ups than allowed in a file': conversion(
    { text: manyPages, conversion_config_file: htmlFile(pageSetups(60_000)) },
    400,
  ),
  'as many page set-ups as allowed': conversion(
    { text: manyPages, conversion_config: pageSetups(1000) },
    200,
  ),
  'a page with a debug log that throws a long text': conversion(
    { text: `<script>${throwing}</script><p>x`, debug_log: true },
    200,
  ),
  'many heads of tables': conversion({ text: '<thead></thead>'.repeat(60_000) }, 200),
  'an archive with a page that asks for a file with a long name': conversion(
    { file: askingArchive },
    200,
    150,
  ),
  'addresses of combining marks': conversion(
    { header_url: manyMarks, footer_url: manyMarks, page_watermark_url: manyMarks },
    400,
  ),
  'addresses of many different characters': conversion(
    { header_url: manyCharacters, footer_url: manyCharacters, page_watermark_url: manyCharacters },
    400,
  ),
  // Chromium canonicalises the host itself.
  'a page that goes to an address with a long name in Punycode': conversion({ text: leaving }, 400, 500),
  'rows that begin with many quotes': batch(`${'""'.repeat(40)}a`, {}, 400),
  'a file name with many blanks': batch('a\n1\n', { output_name: `{{${' '.repeat(3000)}x` }, 202),
};
