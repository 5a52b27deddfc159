/** Documents for screen readers. Whether they conform is checked by veraPDF in test/long/standards.test.ts. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { readDebugLog } from '../../support/debug-log/debug-log.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { convert, refusal, send } from '../../support/service/convert.ts';
import { defaultService } from '../../support/service/default-service.ts';
import type { Service } from '../../support/service/service.ts';

let service: Service;
before(async () => {
  service = await defaultService();
});

const pdf_standard = 'pdfua-1';
const drawing = (colour: string) =>
  `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='50' height='50'><rect width='50' height='50' fill='${colour}'/></svg>`;
const report = `<html lang="en"><title>Report</title><h1>Report</h1>
  <p style="border: 1px solid">Read <a href="https://example.com/terms">the terms</a>.</p>
  <ol style="list-style: lower-roman"><li>one<ul><li>inner</ul><li>two</ol>
  <table><caption>Sums</caption><thead><tr><th>Year<th>Sum</thead><tr><td>2025<td><tr><td colspan="2">none</table>
  <figure><img alt="A red square" width="50" src="${drawing('red')}"><figcaption>Fig. 1</figcaption></figure>
  <svg role="img" aria-label="Growth" width="60" height="30"><path d="M0 30L60 0" stroke="blue" /><text y="20">9 %</text></svg>
  <img alt="" width="50" src="${drawing('green')}">
  <blockquote>Quote</blockquote><dl><dt>Term<dd>Meaning</dl>`;

/** Returns the structure elements and texts in reading order, with the level of each by its indentation, without NonStruct. */
function structureOf(pdf: Buffer): string {
  const { stdout } = spawnSync('pdfinfo', ['-struct-text', '-'], { input: pdf, encoding: 'utf8' });
  const lines = stdout
    .split('\n')
    .map((line) => line.replace(/ <node\d+>/, '').replace(/ \((block|inline)\)/, ''));
  return lines.filter((line) => !/^\s*(NonStruct|Object .*|\/(Row|Col)Span 1|" ")?$/.test(line)).join('\n');
}

/** Renders the pages with poppler. */
function rendered(pdf: Buffer): Buffer {
  return spawnSync('pdftoppm', ['-r', '50', '-'], { input: pdf, maxBuffer: 1e9 }).stdout;
}

