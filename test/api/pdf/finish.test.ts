/** The finishing steps of a printed PDF, checked with programs that are independent of the service. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { PDFDict, PDFDocument, PDFName, PDFNumber } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { convert, htmlFile, refusal } from '../../support/service/convert.ts';
import { pdfFacts, pdfTags, pdfText } from '../../support/output/pdf.ts';
import type { Service } from '../../support/service/service.ts';
import { defaultService } from '../../support/service/default-service.ts';
import { assertNear, findColour } from '../../support/output/find-colour.ts';
import { serveWeb } from '../../support/servers/web-server.ts';

let service: Service;
const folder = mkdtempSync(join(tmpdir(), 'platen-finish-'));
before(async () => {
  service = await defaultService();
});
after(() => {
  rmSync(folder, { recursive: true, force: true });
});

const pages = (count: number) =>
  Array.from({ length: count }, (_, index) => `<p style="break-after: page">Body ${index + 1}</p>`).join('');

/** Runs a program with a PDF, whose path replaces the first parameter `-`. Returns standard output and standard error. */
function outputOf(program: string, parameters: readonly string[], pdf: Buffer): string {
  const path = join(folder, 'judged.pdf');
  writeFileSync(path, pdf);
  const first = parameters.indexOf('-');
  const { stdout, stderr } = spawnSync(program, parameters.with(first, path));
  return stdout.toString() + stderr.toString();
}

const coloured = (colour: string, width = 100, height = 100) =>
  sharp({ create: { width, height, channels: 4, background: colour } })
    .png()
    .toBuffer();

async function sheetsOf(...words: string[]): Promise<Uint8Array<ArrayBuffer>> {
  const document = await PDFDocument.create();
  for (const word of words) document.addPage([595.28, 841.89]).drawText(word, { x: 300, y: 400 });
  return new Uint8Array(await document.save());
}

async function catalogueOf(pdf: Buffer): Promise<string> {
  return (await PDFDocument.load(pdf)).catalog.toString();
}

describe('an encrypted document', () => {
  test('opens only with its passwords, and has the requested permissions', async () => {
    const pdf = await convert(service, {
      text: pages(3),
      footer_html: 'Foot',
      user_password: 'öffnen',
      owner_password: 'owner',
      no_print: true,
      no_copy: true,
      linearize: true,
    });
    assert.match(outputOf('qpdf', ['--check', '-'], pdf), /invalid password/);
    const facts = outputOf('qpdf', ['--password=owner', '--show-encryption', '-'], pdf);
    assert.match(facts, /R = 6/);
    assert.match(facts, /extract for any purpose: not allowed/);
    assert.match(facts, /print high resolution: not allowed/);
    assert.match(facts, /modify anything: allowed/);
    assert.match(
      outputOf('qpdf', ['--password=öffnen', '--check', '-'], pdf),
      /File is linearized[\s\S]*No syntax/,
    );
    assert.match(outputOf('pdftotext', ['-upw', 'öffnen', '-', '-'], pdf), /Body 1[\s\S]*Foot/);
  });

  test('can have no passwords', async () => {
    const pdf = await convert(service, { text: 'Body', encrypt: true });
    assert.match(outputOf('qpdf', ['--show-encryption', '-'], pdf), /R = 6[\s\S]*modify anything: allowed/);
  });
});

test('with linearize, a document is linearised and complete', async () => {
  const pdf = await convert(service, { text: pages(20), linearize: true });
  assert.match(
    outputOf('qpdf', ['--check', '-'], pdf),
    /File is linearized\n[\s\S]*No syntax or stream encoding errors/,
  );
  assert.equal(pdfFacts(pdf).pages, 20);
});

describe('the document information', () => {
  test('comes from the options, in any script', async () => {
    const facts = { title: 'Größe „A“ 漢字', author: 'Ä. Müller', subject: 'Über', keywords: 'eins, zwei' };
    const info = outputOf(
      'pdfinfo',
      ['-'],
      await convert(service, { text: '<title>Other</title>x', ...facts }),
    );
    assert.match(info, /Title: +Größe „A“ 漢字\n/);
    assert.match(info, /Subject: +Über\n/);
    assert.match(info, /Keywords: +eins, zwei\n/);
    assert.match(info, /Author: +Ä\. Müller\n/);
  });

  test('has the title of the page, and the contents of its meta tags with extract_meta_tags', async () => {
    const text = `<title>Own title</title><meta name="Author" content="Meta Author"><meta name="keywords" content="a, b">
      <meta name="description" content="Described">Body`;
    const defaultInfo = outputOf('pdfinfo', ['-'], await convert(service, { text }));
    assert.match(defaultInfo, /Title: +Own title/);
    assert.doesNotMatch(defaultInfo, /Meta Author/);
    const info = outputOf(
      'pdfinfo',
      ['-'],
      await convert(service, { text, extract_meta_tags: true, keywords: 'given' }),
    );
    assert.match(info, /Author: +Meta Author/);
    assert.match(info, /Subject: +Described/);
    assert.match(info, /Keywords: +given/);
  });
});

