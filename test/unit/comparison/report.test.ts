import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterEach, describe, test } from 'node:test';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { SyntaxValidator } from 'fast-xml-validator';
import { compareDocuments, type ComparedPage } from '../../../main/comparison/compare-documents.ts';
import { ComparisonReport } from '../../../main/comparison/report.ts';
import type { ReportedSample, SampleResult } from '../../../main/comparison/sample-result.ts';

const installations = { before: 'Platen 1.0.0', after: 'Platen <2.0.0>' };

interface ReportFacts {
  readonly before: string;
  readonly after: string;
  readonly samples: readonly ReportedSample[];
}

describe('the report of a comparison', () => {
  const folders: string[] = [];
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
  });

  async function openReport() {
    const folder = await mkdtemp(join(tmpdir(), 'platen-report-'));
    folders.push(folder);
    return { folder, report: await ComparisonReport.open(join(folder, 'new', 'report'), installations) };
  }

  test('has a row for each sample, and a page for each page with differences, in order', async () => {
    const { report } = await openReport();
    const invoice = report.addSample('invoice');
    const before = await pdfOf([['Total 100'], ['Terms'], ['Thanks']]);
    const after = await pdfOf([['Total 250'], ['Terms'], ['Thanks a lot'], ['Annex']]);
    const difference = await compareDocuments(before, after, { onDifferingPage: invoice.writeImages });
    invoice.setResult({ difference });
    report.addSample('letter').setResult({ difference: { kind: 'identical bytes' } });
    const index = await report.close();
    const html = readFileSync(index, 'utf8');
    assert.deepEqual(rowsOf(html), [
      ['invoice', 'Differs', '3 before, 4 after', '3: 1 3 4', '', ''],
      ['letter', 'Identical', '', '', '', ''],
    ]);
    const first = pageText(dirname(index), 'samples/invoice/page-0001.html');
    assert.match(first, /Removed words\s+100 1 word\s+Added words\s+250 1 word/);
    assert.match(first, /Before: Platen 1\.0\.0\s+After: Platen &lt;2\.0\.0&gt;/);
    assert.match(
      pageText(dirname(index), 'samples/invoice/page-0004.html'),
      /Only the document after has this page/,
    );
    checkReport(dirname(index));
  });

  test('links each difference to the previous and the next one, also of other samples', async () => {
    const { report } = await openReport();
    for (const name of ['one', 'two']) {
      const sample = report.addSample(name);
      const options = { onDifferingPage: sample.writeImages };
      sample.setResult({
        difference: await compareDocuments(await pdfOf([['A'], ['B']]), await pdfOf([['C'], ['D']]), options),
      });
    }
    const folder = dirname(await report.close());
    const linksOf = (path: string) =>
      [...readFileSync(join(folder, path), 'utf8').matchAll(/rel="(prev|next)" href="([^"]+)"/g)].map(
        ([, rel, href = '']) =>
          `${rel} ${relative(folder, resolve(folder, dirname(path), href)).replaceAll('\\', '/')}`,
      );
    assert.deepEqual(linksOf('samples/one/page-0001.html'), ['next samples/one/page-0002.html']);
    assert.deepEqual(linksOf('samples/one/page-0002.html'), [
      'prev samples/one/page-0001.html',
      'next samples/two/page-0001.html',
    ]);
    assert.deepEqual(linksOf('samples/two/page-0002.html'), ['prev samples/two/page-0001.html']);
    checkReport(folder);
  });

  test('shows failures with the messages of both sides, and samples without a result', async () => {
    const { report } = await openReport();
    report.addSample('a').setResult({ failures: { before: undefined, after: 'Not found: <x>' } });
    report.addSample('b').setResult({ failures: { before: 'Refused', after: 'Refused' } });
    report.addSample('c');
    const index = await report.close();
    assert.deepEqual(
      rowsOf(readFileSync(index, 'utf8')).map((row) => [row[1], row[5]]),
      [
        ['Failed', 'Before: The conversion succeeded. After: Not found: &lt;x&gt;'],
        ['Failed', 'Before: Refused After: Refused'],
        ['Unfinished', 'The comparison ended before this sample had a result.'],
      ],
    );
    checkReport(dirname(index));
  });

  test('accepts any name of a sample', async () => {
    const { folder, report } = await openReport();
    const names = [
      '<script>alert(1)</script>',
      '../../outside',
      'CON',
      'con',
      'a/b',
      'a?b',
      '',
      '"&\'',
      '\u202egnp.exe',
    ];
    for (const name of names) {
      const sample = report.addSample(name);
      const options = { onDifferingPage: sample.writeImages };
      sample.setResult({
        difference: await compareDocuments(
          await pdfOf([['A']]),
          await pdfOf([[name.replace(/\W/g, 'x') || 'B']]),
          options,
        ),
      });
    }
    const index = await report.close();
    checkReport(dirname(index));
    assert.deepEqual(readdirSync(folder), ['new']);
    const html = readFileSync(index, 'utf8');
    assert.ok(html.includes('<th scope="row">&lt;script&gt;alert(1)&lt;/script&gt;</th>'));
    assert.ok(!html.includes('\u202e'));
    const written = readdirSync(join(dirname(index), 'samples'));
    assert.equal(new Set(written.map((name) => name.toLowerCase())).size, names.length);
    assert.deepEqual(
      factsOf(dirname(index)).samples.map(({ name }) => name),
      names,
    );
  });

  test('has the same facts as JSON, with paths of existing files', async () => {
    const { report } = await openReport();
    const sample = report.addSample('letter');
    const before = await pdfOf([['A']]);
    const after = await pdfOf([['A']], StandardFonts.Courier);
    sample.setResult({
      difference: await compareDocuments(before, after, { onDifferingPage: sample.writeImages }),
    });
    const folder = dirname(await report.close());
    const { before: nameBefore, after: nameAfter, samples } = factsOf(folder);
    assert.deepEqual([nameBefore, nameAfter], [installations.before, installations.after]);
    const [found] = samples;
    assert.equal(found?.verdict, 'differs');
    assert.ok(found.result?.failures === undefined && found.result?.difference.kind === 'pages compared');
    assert.deepEqual(found.result.difference.fonts.after, [{ name: 'Courier', isEmbedded: false }]);
    const [page] = found.pages;
    for (const path of [page?.html, page?.images.before, page?.images.after, page?.images.overlay])
      assert.ok(path !== undefined && existsSync(join(folder, path)), path);
    assert.match(readFileSync(join(folder, 'index.html'), 'utf8'), /Only before: Helvetica \(not embedded\)/);
  });

  const results: readonly {
    readonly title: string;
    readonly result: SampleResult;
    readonly verdict: string;
  }[] = [
    {
      title: 'files of different formats differ',
      result: { difference: { kind: 'different bytes', reason: 'Other formats' } },
      verdict: 'Differs',
    },
    {
      title: 'a document that can be opened and one that cannot differ',
      result: { difference: { kind: 'unreadable', before: 'Damaged', after: undefined } },
      verdict: 'Differs',
    },
    {
      title: 'two documents that cannot be opened are unknown',
      result: { difference: { kind: 'unreadable', before: 'Encrypted', after: 'Encrypted' } },
      verdict: 'Unknown',
    },
    {
      title: 'a document with a page that cannot be drawn is unknown',
      result: pagesResult({ page: 1, kind: 'unknown', reason: 'Too large' }),
      verdict: 'Unknown',
    },
    {
      title: 'documents without any difference have the same appearance',
      result: pagesResult({ page: 1, kind: 'identical' }),
      verdict: 'Same appearance',
    },
  ];
  for (const { title, result, verdict } of results)
    test(title, async () => {
      const { report } = await openReport();
      report.addSample('a').setResult(result);
      const index = await report.close();
      assert.equal(rowsOf(readFileSync(index, 'utf8'))[0]?.[1], verdict);
      checkReport(dirname(index));
    });
});

