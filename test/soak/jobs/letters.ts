/** Text documents: letters, invoices, templates, page ranges, headers and footers, passwords. */
import { htmlFile } from '../../support/service/convert.ts';
import type { MakeJob } from '../job.ts';
import { secretOf } from '../job-markers.ts';

const paragraph = '<p>Sehr geehrte Damen und Herren, vielen Dank für Ihren Auftrag über 1.234,56 €.</p>';

/** Returns the HTML of `count` pages, each with `P`, its number and the word. */
function sheets(count: number, word: string): string {
  const pageOf = (page: number) =>
    `<section style="break-after:page"><h2>P${page} ${word}</h2>${paragraph}</section>`;
  return Array.from({ length: count }, (_, index) => pageOf(index + 1))
    .join('')
    .replace(/break-after:page(?!.*break-after:page)/s, '');
}

export const letters: Readonly<Record<string, MakeJob>> = {
  letter: ({ word }) => ({
    fields: { text: `<h1>${word}</h1>${paragraph.repeat(5)}` },
    expected: [{ kind: 'pdf', pages: 1 }],
  }),

  // Their options change the window while the document of an attacker may have been in it.
  'wide letter with a cookie': ({ word, web }) => ({
    fields: {
      text: `<h1>${word}</h1><img src="${web}/icon" alt="">`,
      content_viewport_width: 1400,
      cookies: `session=${secretOf(word)}`,
      custom_http_header: `x-session: ${secretOf(word)}`,
    },
    expected: [{ kind: 'pdf', pages: 1 }],
  }),
  'dense letter with a cookie': ({ word }) => ({
    fields: {
      text: `<h1>${word}</h1>`,
      device_pixel_ratio: 2,
      use_print_media: true,
      cookies: `session=${secretOf(word)}`,
      http_auth_user_name: 'user',
      http_auth_password: secretOf(word),
    },
    expected: [{ kind: 'pdf', pages: 1 }],
  }),

  invoice: ({ word }) => ({
    fields: { file: htmlFile(invoice(word)), page_size: 'A4', margin_top: '20mm' },
    expected: [{ kind: 'pdf', pages: 2, texts: ['Total 4,950.00', 'Terms'] }],
  }),

  handlebars: ({ word }) => ({
    fields: {
      text: '<h1>{{customer.name}}</h1><ul>{{#each lines}}<li>{{this.what}} {{this.price}}</li>{{/each}}</ul>',
      data_string: JSON.stringify({ customer: { name: word }, lines: [{ what: 'Pencils', price: 7 }] }),
    },
    expected: [{ kind: 'pdf', pages: 1, texts: ['Pencils 7'] }],
  }),

  jinja: ({ word }) => ({
    fields: {
      text: '<table>{% for row in data %}<tr><td>{{ row.name }}</td><td>{{ row.price }}</td></tr>{% endfor %}</table>',
      data_file: htmlFile(`name,price\n${word},17\nInk,4\n`, 'data.csv'),
      data_format: 'csv',
    },
    expected: [{ kind: 'pdf', pages: 1, texts: ['Ink 4'] }],
  }),

  'header and footer': ({ word }) => ({
    fields: {
      text: sheets(3, word),
      header_html: `<div>Head ${word}</div>`,
      footer_html:
        '<div>Page <span class="service-page-number"></span> of <span class="service-page-count"></span></div>',
    },
    expected: [{ kind: 'pdf', pages: 3, texts: [`Head ${word}`, 'Page 1 of 3', 'Page 3 of 3'] }],
  }),

  password: ({ word }) => ({
    fields: {
      text: `<h1>${word}</h1>`,
      user_password: `pass-${word}`,
      owner_password: `own-${word}`,
      no_copy: true,
    },
    expected: [{ kind: 'pdf', pages: 1, password: `pass-${word}` }],
  }),

  range: ({ word }) => ({
    fields: { text: sheets(5, word), print_page_range: '2-3' },
    expected: [{ kind: 'pdf', pages: 2, totalPages: 5, texts: ['P2', 'P3'], absent: ['P1', 'P4'] }],
  }),

  'tall page': ({ word }) => ({
    fields: { text: `${sheets(1, word)}<div style="height:3000px"></div><p>last</p>`, page_height: '-1' },
    expected: [{ kind: 'pdf', pages: 1, texts: ['last'] }],
  }),

  tagged: ({ word }) => ({
    fields: { text: sheets(2, word), tagged: true, outline: true, title: word },
    expected: [{ kind: 'pdf', pages: 2, texts: ['P1', 'P2'] }],
  }),

  'wrong parameter': ({ word }) => ({
    fields: { text: word, page_size: 'A9' },
    expected: [{ kind: 'failure', codes: ['400.311'] }],
  }),
};

function invoice(word: string): string {
  const row = (n: number) => `<tr><td>${n}</td><td>Article number ${n}</td><td class="r">${n}.00</td></tr>`;
  return `<!doctype html><meta charset="utf-8"><title>Invoice</title><style>
    body { font: 11pt/1.4 "Liberation Sans", sans-serif } table { width: 100%; border-collapse: collapse }
    td { border-bottom: 1px solid #ccc; padding: 2px 6px } .r { text-align: right }
    tr:nth-child(even) { background: #eef } h2 { break-before: page }</style>
    <h1>Invoice ${word}</h1><table>${Array.from({ length: 25 }, (_, n) => row(n + 1)).join('')}</table>
    <p><b>Total 4,950.00</b></p><h2>Terms</h2><p>${word}</p>`;
}