test('a document has the viewer preferences that the options specify', async () => {
  const fields = { page_layout: 'two-column-right', page_mode: 'thumbnails', initial_page: 2 };
  const flags = {
    hide_toolbar: true,
    display_title: true,
    right_to_left: true,
    initial_zoom_type: 'fit-page',
  };
  const document = await PDFDocument.load(await convert(service, { text: pages(3), ...fields, ...flags }));
  const { catalog } = document;
  assert.equal(catalog.get(PDFName.of('PageLayout')), PDFName.of('TwoColumnRight'));
  assert.equal(catalog.get(PDFName.of('PageMode')), PDFName.of('UseThumbs'));
  const preferences = catalog.lookup(PDFName.of('ViewerPreferences'), PDFDict).toString();
  assert.match(preferences, /HideToolbar true[\s\S]*DisplayDocTitle true[\s\S]*Direction \/R2L/);
  const opening = String(catalog.lookup(PDFName.of('OpenAction')));
  assert.equal(opening, `[ ${document.getPage(1).ref.toString()} /Fit ]`);
  const zoomed = await catalogueOf(await convert(service, { text: 'x', initial_zoom: 150 }));
  assert.match(zoomed, /\/XYZ null null 1\.5/);
});

describe('watermarks and backgrounds', () => {
  test('are painted over and under every page', async () => {
    const text = `<style>body { margin: 0 }</style>${pages(2)}<div style="background:#00ff00;height:200px"></div>`;
    const watermark = htmlFile(new Uint8Array(await coloured('#ff000080', 595, 842)), 'mark.png');
    const over = await convert(service, { text, page_watermark: watermark });
    for (const page of [1, 2, 3])
      assertNear((await findColour(over, [255, 127, 127], page))?.right, 595.28, 2);
    assert.ok(await findColour(over, [128, 127, 0], 3), 'the watermark is not over the content of the page');
    const background = htmlFile(new Uint8Array(await coloured('#0000ff', 595, 842)), 'ground.png');
    const under = await convert(service, { text, page_background: background });
    assert.ok(await findColour(under, [0, 0, 255], 1));
    assert.ok(await findColour(under, [0, 255, 0], 3), 'the background is not under the content of the page');
    assert.match(outputOf('qpdf', ['--check', '-'], over), /No syntax/);
  });

  test('with several pages apply page by page; their last page applies to all remaining pages', async () => {
    const sheets = htmlFile(await sheetsOf('First', 'Second'), 'sheets.pdf');
    for (const option of ['multipage_watermark', 'multipage_background']) {
      const pdf = await convert(service, { text: pages(3), [option]: sheets });
      const words = [1, 2, 3].map((page) => /First|Second/.exec(pdfText(pdf, page))?.[0]);
      assert.deepEqual(words, ['First', 'Second', 'Second'], option);
    }
    const same = await convert(service, { text: pages(2), page_watermark: sheets });
    assert.match(pdfText(same, 2), /First/);
  });

  test('can be loaded from a URL', async () => {
    const sheets = Buffer.from(await sheetsOf('Fetched'));
    await using web = await serveWeb({
      '/sheet.pdf': (_, response) => response.setHeader('content-type', 'application/pdf').end(sheets),
    });
    const pdf = await convert(service, { text: 'Body', page_background_url: `${web.url}/sheet.pdf` });
    assert.match(pdfText(pdf), /Fetched/);
    const missing = await refusal(service, { text: 'Body', page_watermark_url: `${web.url}/gone.pdf` });
    assert.match(missing, /^400\.321 - The address of page_watermark_url was answered with status 404/);
  });

  test('that are neither a PDF nor an image are refused with a message that names the option', async () => {
    const answer = await refusal(service, { text: 'Body', page_watermark: htmlFile('hello', 'mark.txt') });
    assert.match(answer, /^400\.311 - .*page_watermark/);
  });

  test('include page_background_color, which fills the page including its margins', async () => {
    const pdf = await convert(service, {
      text: pages(2),
      page_background_color: 'ffEEcc',
      footer_html: 'Foot',
    });
    const found = await findColour(pdf, [255, 238, 204], 2);
    assert.deepEqual([found?.left, found?.top], [0, 0]);
    assertNear(found?.right, 595.28);
    assertNear(found?.bottom, 841.89);
  });
});

