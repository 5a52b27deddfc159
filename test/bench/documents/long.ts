/** Long documents: a manual and a table of sixty pages, a thousand pages of prose. */
import { pdfOf, type BenchDocument } from './document.ts';
import { openProse, page } from './prose.ts';

export function manual(): BenchDocument {
  const { paragraph } = openProse(4);
  const chapter = (number: number) =>
    `<h2>Chapter ${number}</h2>${Array.from({ length: 34 }, () => paragraph(6)).join('')}`;
  const chapters = Array.from({ length: 20 }, (_, index) => chapter(index + 1)).join('');
  const html = page('Manual', 'h2 { break-before: page }', `<h1>Manual</h1>${chapters}`);
  const expected = pdfOf(55, 68);
  return { name: 'manual', title: 'manual, about 60 pages', html, scripts: false, expected, long: false };
}

/** The manual, after a table of contents with page numbers. */
export function referencedManual(): BenchDocument {
  const document = manual();
  const entry = (number: number) =>
    `<li>Chapter ${number} <a class="service-page-ref" href="#c${number}"></a></li>`;
  const contents = `<ul>${Array.from({ length: 20 }, (_, index) => entry(index + 1)).join('')}</ul>`;
  const html = document.html
    .replace('</h1>', `</h1>${contents}`)
    .replaceAll(/<h2>Chapter (\d+)/g, '<h2 id="c$1">Chapter $1');
  return { ...document, name: 'referenced', title: 'manual with page references', html, fields: {} };
}

export function longTable(): BenchDocument {
  const row = (number: number) =>
    `<tr><td>${number}<td>2026-${String((number % 12) + 1).padStart(2, '0')}-17<td>Posting ${number * 7} of the account ${number % 97}<td class="r">${((number * 7919) % 100_000) / 100}</tr>`;
  const rows = Array.from({ length: 2700 }, (_, index) => row(index + 1)).join('');
  const style = `table { width: 100%; border-collapse: collapse } th, td { padding: 4px 8px; text-align: left }
    td { border-bottom: 1px solid #ddd } .r { text-align: right }`;
  const head = '<thead><tr><th>No<th>Day<th>Text<th class="r">Amount</tr></thead>';
  const html = page('Postings', style, `<table>${head}<tbody>${rows}</tbody></table>`);
  const expected = pdfOf(55, 68);
  return { name: 'table', title: 'table, about 60 pages', html, scripts: false, expected, long: false };
}

export function thousand(): BenchDocument {
  return pagesOf(1000, { name: 'thousand', title: '1,000 pages' });
}

export function fiveThousand(): BenchDocument {
  return pagesOf(5000, { name: 'five-thousand', title: '5,000 pages' });
}

function pagesOf(count: number, { name, title }: Pick<BenchDocument, 'name' | 'title'>): BenchDocument {
  const { paragraph } = openProse(5);
  const sheet = (number: number) =>
    `<section><h2>Section ${number}</h2>${paragraph(5)}${paragraph(7)}</section>`;
  const body = Array.from({ length: count }, (_, index) => sheet(index + 1)).join('');
  const html = page(title, 'section + section { break-before: page }', body);
  return { name, title, html, scripts: false, expected: pdfOf(count), long: true };
}

export function thousandNumbered(): BenchDocument {
  const document = thousand();
  return {
    ...document,
    name: 'thousand-numbered',
    title: '1,000 pages with numbered footer',
    expected: { ...pdfOf(1000), footer: true },
  };
}
