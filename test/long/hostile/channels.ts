/** Attacks that use other inputs than the page: headers, stamps, archives, templates, scripts of the caller, and proxies. */
import { htmlFile } from '../../support/service/convert.ts';
import { zip } from '../../support/archives/zip-writer.ts';
import type { Attack } from './attack.ts';

const image = (url: string) => `<img src="${url}">`;
const archive = (entries: Readonly<Record<string, string>>) =>
  htmlFile(
    new Uint8Array(zip(Object.entries(entries).map(([name, contents]) => ({ name, contents })))),
    'a.zip',
  );

export const channels: readonly Attack[] = [
  { by: 'an uploaded file', fields: ({ url }, hold) => ({ file: htmlFile(hold + image(url)) }) },
  {
    by: 'an uploaded SVG',
    fields: ({ url }) => ({
      file: htmlFile(
        `<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><image href="${url}" width="9" height="9"/></svg>`,
        'a.svg',
      ),
    }),
  },
  {
    by: 'the style sheet of an uploaded SVG',
    fields: ({ url }) => ({
      file: htmlFile(
        `<?xml-stylesheet href="${url}.css"?><svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"/>`,
        'a.svg',
      ),
    }),
  },
  {
    by: 'the style sheet of uploaded XHTML',
    fields: ({ url }) => ({
      file: htmlFile(
        `<?xml version="1.0"?><?xml-stylesheet type="text/css" href="${url}.css"?><html xmlns="http://www.w3.org/1999/xhtml"><body>x</body></html>`,
        'a.xhtml',
      ),
    }),
  },
  {
    by: 'the page in an archive',
    fields: ({ url }, hold) => ({ file: archive({ 'index.html': hold + image(url) }) }),
  },
  {
    by: 'a style sheet in an archive',
    fields: ({ url }, hold) => ({
      file: archive({
        'index.html': `${hold}<link rel="stylesheet" href="a.css">`,
        'a.css': `@import "${url}.css";`,
      }),
    }),
  },
  {
    by: 'a frame in an archive',
    fields: ({ url }, hold) => ({
      file: archive({
        'index.html': `${hold}<iframe src="b/f.html"></iframe>`,
        'b/f.html': `<script>fetch("${url}")</script>`,
      }),
    }),
  },
  {
    by: 'a script in an archive',
    fields: ({ url }, hold) => ({
      file: archive({
        'index.html': `${hold}<script src="a.js"></script>`,
        'a.js': `new WebSocket("${url.replace('http', 'ws')}")`,
      }),
    }),
  },
  {
    by: 'the header in an archive',
    fields: ({ url }) => ({
      file: archive({ 'index.html': 'x', 'h.html': image(url) }),
      zip_main_filename: 'index.html',
      zip_header_filename: 'h.html',
    }),
  },
  {
    by: 'a template',
    fields: ({ url }, hold) => ({
      text: `${hold}<img src="{{ at }}">`,
      data_string: JSON.stringify({ at: url }),
    }),
  },
  {
    by: 'the data of a template',
    fields: ({ url }, hold) => ({
      text: `${hold}<p>{{{ html }}}`,
      data_string: JSON.stringify({ html: image(url) }),
    }),
  },
  { by: 'header_html', fields: ({ url }) => ({ text: 'x', header_html: image(url) }) },
  {
    by: 'footer_html',
    fields: ({ url }) => ({ text: 'x', footer_html: `<p style="background:url(${url})">x` }),
  },
  {
    by: 'a script of header_html',
    fields: ({ url }, hold) => ({ text: 'x', header_html: `${hold}<script>fetch("${url}")</script>` }),
  },
  { by: 'header_url', fields: ({ url }) => ({ text: 'x', header_url: url }), failsJob: true },
  { by: 'footer_url', fields: ({ url }) => ({ text: 'x', footer_url: url }), failsJob: true },
  {
    by: 'a redirect of header_url',
    fields: ({ url, redirect }) => ({ text: 'x', header_url: redirect(302, url) }),
    failsJob: true,
  },
  {
    by: 'an image of the page at footer_url',
    fields: ({ url, serve }) => ({ text: 'x', footer_url: serve(image(url)) }),
  },
  {
    by: 'custom_javascript',
    fields: ({ url }) => ({ text: 'x', custom_javascript: `fetch("${url}").catch(() => {})` }),
  },
  {
    by: 'on_load_javascript',
    fields: ({ url }) => ({
      text: 'x',
      on_load_javascript: `fetch("${url}", { mode: 'no-cors' }).catch(() => {})`,
    }),
  },
  {
    by: 'a proxy for http',
    fields: ({ host, path }) => ({ url: `http://192.168.255.254${path}`, http_proxy: host }),
  },
  {
    by: 'a proxy for https',
    fields: ({ host }) => ({ text: '<img src="https://192.168.255.254/">', https_proxy: host }),
    arrivalPath: '/connect/192.168.255.254',
  },
];

const stamps = [
  'page_watermark_url',
  'multipage_watermark_url',
  'page_background_url',
  'multipage_background_url',
];

export const stampAddresses: readonly Attack[] = [
  ...stamps.map((option): Attack => ({
    by: option,
    fields: ({ url }) => ({ text: 'x', [option]: url }),
    failsJob: true,
  })),
  {
    by: 'a redirect of page_watermark_url',
    fields: ({ url, redirect }) => ({ text: 'x', page_watermark_url: redirect(307, url) }),
    failsJob: true,
  },
];
