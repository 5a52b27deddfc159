/** The debug log of a successful job with events of every kind. */
import type { LogEvent, NewEvent } from '../../../main/log/events.ts';
import { at, consoleLine, jobLine, requestLine, stageLine } from './debug-log-lines.ts';

/** A PNG of 1 x 1 pixels, in Base64. */
export const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export function completeLog(): LogEvent[] {
  return [
    jobLine('01JD8Q5T3Z', 'invoices-november'),
    ...optionEvents(),
    stageLine('prepare input', { end: 4.2, took: 3.9 }),
    stageLine('wait for a window', { end: 16, took: 11.5, ended: 'after 2 others' }),
    ...requestEvents(),
    ...consoleEvents(),
    stageLine('load the page', { end: 236, took: 218.4, ended: 'load event came' }),
    stageLine('load fonts and images', { end: 268, took: 31.7, ended: 'all arrived' }),
    stageLine('fall quiet', { end: 470, took: 201.3, ended: '200 ms were over: 1 request was on its way' }),
    ...diagnosticEvents(),
    stageLine('print', { end: 603, took: 120.4 }),
    stageLine('finish the PDF', { end: 634, took: 30.2 }),
    ...outcome(),
  ];
}

function optionEvents(): LogEvent[] {
  const options = [
    { name: 'url', value: 'https://shop.example/invoices/2026-11', from: 'request' as const },
    { name: 'footer_html', value: '(212 characters)', from: 'request' as const },
    { name: 'http_auth_password', value: '***', from: 'request' as const },
    { name: 'verify_ssl_certificates', value: 'false', from: 'alias' as const },
    { name: 'page_size', value: 'A4', from: 'default' as const },
    { name: 'margin_top', value: '0.4in', from: 'default' as const },
  ];
  return [
    at(0.8, {
      kind: 'options',
      text: '3 options given, the others at their defaults',
      detail: { input: 'url', options, values: [] },
    }),
    at(1, {
      kind: 'note',
      text: 'layout_dpi has no effect: positions in a PDF are exact here.',
      detail: { code: 'option-without-effect', options: ['layout_dpi'] },
    }),
    at(1.1, { kind: 'note', text: 'The data filled 12 places of the template.', detail: {} }),
  ];
}

function requestEvents(): LogEvent[] {
  const phases = { connect: 12, send: 0.4, wait: 31, receive: 8.2 };
  const headers = [
    { name: 'content-type', value: 'text/html; charset=utf-8' },
    { name: 'set-cookie', value: '***' },
  ];
  const site = 'https://shop.example';
  const web = { from: 'network', method: 'GET', protocol: 'h2' } as const;
  return [
    requestLine(
      `${site}/invoices/2026-11`,
      {
        ...web,
        type: 'Document',
        began: 18,
        status: 200,
        mime: 'text/html',
        bytes: 14_210,
        phases,
        requestHeaders: [{ name: 'accept', value: 'text/html' }],
        responseHeaders: headers,
      },
      51.6,
    ),
    requestLine(
      `${site}/assets/invoice.css`,
      {
        ...web,
        type: 'Stylesheet',
        began: 72,
        status: 200,
        mime: 'text/css',
        bytes: 5120,
        phases,
        initiator: `${site}/invoices/2026-11:7`,
      },
      51.6,
    ),
    requestLine(
      `${site}/assets/logo@2x.png`,
      { ...web, type: 'Image', began: 74, status: 404, bytes: 512, initiator: 'invoices/2026-11:19' },
      38,
    ),
    requestLine(
      `${site}/fonts/inter.woff2`,
      { ...web, type: 'Font', began: 120, status: 200, bytes: 98_304 },
      44,
    ),
    requestLine('https://www.tracker.example/collect?visitor=8c1f&page=invoices', {
      type: 'Script',
      began: 121,
      blocked: 'by block_ads',
      initiator: 'invoices/2026-11:31',
    }),
    requestLine(
      'http://10.0.0.7/chart.svg',
      { type: 'Image', began: 122, blocked: 'by the network policy' },
      2,
    ),
    requestLine(
      'https://cdn.example/chart.js',
      { type: 'Script', began: 75, failed: 'could not be loaded' },
      140,
    ),
    requestLine(
      'data:image/png;base64,iVBORw0KGgo…',
      { type: 'Image', began: 90, status: 200, from: 'data' },
      0.2,
    ),
    requestLine(
      `${site}/api/totals?from=2026-11-01&to=2026-11-30&currency=EUR&group=customer&include=tax,discounts,shipping`,
      {
        ...web,
        method: 'POST',
        type: 'Fetch',
        began: 150,
        status: 200,
        mime: 'application/json',
        bytes: 2210,
      },
      331,
    ),
  ];
}

