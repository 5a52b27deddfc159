/** The effect of a page's @page rules on the paper of the PDF. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { convert, send, type Fields } from '../../support/service/convert.ts';
import { pdfSizes, pdfText, pdfWords } from '../../support/output/pdf.ts';
import type { Colour } from '../../support/output/image.ts';
import { assertNear, findColour } from '../../support/output/find-colour.ts';
import type { Service } from '../../support/service/service.ts';
import { defaultService } from '../../support/service/default-service.ts';

let service: Service;
before(async () => {
  service = await defaultService();
});

const red: Colour = [255, 0, 0];
const mode2 = { css_page_rule_mode: 'mode2' };
const block = '<div style="background:#f00;height:30px"></div>';
const withRules = (css: string, body = block) =>
  `<!doctype html><style>body { margin: 0 } ${css}</style>${body}`;

/** Returns the sizes of all pages in whole points. */
async function sizes(text: string, fields: Fields = {}): Promise<string[]> {
  return pdfSizes(await convert(service, { text, ...fields }));
}

describe('without options for the paper,', () => {
  test('the @page rules of the page determine the paper and the scale', async () => {
    const pdf = await convert(service, {
      text: withRules(
        '@page { size: 1280px 720px; margin: 0 }',
        '<div style="width:1280px;height:720px;background:#f00">slide</div>'.repeat(3),
      ),
    });
    assert.deepEqual(pdfSizes(pdf), ['960 x 540', '960 x 540', '960 x 540']);
    const found = await findColour(pdf, red);
    assertNear(found?.right, 960);
    assertNear(found?.bottom, 540);
  });

  test('@page rules can have page names, single lengths, orientations, layers and conditions', async () => {
    const cases: readonly (readonly [css: string, size: string])[] = [
      ['@page { size: a5 landscape }', '595 x 420'],
      ['@page { size: 4in }', '288 x 288'],
      ['@page { size: landscape }', '842 x 595'],
      ['@page { size: calc(2in + 1in) 10cm }', '216 x 283'],
      ['body { page: x } @page x { size: a5 } @page { size: landscape }', '420 x 595'],
      ['@media screen { @page { size: a5 } } @media print { @page { size: a3 } }', '420 x 595'],
      [
        '@supports (display: grid) { @page { size: a5 } } @supports (display: no) { @page { size: a3 } }',
        '420 x 595',
      ],
      ['@page { size: a5 } @layer x { @page { size: a3 } }', '420 x 595'],
      ['@layer x, y; @layer y { @page { size: a5 } } @layer x { @page { size: a3 } }', '420 x 595'],
      ['@page { size: a5 !important } @page { size: a3 }', '420 x 595'],
      ['body { page: slide } @page slide { size: a5 }', '420 x 595'],
      ['@page { size: a5; margin: 9in }', '595 x 842'],
      ['@page { margin: 2in }', '595 x 842'],
      ['@page { size: auto }', '595 x 842'],
    ];
    for (const [css, size] of cases) assert.deepEqual(await sizes(withRules(css)), [size], css);
  });

  test('@page rules for other media are ignored, and rules for print apply with use_print_media', async () => {
    const text = '<style media="print">@page { size: a5 }</style>'.concat(block);
    assert.deepEqual(await sizes(text), ['595 x 842']);
    assert.deepEqual(await sizes(text, { use_print_media: true }), ['420 x 595']);
  });

  test('@page rules in custom_css, and rules that scripts add, apply as well', async () => {
    assert.deepEqual(await sizes(block, { custom_css: '@page { size: a5 }' }), ['420 x 595']);
    const script =
      'document.head.append(Object.assign(document.createElement("style"), { textContent: "@page { size: a5 }" }))';
    assert.deepEqual(await sizes(`${block}<script>${script}</script>`), ['420 x 595']);
  });

  test('pages with a named @page rule have the size in the rule', async () => {
    const css = '@page { size: a5 } @page wide { size: a4 landscape } .wide { page: wide }';
    assert.deepEqual(await sizes(withRules(css, `${block}<div class="wide">wide</div>${block}`)), [
      '420 x 595',
      '842 x 595',
      '420 x 595',
    ]);
  });

  test('a layout as wide as content_viewport_width fills the paper of the @page rules', async () => {
    const text = withRules(
      '@page { size: 10in 5in; margin: 0 }',
      '<div style="width:1000px;height:30px;background:#f00"></div>',
    );
    const found = await findColour(await convert(service, { text, content_viewport_width: 2000 }), red);
    assertNear(found?.right, 360);
  });

  test('the header and the footer are between the margins of the @page rules and the content', async () => {
    const text = withRules('@page { size: 6in 4in; margin: 1in }', '<p>Body');
    const words = pdfWords(await convert(service, { text, header_html: 'Head', footer_html: 'Foot' }));
    const top = (word: string) => words.find(({ text: found }) => found === word)?.top ?? 0;
    assert.deepEqual(await sizes(text, { header_html: 'Head', footer_html: 'Foot' }), ['432 x 288']);
    assert.ok(top('Head') > 70 && top('Head') < 108, `header at ${top('Head')}`);
    assert.ok(top('Body') > 108, `content at ${top('Body')}`);
    assert.ok(top('Foot') > 288 - 72 - 36 - 1 && top('Foot') < 288 - 72, `footer at ${top('Foot')}`);
  });

  test('any option for the paper or the margins overrides the @page rules', async () => {
    const text = withRules('@page { size: a5 }');
    for (const fields of [
      { page_size: 'A4' },
      { orientation: 'portrait' },
      { margin_top: '1in' },
      { no_margins: true },
      { css_page_rule_mode: 'default' },
      { css_page_rule_mode: 'mode1' },
    ])
      assert.deepEqual(await sizes(text, fields), ['595 x 842'], JSON.stringify(fields));
  });
});