describe('images in a document', () => {
  test('can be scaled down, converted to JPEG or compressed more', async () => {
    const noise = Buffer.from(Array.from({ length: 400 * 400 * 3 }, (_, index) => (index * 7919) % 251));
    const raw = { width: 400, height: 400, channels: 3 } as const;
    const jpeg = (await sharp(noise, { raw }).jpeg({ quality: 95 }).toBuffer()).toString('base64');
    const png = (await sharp(noise, { raw }).png().toBuffer()).toString('base64');
    const text = `<img src="data:image/jpeg;base64,${jpeg}" width="96"><img src="data:image/png;base64,${png}" width="96">`;
    const fields = { text, content_fit_mode: 'no-scaling' };
    const list = async (more: object) => {
      const rows = outputOf(
        'pdfimages',
        ['-list', '-'],
        await convert(service, { ...fields, ...more }),
      ).split('\n');
      return rows.slice(2).flatMap((row) => {
        const [, , type, width, , , , , encoding] = row.trim().split(/\s+/);
        return type === 'image' ? [`${String(encoding)} ${String(width)}`] : [];
      });
    };
    assert.deepEqual((await list({})).sort(), ['image 400', 'jpeg 400']);
    assert.deepEqual(await list({ convert_images_to_jpeg: 'opaque' }), ['jpeg 400', 'jpeg 400']);
    const small = await list({ image_dpi: 150 });
    assert.ok(
      small.every((row) => row.endsWith(' 150')),
      small.join(),
    );
    const fine = await convert(service, fields);
    const poor = await convert(service, { ...fields, jpeg_quality: 20 });
    assert.ok(poor.length < fine.length);
  });
});

describe('a document with headings', () => {
  const text = '<html lang="en"><title>T</title><h1>Heading one</h1><p>Text</p><h2>Heading two</h2>';

  test('has tags for its headings with tagged, but no tags for the page header', async () => {
    assert.equal(pdfTags(await convert(service, { text })), '');
    const tags = pdfTags(
      await convert(service, { text, tagged: true, header_html: 'Head', print_page_range: '1' }),
    );
    assert.match(tags, /H1.*"Heading one".*H2/);
    assert.doesNotMatch(tags, /Head"/);
  });

  test('has bookmarks for its headings with outline', async () => {
    const pdf = await convert(service, { text, outline: true });
    const document = await PDFDocument.load(pdf);
    const outline = document.catalog.lookup(PDFName.of('Outlines'), PDFDict);
    const first = outline.lookup(PDFName.of('First'), PDFDict);
    assert.match(String(first.get(PDFName.of('Title'))), /Heading one|004800650061/);
    assert.equal(
      String(outline.get(PDFName.of('First'))),
      String(first.lookup(PDFName.of('First'), PDFDict).get(PDFName.of('Parent'))),
    );
    assert.ok(first.lookup(PDFName.of('Count'), PDFNumber));
  });

  test('has the words of headings as titles, also over several lines', async () => {
    const headings = `<h1 style="width: 90px">alpha beta gamma<br>delta</h1><p>x<h2 style="width: 60px"><span style="display: block">two</span>blocks and
      words</h2><h2 style="text-transform: uppercase; width: 60px">über  die Brücke</h2><h2>twins</h2><h2>twins</h2>`;
    const pdf = await convert(service, { text: headings, outline: true });
    const outlines = outputOf('qpdf', ['--json', '--json-key=outlines', '-'], pdf);
    assert.deepEqual([...outlines.matchAll(/"title": "(.*?)"/g)].map(([, title]) => title).sort(), [
      'alpha beta gamma delta',
      'twins',
      'twins',
      'two blocks and words',
      'ÜBER DIE BRÜCKE',
    ]);
  });
});

test('with no_background, backgrounds are not printed', async () => {
  const text = '<div style="background:#ff0000;height:100px"></div>';
  assert.ok(await findColour(await convert(service, { text }), [255, 0, 0]));
  assert.equal(
    await findColour(await convert(service, { text, no_background: true }), [255, 0, 0]),
    undefined,
  );
});

test('a document with all finishing steps is valid', async () => {
  const pdf = await convert(service, {
    text: pages(12),
    header_html: 'Head',
    footer_html: '<span class="service-page-number"></span>',
    print_page_range: '2-9',
    page_watermark: htmlFile(await sheetsOf('Mark'), 'mark.pdf'),
    page_background_color: 'eeeeff',
    tagged: true,
    title: 'All',
    linearize: true,
    no_modify: true,
  });
  assert.match(
    outputOf('qpdf', ['--check', '-'], pdf),
    /File is linearized\n[\s\S]*No syntax or stream encoding errors/,
  );
  assert.match(pdfText(pdf, 8), /Head[\s\S]*Body 9[\s\S]*Mark|Body 9/);
  assert.equal(pdfFacts(pdf).pages, 8);
});