function pagesResult(page: ComparedPage): SampleResult {
  const none = { before: [], after: [] };
  const pageCounts = { before: 1, after: 1 };
  return { difference: { kind: 'pages compared', pageCounts, pages: [page], textChanges: [], fonts: none } };
}

/** Checks every HTML file: syntax, language, title, headings, alternative texts, no scripts, and that links lead to files of the report. */
function checkReport(folder: string): void {
  const files = readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
  const pages = files.filter((file) => file.endsWith('.html'));
  assert.ok(pages.length > 0);
  for (const file of pages) {
    const html = readFileSync(file, 'utf8');
    const [, xml = ''] = /^<!DOCTYPE html>\n([^]*)$/.exec(html) ?? [];
    assert.equal(SyntaxValidator.validate(xml, { unpairedTags: ['meta', 'img'] }), true, file);
    assert.match(html, /<html lang="en">/);
    assert.match(html, /<title>[^<]+<\/title>/);
    assert.equal(html.match(/<h1>/g)?.length, 1);
    assert.doesNotMatch(html, /<script|\son\w+=|https?:/);
    assert.doesNotMatch(html, /<img (?![^>]*alt="[^"])/);
    for (const [, link = ''] of html.matchAll(/(?:href|src)="([^"]*)"/g)) {
      const target = resolve(dirname(file), link);
      assert.ok(!relative(folder, target).startsWith('..') && existsSync(target), `${file}: ${link}`);
    }
  }
}

/** Returns the texts of the cells of each row. */
function rowsOf(html: string): string[][] {
  const [, body = ''] = /<tbody>([^]*)<\/tbody>/.exec(html) ?? [];
  return [...body.matchAll(/<tr>([^]*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>([^]*?)<\/t[hd]>/g)].map(([, cell = '']) => textOf(cell)),
  );
}

function pageText(folder: string, path: string): string {
  return textOf(readFileSync(join(folder, path), 'utf8'));
}

/** Returns the text of HTML with its entities. */
function textOf(html: string): string {
  return html
    .replace(/<\/?(q|a|small)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function factsOf(folder: string): ReportFacts {
  return JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as ReportFacts;
}

async function pdfOf(
  pages: readonly (readonly string[])[],
  fontName = StandardFonts.Helvetica,
): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(fontName);
  for (const lines of pages) {
    const page = document.addPage([300, 200]);
    for (const [index, line] of lines.entries())
      page.drawText(line, { x: 20, y: 150 - 30 * index, size: 18, font });
  }
  return document.save();
}