describe('css_page_rule_mode=mode2', () => {
  test('results in the same paper at any layout width', async () => {
    const cases: readonly (readonly [css: string, size: string])[] = [
      ['@page { size: auto; margin: 1in }', '360 x 504'],
      ['@page { size: landscape }', '504 x 360'],
      ['@page { size: a5; margin: 9in }', '360 x 504'],
      ['html { display: none } @page { margin: 1in }', '360 x 504'],
      ['body { page: a } @page a { size: landscape }', '504 x 360'],
    ];
    const named = { ...mode2, page_width: '5in', page_height: '7in' };
    for (const [css, size] of cases)
      for (const width of [{}, { content_viewport_width: 1500 }, { content_viewport_width: 'balanced' }])
        assert.deepEqual(
          await sizes(withRules(css), { ...named, ...width }),
          [size],
          `${css} ${JSON.stringify(width)}`,
        );
  });

  test('applies in combination with no-scaling, single-page and contents_matrix', async () => {
    const text = withRules(
      '@page { size: 6in 4in; margin: 1in }',
      '<div style="width:96px;height:96px;background:#f00"></div>',
    );
    for (const fields of [
      { content_fit_mode: 'no-scaling' },
      { content_fit_mode: 'single-page', content_viewport_width: 384 },
      { contents_matrix: '1,0,0,0,1,0' },
    ]) {
      const pdf = await convert(service, { text, ...mode2, ...fields });
      assert.deepEqual(pdfSizes(pdf), ['432 x 288'], JSON.stringify(fields));
      const found = await findColour(pdf, red);
      assertNear(found?.left, 72);
      assertNear(found?.top, 72);
      assertNear((found?.right ?? 0) - (found?.left ?? 0), 72);
    }
  });

  test('with content_viewport_width=balanced lays out the page for the paper of its @page rules', async () => {
    const text = withRules(
      '@page { size: 6in 4in; margin: 1in }',
      '<div style="width:384px;height:30px;background:#f00"></div><script>document.write(innerWidth)</script>',
    );
    const found = await findColour(
      await convert(service, { text, ...mode2, content_viewport_width: 'balanced' }),
      red,
    );
    assertNear(found?.left, 72);
    assertNear(found?.right, 72 + 288);
  });

  test('makes the header and the footer as wide as the page that they are on', async () => {
    const css = '@page { size: a5; margin: 1in } @page wide { size: a4 landscape } .wide { page: wide }';
    const text = withRules(css, `${block}<div class="wide">wide</div>`);
    const pdf = await convert(service, {
      text,
      ...mode2,
      header_html: '<body style="margin:0;text-align:right">HEAD',
    });
    assert.deepEqual(pdfSizes(pdf), ['420 x 595', '842 x 595']);
    const rights = [1, 2].map((page) => pdfWords(pdf, page).find(({ text: word }) => word === 'HEAD')?.right);
    assertNear(rights[0], 420 - 72, 3);
    assertNear(rights[1], 842 - 72, 3);
  });
});