describe('pdf_standard=pdfua-1', () => {
  test('claims the standard, and keeps text and pixels', async () => {
    const plain = await convert(service, { text: report });
    const accessible = await convert(service, { text: report, pdf_standard });
    assert.match(accessible.toString('latin1'), /<pdfuaid:part>1<\/pdfuaid:part>/);
    assert.equal(pdfText(accessible), pdfText(plain));
    assert.ok(rendered(plain).length > 1000);
    assert.ok(rendered(accessible).equals(rendered(plain)));
  });

  test('writes headings, links, lists, tables, pictures and quotations in reading order', async () => {
    const structure = structureOf(await convert(service, { text: report, pdf_standard }));
    assert.equal(
      structure.replaceAll(/\n\s*/g, ' ').replaceAll(/\(node\d+\)/g, '(th)'),
      [
        'Document H1 "Report" P "Read " Link "the terms" "."',
        'L: /ListNumbering /LowerRoman LI Lbl "i. " LBody "one" L: /ListNumbering /Circle LI LBody "inner" LI Lbl "ii. " LBody "two"',
        'Table Caption "Sums" THead TR TH: /Scope /Column "Year" TH: /Scope /Column "Sum"',
        'TBody TR TD: /Headers [(th)] "2025" TD TR TD: /Headers [(th)] /ColSpan 2 "none"',
        'Div Figure "" Caption "Fig. 1" Figure Div "9 %" "" BlockQuote "Quote" L LI Lbl "Term" LBody "Meaning"',
      ].join(' '),
    );
  });

  test('tags the drawing of a picture, but not that of a decoration', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'platen-pdf-ua-'));
    writeFileSync(join(folder, 'in.pdf'), await convert(service, { text: report, pdf_standard }));
    spawnSync('qpdf', ['--qdf', '--object-streams=disable', 'in.pdf', 'out.pdf'], { cwd: folder });
    const content = readFileSync(join(folder, 'out.pdf'), 'latin1');
    rmSync(folder, { recursive: true });
    const figures = [...content.matchAll(/\/Figure <<\/MCID \d+>> BDC([^]*?)EMC/g)].map(
      ([, paint = '']) => paint,
    );
    assert.equal(figures.length, 2);
    assert.match(figures[0] ?? '', /re\s+f/, 'the square');
    assert.match(figures[1] ?? '', /l\s+S/, 'the line');
  });

  test('has the text that Chromium does not tag: labels of check boxes, and content of style sheets', async () => {
    const text = `<html lang="en"><title>Order</title><style>.note::before { content: "Note: " } .u { text-transform: uppercase }</style>
      <p><label class="u"><input type="checkbox"> I agree</label><p class="note">Soon<span aria-hidden="true">ignored</span>`;
    const structure = structureOf(await convert(service, { text, pdf_standard }));
    assert.equal(structure.replaceAll(/\n\s*/g, ' '), 'Document P Span " I " "AGREE" P Span "Note: " "Soon"');
  });

  test('has form fields at their places, with their labels', async () => {
    const text = `<!doctype html><html lang="en"><title>Order</title><p>Before <input type="radio" name="r" aria-label="One"> after
      <table><tr><th>Sent<td><input type="checkbox" aria-label="Sent"></table><form action="https://example.com/"><p><button>Send</button></form>`;
    const structure = structureOf(await convert(service, { text, pdf_standard, enable_pdf_forms: true }));
    assert.equal(
      structure.replaceAll(/\n\s*/g, ' '),
      'Document P "Before " Form " after" Table TR TH: /Scope /Row "Sent" TD Form P Form',
    );
  });

  test('keeps headers, footers, borders and decoration out of the structure', async () => {
    const fields = {
      text: report,
      pdf_standard,
      header_html: 'Head',
      footer_html: 'Foot <a href="https://example.com/">home</a>',
    };
    const pdf = await convert(service, fields);
    assert.match(pdfText(pdf), /Head[^]*Foot home/);
    const structure = structureOf(pdf);
    assert.doesNotMatch(structure, /Head"|Foot|home/);
  });

  test('keeps only the structure of the pages in the range', async () => {
    const text = `${report}<h2 style="break-before: page">Second</h2><img alt="Late" src="${drawing('red')}">`;
    const first = structureOf(await convert(service, { text, pdf_standard, print_page_range: '1' }));
    assert.match(first, /Report/);
    assert.doesNotMatch(first, /Second|Late/);
  });

  test('lists what the page lacks by selector, or returns the document without the claim and a note for each', async () => {
    const text = `<h2>Top</h2><p class="intro"><img src="${drawing('red')}"></p><svg id="chart" width="9" height="9"><path d="M0 0L9 9" stroke="red" /></svg><h4>Deep</h4>`;
    const message = await refusal(service, { text, pdf_standard });
    const reasons = [
      'the page has no title; add a title element, or send title',
      'the page has no language; add lang to the html element, such as <html lang="en">',
      'page 1: p.intro > img has no alt; describe the picture, or write alt="" if it is decoration',
      'page 1: svg#chart has no text alternative; add role="img" and aria-label, or aria-hidden="true" if it is decoration',
      'h2 is the first heading; give it level 1',
      'h4 follows a heading of level 2; give it level 3',
    ];
    assert.ok(message.startsWith('400.328 - The document cannot conform to PDF/UA-1: '));
    for (const reason of reasons) assert.ok(message.includes(reason), reason);
    const answer = await send(service, { text, pdf_standard, pdf_standard_strict: false, debug_log: true });
    assert.equal(answer.status, 200);
    assert.doesNotMatch(answer.body.toString('latin1'), /pdfuaid/);
    assert.equal(answer.headers.get('x-service-notes'), String(reasons.length));
    assert.equal(answer.headers.get('x-service-note-codes'), 'standard-not-met');
    const { events } = await readDebugLog(answer);
    const notes = events.filter(({ kind }) => kind === 'note').map(({ text: note }) => note);
    for (const reason of reasons)
      assert.ok(notes.includes(`The document does not conform to PDF/UA-1: ${reason}.`), reason);
  });

  test('takes the title from the option, and the picture of another site as decoration if it is hidden', async () => {
    const text = `<html lang="de-AT"><svg aria-hidden="true" width="9" height="9"><path d="M0 0L9 9" stroke="red" /></svg><img role="presentation" src="${drawing('red')}"><p>Text`;
    const pdf = await convert(service, { text, pdf_standard, title: 'Bericht' });
    assert.doesNotMatch(structureOf(pdf), /Figure/);
  });

  test('can be combined with a standard of PDF/A, which then excludes encryption', async () => {
    const both = 'pdfa-3b,pdfua-1';
    const metadata = (await convert(service, { text: report, pdf_standard: both })).toString('latin1');
    assert.match(metadata, /<pdfaid:part>3<[^]*<pdfuaid:part>1<[^]*<pdfaSchema:prefix>pdfuaid</);
    const encrypted = { text: report, user_password: 'secret' };
    assert.match(
      await refusal(service, { ...encrypted, pdf_standard: both }),
      /^400\.311 - pdf_standard=pdfa-3b forbids encryption/,
    );
    assert.ok((await convert(service, { ...encrypted, pdf_standard })).length > 1000);
  });
});
