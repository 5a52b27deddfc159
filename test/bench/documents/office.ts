/** The most common office documents: a letter of one page, and an invoice of two pages. */
import { pdfOf, type BenchDocument } from './document.ts';
import { openProse, page } from './prose.ts';

export function letter(): BenchDocument {
  const { paragraph } = openProse(1);
  const head =
    '<p class="from">Example Ltd, 1 Long Street, Springfield</p><p>Ms Jane Doe<br>2 Short Street</p>';
  const text = Array.from({ length: 5 }, () => paragraph(5)).join('');
  const style = '.from { border-bottom: 1px solid #999; color: #555 } h1 { font-size: 22px }';
  const html = page('Letter', style, `${head}<h1>Your enquiry</h1>${text}<p>Yours faithfully</p>`);
  return { name: 'letter', title: 'letter, 1 page', html, scripts: false, expected: pdfOf(1), long: false };
}

/** The letter, converted by URL. A page from a server may run scripts, so all candidates navigate to it. */
export function site(): BenchDocument {
  return { ...letter(), name: 'site', title: 'letter, at an address', scripts: true, by: 'url' };
}

export function invoice(): BenchDocument {
  const rows = Array.from({ length: 36 }, (_, index) => row(index + 1)).join('');
  const style = `h1 { color: #036 } table { width: 100%; border-collapse: collapse }
    th { background: #036; color: #fff; text-align: left } th, td { padding: 4px 8px }
    td { border-bottom: 1px solid #ccc } .r { text-align: right } tr:nth-child(even) td { background: #eef }
    .sum td { font-weight: bold } h2 { break-before: page }`;
  const table = `<table><thead><tr><th>No<th>Article<th>Description<th class="r">Pieces<th class="r">Price<th class="r">Sum</tr></thead><tbody>${rows}<tr class="sum"><td colspan="5">Total<td class="r">26,887.00</tr></tbody></table>`;
  const terms = `<h2>Terms</h2>${openProse(2).paragraph(30)}`;
  const html = page('Invoice 4711', style, `<h1>Invoice 4711</h1><p>Ms Jane Doe</p>${table}${terms}`);
  return {
    name: 'invoice',
    title: 'invoice, 2 pages',
    html,
    scripts: false,
    expected: pdfOf(2),
    long: false,
  };
}

export function archivedInvoice(): BenchDocument {
  return {
    ...invoice(),
    name: 'archived',
    title: 'invoice as PDF/A-2u',
    fields: { pdf_standard: 'pdfa-2u' },
  };
}

/** The document with a debug log, which an operator or a caller may request for every job. */
export function logged(document: BenchDocument): BenchDocument {
  const { name, title } = document;
  return {
    ...document,
    name: `${name}-logged`,
    title: `${title}, with debug log`,
    fields: { debug_log: 'true' },
  };
}

function row(number: number): string {
  const pieces = (number % 9) + 1;
  const price = (number * 37) % 211;
  return `<tr><td>${number}<td>A-${1000 + number * 7}<td>Article of the kind ${number % 13}, packed<td class="r">${pieces}<td class="r">${price}.00<td class="r">${pieces * price}.00</tr>`;
}