test('an empty document has the paper that the options specify', async () => {
  const text = '<style>html { display: none }</style>x';
  assert.deepEqual(await sizes(text), ['595 x 842']);
  assert.deepEqual(await sizes(text, { page_size: 'A5', margin_left: '1in' }), ['420 x 595']);
});

test('a table head is split at a page end only if the styles of the page allow this', async () => {
  const rows = '<tr><td>row</td></tr>'.repeat(3);
  const head = `<thead><tr><th>${'<p style="height:3in;margin:0">part</p>'.repeat(3)}</th></tr></thead>`;
  const text = (css: string) =>
    `<style>body { margin: 0 } ${css}</style><p style="height:4in">before</p><table>${head}${rows}</table>`;
  const fields = { page_width: '5in', page_height: '8in', no_margins: true, content_viewport_width: 480 };
  const whole = pdfText(await convert(service, { text: text(''), ...fields }), 1);
  const broken = pdfText(
    await convert(service, { text: text('thead { break-inside: auto }'), ...fields }),
    1,
  );
  assert.ok(!whole.includes('part'), whole);
  assert.ok(broken.includes('part'), broken);
});

test('@page rules never override options, not even with !important', async () => {
  const text = withRules('@page { size: a5 !important; margin: 3in !important }');
  const pdf = await convert(service, { text, page_size: 'A4', no_margins: true });
  assert.deepEqual(pdfSizes(pdf), ['595 x 842']);
  assertNear((await findColour(pdf, red))?.left, 0);
});

test('internal links lead to their targets on the paper of the @page rules', async () => {
  const text = withRules(
    '@page { size: 6in 4in; margin: 1in }',
    '<a href="#t">to</a><p style="break-before:page;margin:96px 0 0" id="t">target',
  );
  const pdf = (await convert(service, { text })).toString('latin1');
  const place = /\/XYZ ([\d.]+) ([\d.]+)/.exec(pdf);
  assertNear(Number(place?.[1]), 72, 2);
  assertNear(Number(place?.[2]), 288 - 72 - 72, 2);
});

test('the debug log shows the paper of the @page rules, with a note unless the request selects mode2', async () => {
  const text = '<style>@page { size: 6in 4in; margin: 1in }</style>x';
  const layoutOf = async (fields: Fields) => {
    const { headers } = await send(service, { text, debug_log: true, ...fields });
    const log = await fetch(headers.get('x-service-debug-log') ?? '', {
      headers: { accept: 'application/json' },
    });
    const { events } = (await log.json()) as { events: readonly { kind: string; text: string }[] };
    const layout = events.find(({ kind }) => kind === 'layout')?.text;
    return { layout, notes: events.filter(({ kind }) => kind === 'note').map((note) => note.text) };
  };
  const followed = await layoutOf({});
  assert.match(followed.layout ?? '', /\b384 px wide, .* 1\.000, paper 6\.00 x 4\.00 in\.$/);
  assert.ok(followed.notes.some((note) => note.includes('6.00 x 4.00 in')));
  const requested = await layoutOf({ ...mode2, page_size: 'A4' });
  assert.match(requested.layout ?? '', /paper 6\.00 x 4\.00 in\.$/);
  assert.deepEqual(requested.notes, []);
});