function consoleEvents(): LogEvent[] {
  return [
    consoleLine('Invoice renderer 3.2 starting', 'debug', 'assets/invoice.js'),
    consoleLine('3 customers without a tax number', 'warning', 'assets/invoice.js'),
    at(161, {
      kind: 'console',
      text: "Uncaught TypeError: Cannot read properties of undefined (reading 'total')",
      detail: {
        level: 'exception',
        source: 'assets/invoice.js',
        line: 214,
        column: 31,
        stack: ['sum (assets/invoice.js:214:31)', 'render (assets/invoice.js:98:5)', 'invoices/2026-11:44:3'],
      },
    }),
  ];
}

function diagnosticEvents(): LogEvent[] {
  const image = { type: 'image/png', width: 240, height: 340, data: dot } as const;
  return [
    at(471, { kind: 'screenshot', text: 'The page before it was printed', detail: image }),
    at(472, fontsEvent),
    at(473, imagesEvent),
    at(474, {
      kind: 'encoding',
      text: 'Read as windows-1252',
      detail: { encoding: 'windows-1252', declared: 'nothing', replaced: 0, garbled: 'MÃ¼nchen' },
    }),
    at(475, {
      kind: 'layout',
      text: 'Laid out 1024 px wide, print scale 0.699, paper 8.27 x 11.69 in.',
      detail: {
        viewport: { width: 1024, height: 1500 },
        media: 'screen',
        scale: 0.699,
        paper: { width: 8.27, height: 11.69 },
        margins: { top: 0.4, right: 0.4, bottom: 0.4, left: 0.4 },
      },
    }),
    at(600, {
      kind: 'breaks',
      text: '1 element is too wide, 2 are cut by page ends',
      detail: {
        overflows: [{ element: 'table.items', by: 3 }],
        splits: [{ element: 'table.items > tbody > tr:nth-of-type(14)', first: 1, last: 2 }],
        tall: [{ element: '#terms', height: 2210, page: 3 }],
      },
    }),
    at(601, {
      kind: 'header-footer',
      text: 'The footer is 62 px tall, and its place 48 px: what exceeds it was cut.',
      detail: { side: 'footer', content: 62, place: 48 },
    }),
  ];
}

const fontsEvent: NewEvent = {
  kind: 'fonts',
  text: '3 fonts asked for, 1 not there, 1 character without a glyph',
  detail: {
    stacks: [
      {
        families: 'Inter, sans-serif',
        weight: '400',
        style: 'normal',
        characters: 4210,
        element: 'body',
        used: [{ family: 'Inter', glyphs: 4190, web: true }],
      },
      {
        families: '"Helvetica Neue", Arial',
        weight: '700',
        style: 'normal',
        characters: 120,
        element: 'h1',
        used: [{ family: 'Liberation Sans', glyphs: 120, web: false }],
      },
      {
        families: 'Icons',
        weight: '400',
        style: 'italic',
        characters: 12,
        element: 'span.icon',
        used: [],
      },
    ],
    failed: ['Brand Serif'],
    missing: [{ character: '\ue001', count: 12, element: 'span.icon' }],
  },
};

const imagesEvent: NewEvent = {
  kind: 'images',
  text: '2 images have a problem',
  detail: {
    images: [
      {
        url: 'https://shop.example/assets/stamp.png',
        element: 'img.stamp',
        problem: 'broken',
        natural: { width: 0, height: 0 },
        shown: { width: 80, height: 80 },
      },
      {
        url: 'https://shop.example/scan.jpg',
        element: '#scan',
        problem: 'oversized',
        natural: { width: 4000, height: 3000 },
        shown: { width: 300, height: 225 },
      },
    ],
  },
};

function outcome(): LogEvent[] {
  const largest = [
    { what: 'image 4000 x 3000', bytes: 310_000 },
    { what: 'font Inter-Regular', bytes: 48_000 },
  ];
  return [
    at(634, {
      kind: 'sizes',
      text: '412 kB: fonts 64 kB, images 310 kB',
      detail: { total: 412_000, fonts: 64_000, images: 310_000, rest: 38_000, largest },
    }),
    at(640, { kind: 'end', text: 'converted', detail: { outcome: 'converted', bytes: 412_000, pages: 3 } }),
  ];
}
