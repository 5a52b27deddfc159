/** Documents whose @page rules give pages different paper or margins, with headers and footers. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { convert, send, type Fields } from '../../support/service/convert.ts';
import { pdfDestinations, pdfSizes, pdfWords } from '../../support/output/pdf.ts';
import { assertNear } from '../../support/output/find-colour.ts';
import type { Service } from '../../support/service/service.ts';
import { defaultService } from '../../support/service/default-service.ts';

let service: Service;
before(async () => {
  service = await defaultService();
});

const mm = 72 / 25.4;
/** The default heights of headers and footers. */
const halfInch = 36;
const a4 = { width: 210 * mm, height: 297 * mm };
const sameEdges = '<body style="margin:0;display:flex;justify-content:space-between">';
const header_html = `${sameEdges}<b>HL</b><b>HR</b>`;
const footer_html = `${sameEdges}<b>FL</b><b>FR</b>`;
const next = '<p style="break-before:page;margin:0">';
const page = (css: string, body: string) =>
  `<!doctype html><html lang="en"><title>t</title><style>body, p { margin: 0 } ${css}</style>${body}`;

interface Placed {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Returns the positions of the words of each page. */
async function pages(fields: Fields): Promise<{ pdf: Buffer; words: ReadonlyMap<string, Placed>[] }> {
  const pdf = await convert(service, fields);
  const words = pdfSizes(pdf).map(
    (_, index) => new Map(pdfWords(pdf, index + 1).map((word) => [word.text, word])),
  );
  return { pdf, words };
}

/** Asserts that the header, the footer and the text are between these margins, in points. */
function assertInside(
  words: ReadonlyMap<string, Placed> | undefined,
  margins: { top: number; right: number; bottom: number; left: number },
  { text, paper = a4 }: { text: string; paper?: { width: number; height: number } },
): void {
  const at = (word: string) => words?.get(word) ?? assert.fail(`${word} is not on the page`);
  for (const side of ['H', 'F']) {
    assertNear(at(`${side}L`).left, margins.left, 1.5);
    assertNear(at(`${side}R`).right, paper.width - margins.right, 1.5);
  }
  assert.ok(at('HL').top > margins.top - 2 && at('HL').bottom < margins.top + halfInch);
  assert.ok(at(text).top > margins.top + halfInch - 2 && at(text).top < margins.top + halfInch + 8);
  assertNear(at(text).left, margins.left, 1.5);
  const footerTop = paper.height - margins.bottom - halfInch;
  assert.ok(at('FL').top > footerTop - 2 && at('FL').bottom < footerTop + halfInch);
}

const even = (points: number) => ({ top: points, right: points, bottom: points, left: points });

describe('with a header and a footer,', () => {
  test('the first page has the margins of @page :first', async () => {
    const css = '@page { size: A4; margin: 20mm } @page :first { margin-top: 100mm }';
    const { words } = await pages({
      text: page(css, `ONE${next}TWO${next}THREE`),
      header_html,
      footer_html,
    });
    assertInside(words[0], { ...even(20 * mm), top: 100 * mm }, { text: 'ONE' });
    assertInside(words[1], even(20 * mm), { text: 'TWO' });
    assertInside(words[2], even(20 * mm), { text: 'THREE' });
  });

  test('a landscape section in the middle has its own paper, and a header and a footer of its width', async () => {
    const css =
      '@page { size: A4; margin: 15mm } @page plan { size: A3 landscape; margin: 10mm } .plan { page: plan }';
    const body = 'ONE<p class="plan">PLAN</p><p>TWO</p>';
    const { pdf, words } = await pages({ text: page(css, body), header_html, footer_html });
    assert.deepEqual(pdfSizes(pdf), ['595 x 842', '1191 x 842', '595 x 842']);
    assertInside(words[0], even(15 * mm), { text: 'ONE' });
    assertInside(words[1], even(10 * mm), { text: 'PLAN', paper: { width: 420 * mm, height: 297 * mm } });
    assertInside(words[2], even(15 * mm), { text: 'TWO' });
  });

  test('left and right pages have the margins of @page :left and :right, also from right to left', async () => {
    const css =
      '@page { size: A4; margin: 20mm } @page :left { margin-right: 50mm } @page :right { margin-left: 40mm }';
    const body = `ONE${next}TWO${next}THREE`;
    const left = { ...even(20 * mm), right: 50 * mm };
    const right = { ...even(20 * mm), left: 40 * mm };
    const { words } = await pages({ text: page(css, body), header_html, footer_html });
    assertInside(words[0], right, { text: 'ONE' });
    assertInside(words[1], left, { text: 'TWO' });
    assertInside(words[2], right, { text: 'THREE' });
    const turned = page(`${css} html { direction: rtl } body { direction: ltr }`, body);
    const { words: turnedWords } = await pages({ text: turned, header_html, footer_html });
    assertInside(turnedWords[0], left, { text: 'ONE' });
    assertInside(turnedWords[1], right, { text: 'TWO' });
  });

  test('named pages on the same paper have their own margins, and links lead to their places', async () => {
    const css = `@page { size: A4; margin: 20mm } @page cover { margin: 0 } @page tight { margin: calc(5% + 1mm) 1em }
      @page tight:left { margin-left: 30mm } .cover { page: cover } .tight { page: tight }`;
    const body = `<p class="cover">COVER <a href="#target">to</a></p><p class="tight">TIGHT</p>${next}TWO
      <p class="cover" id="target">BACK</p>`;
    const { pdf, words } = await pages({ text: page(css, body), header_html, footer_html });
    assert.deepEqual(pdfSizes(pdf), ['595 x 842', '595 x 842', '595 x 842', '595 x 842']);
    const widths = pdf.toString('latin1').matchAll(/\/MediaBox ?\[ ?0 0 ([\d.]+)/g);
    assert.equal(new Set([...widths].map(([, width]) => Number(width).toFixed(2))).size, 1);
    assertInside(words[0], even(0), { text: 'COVER' });
    const vertical = a4.height * 0.05 + mm;
    assertInside(words[1], { top: vertical, bottom: vertical, left: 30 * mm, right: 12 }, { text: 'TIGHT' });
    assertInside(words[2], even(20 * mm), { text: 'TWO' });
    assertInside(words[3], even(0), { text: 'BACK' });
    const [, left, top] = /\/XYZ ([\d.]+) ([\d.]+)/.exec(pdf.toString('latin1')) ?? [];
    assertNear(Number(left), 0, 2);
    assertNear(Number(top), a4.height - halfInch, 2);
    assert.deepEqual(pdfDestinations(pdf), ['4 target']);
  });

  test('@page rules win by importance and layer before specificity', async () => {
    const css = `@layer low { @page :first { margin: 50mm } } @page { size: A4; margin: 20mm }
      @page note { margin: 40mm } @page :left { margin-bottom: 60mm !important } .note { page: note }`;
    const { words } = await pages({
      text: page(css, 'ONE<p class="note">NOTE</p>'),
      header_html,
      footer_html,
    });
    assertInside(words[0], even(20 * mm), { text: 'ONE' });
    assertInside(words[1], { ...even(40 * mm), bottom: 60 * mm }, { text: 'NOTE' });
  });

  test('page ranges keep the box of each page, and options for header and footer apply to it', async () => {
    const css =
      '@page { size: A4; margin: 20mm } @page wide { size: A4 landscape; margin: 10mm } .wide { page: wide }';
    const text = page(css, `ONE${next}TWO<p class="wide">WIDE</p><p>THREE</p>`);
    const range = await pages({ text, header_html, footer_html, print_page_range: '3-' });
    assert.deepEqual(pdfSizes(range.pdf), ['842 x 595', '595 x 842']);
    assertInside(range.words[0], even(10 * mm), {
      text: 'WIDE',
      paper: { width: a4.height, height: a4.width },
    });
    assertInside(range.words[1], even(20 * mm), { text: 'THREE' });
    const wide = await pages({
      text,
      header_html,
      footer_html,
      no_header_footer_horizontal_margins: true,
      exclude_header_on_pages: '1',
    });
    const [first, , third] = wide.words;
    assert.ok(first !== undefined && !first.has('HL'));
    assertNear(first.get('ONE')?.top, 20 * mm + halfInch, 8);
    assertNear(third?.get('HR')?.right, a4.height, 1.5);
    assertNear(third?.get('FL')?.left, 0, 1.5);
  });

  test('conversion_config gives the whole first page to a cover, and other pages other heights', async () => {
    const css = '@page { size: A5; margin: 10mm } @page :first { margin: 0 }';
    const { pdf, words } = await pages({
      text: page(css, `COVER${next}TWO${next}THREE`),
      header_html,
      footer_html,
      conversion_config: JSON.stringify({
        pageSetup: [
          { pages: '1', displayHeader: 'none', displayFooter: 'none' },
          { pages: 'even', headerHeight: '2in' },
        ],
      }),
    });
    assert.deepEqual(pdfSizes(pdf), ['420 x 595', '420 x 595', '420 x 595']);
    assert.deepEqual([...(words[0]?.keys() ?? [])], ['COVER']);
    assertNear(words[0]?.get('COVER')?.top, 0, 8);
    assertNear(words[1]?.get('TWO')?.top, 10 * mm + 144, 8);
    assertNear(words[2]?.get('THREE')?.top, 10 * mm + halfInch, 8);
  });

  test('a page too low for both has neither, and the other pages keep them', async () => {
    const css =
      '@page { size: A5; margin: 5mm } @page strip { size: 4in 0.9in; margin: 0 } .strip { page: strip }';
    const { pdf, words } = await pages({
      text: page(css, 'ONE<p class="strip">STRIP</p>'),
      header_html,
      footer_html,
    });
    assert.deepEqual(pdfSizes(pdf), ['420 x 595', '288 x 65']);
    assert.deepEqual([...(words[1]?.keys() ?? [])], ['STRIP']);
    assert.equal(words[0]?.has('HL'), true);
  });

  test('a break before a right page prints each page in the box of its side', async () => {
    const css = '@page { size: A4; margin: 20mm } @page :left { margin-left: 60mm }';
    const body = 'ONE<p style="break-before:right">RIGHT</p><p style="break-before:page">LAST</p>';
    const fields = { text: page(css, body), header_html, footer_html, remove_blank_pages: 'none' };
    const { words } = await pages(fields);
    for (const [index, found] of words.entries())
      assertNear(found.get('HL')?.left, (index % 2 === 0 ? 20 : 60) * mm, 1.5);
  });

  test('tagged documents for PDF/UA keep the boxes of their pages', async () => {
    const css = '@page { size: A4; margin: 20mm } @page cover { margin: 5mm } .cover { page: cover }';
    const { pdf, words } = await pages({
      text: page(css, '<h1 class="cover">COVER</h1><p>TWO</p>'),
      header_html,
      footer_html,
      pdf_standard: 'pdfua-1',
    });
    assert.deepEqual(pdfSizes(pdf), ['595 x 842', '595 x 842']);
    assertNear(words[0]?.get('HL')?.left, 5 * mm, 1.5);
    assertInside(words[1], even(20 * mm), { text: 'TWO' });
  });
});

const boxes = `@page { size: A4; margin: 30mm } @page :first { margin: 50mm } @page wide { size: A4 landscape }
  .wide { page: wide }`;

test('css_page_rule_mode=mode2 positions header and footer by margin_top and margin_bottom, between the side margins of each page', async () => {
  const { pdf, words } = await pages({
    text: page(boxes, `ONE${next}TWO<p class="wide">WIDE</p>`),
    header_html,
    footer_html,
    css_page_rule_mode: 'mode2',
    margin_top: '5mm',
    margin_bottom: '7mm',
  });
  assert.deepEqual(pdfSizes(pdf), ['595 x 842', '595 x 842', '842 x 595']);
  const expected = [
    { text: 'ONE', margin: 50 * mm, width: a4.width, height: a4.height },
    { text: 'TWO', margin: 30 * mm, width: a4.width, height: a4.height },
    { text: 'WIDE', margin: 30 * mm, width: a4.height, height: a4.width },
  ];
  for (const [index, { text, margin, width, height }] of expected.entries()) {
    const at = (word: string) =>
      words[index]?.get(word) ?? assert.fail(`${word} is not on page ${index + 1}`);
    assertNear(at('HL').left, margin, 1.5);
    assertNear(at('HR').right, width - margin, 1.5);
    assertNear(at('HL').top, 5 * mm, 3);
    assert.ok(at('FL').top > height - 7 * mm - halfInch - 2 && at('FL').bottom < height - 7 * mm);
    assertNear(at(text).top, margin, 8);
    assertNear(at(text).left, margin, 1.5);
  }
});

test('css_page_rule_mode=mode1 and options for the paper give all pages the same box', async () => {
  for (const fields of [{ css_page_rule_mode: 'mode1' }, { page_size: 'A5' }]) {
    const text = page(boxes, `ONE${next}TWO<p class="wide">WIDE</p>`);
    const { pdf, words } = await pages({ text, header_html, footer_html, ...fields });
    assert.equal(new Set(pdfSizes(pdf)).size, 1);
    assert.equal(new Set(words.map((found) => Math.round(found.get('HL')?.left ?? 0))).size, 1);
    assertNear(words[0]?.get('HL')?.left, 28.8, 1.5);
  }
});

test('the debug log says that all pages have one box only if they do', async () => {
  const notesFor = async (fields: Fields) => {
    const { headers } = await send(service, {
      text: page(boxes, `ONE${next}TWO`),
      header_html,
      footer_html,
      debug_log: true,
      ...fields,
    });
    return headers.get('x-service-note-codes') ?? '';
  };
  assert.doesNotMatch(await notesFor({}), /option-without-effect/);
  assert.match(await notesFor({ content_area_x: '1mm' }), /option-without-effect/);
});

test('an image has the same size with and without rules for single pages', async () => {
  const image = (css: string) =>
    convert(service, { text: page(css, 'ONE<p class="wide">WIDE</p>'), output_format: 'png' });
  assert.deepEqual(await image(boxes), await image('.wide { page: wide }'));
});
