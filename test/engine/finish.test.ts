import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { PDFDocument } from '@cantoo/pdf-lib';
import { BrowserWindow, type PrintToPDFOptions } from 'electron';
import { loadSharp } from '../../main/output/image/sharp.ts';
import { paintPages } from '../../main/output/finish/layers/page-colours.ts';
import { placeOnPaper } from '../../main/output/finish/layers/place-pages.ts';
import { stampPages } from '../../main/output/finish/stamps/stamps.ts';
import { plainPdf } from '../../main/output/uploaded-pdf/plain-pdf.ts';
import { placeHeaderFooter } from '../../main/output/finish/layers/header-footer.ts';
// Registers what Electron needs before its ready event. All test files of the suite run in one Electron process.
import '../support/service/engine.ts';
import { assertValid, pixels, saveDocument, webLinks } from '../support/output/finished-pdf.ts';
import { pdfFacts, pdfText } from '../support/output/pdf.ts';

async function print(html: string, options: PrintToPDFOptions = {}): Promise<PDFDocument> {
  const window = new BrowserWindow({ show: false, webPreferences: { offscreen: { deviceScaleFactor: 1 } } });
  try {
    await window.loadURL(`data:text/html;charset=utf-8,${encodeURIComponent(html)}`);
    const settings = { printBackground: true, preferCSSPageSize: true, ...options };
    return await PDFDocument.load(await window.webContents.printToPDF(settings), { updateMetadata: false });
  } finally {
    window.destroy();
  }
}

/** Two pages of 400 by 300 points: a heading, links, a blue block 100 points from the top, and a gradient 200 points from it. */
const body = `<!doctype html><title>t</title><style>@page{size:400pt 300pt;margin:0}body{margin:0}
  div{position:absolute;left:100pt;width:100pt;height:50pt}</style>
  <h1 style="margin:0">Heading</h1><p><a href="https://example.com/body">link</a> <a href="#there">in</a></p>
  <div style="top:100pt;background:blue"></div><div style="top:200pt;background:linear-gradient(90deg,red,blue)"></div>
  <p id="there" style="break-before:page">second</p>`;

const footerHtml = (texts: readonly string[]) => `<!doctype html><style>@page{size:400pt 20pt;margin:0}
  body{margin:0;font:10pt sans-serif}p{margin:0;height:20pt;overflow:hidden;break-after:page}p:last-child{break-after:auto}</style>
  ${texts.map((text) => `<p>${text}</p>`).join('')}`;

/** Adds footers, a watermark, a background and a page colour in the same order as the service. */
async function finish(document: PDFDocument): Promise<void> {
  const footers = await print(
    footerHtml(['Foot 1 <a href="https://example.com/foot">web</a>', '', 'Foot 3']),
  );
  assert.equal(footers.getPageCount(), 3);
  const place = { left: 0, bottom: 10, width: 400, height: 20 };
  const placements = [
    { ...place, page: 0 },
    { ...place, page: 2 },
  ];
  await placeHeaderFooter(document, { kind: 'Footer', pdf: await saveDocument(footers), places: placements });
  const clear = { width: 8, height: 6, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } } as const;
  const watermark = await loadSharp()({ create: clear }).png().toBuffer();
  const letterhead = await print(
    `<!doctype html><style>@page{size:400pt 300pt;margin:0}body{margin:0}
      div{position:absolute;top:80pt;left:80pt;width:200pt;height:40pt;background:lime}</style><div></div>`,
    { generateTaggedPDF: true },
  );
  const plain = await plainPdf(await saveDocument(letterhead), { maxPages: 1, maxObjects: 1000 });
  await stampPages(document, [
    { name: 'page_watermark', bytes: watermark, position: 'over', multipage: false },
    { name: 'page_background', bytes: plain.bytes, position: 'under', multipage: false },
  ]);
  paintPages(document, () => 'FFFF00');
}

test('headers, footers and watermarks are over the content, backgrounds and colours under it', async () => {
  const document = await print(body);
  await finish(document);
  const pdf = await saveDocument(document);
  assertValid(pdf);
  assert.equal(pdfFacts(pdf).pages, 2);
  assert.match(pdfText(pdf, 1), /^Heading link in Foot 1 web$/);
  assert.match(pdfText(pdf, 2), /^second Foot 3$/);
  const image = await pixels(document);
  const colours = { content: image.at(150, 105), letterhead: image.at(90, 110), colour: image.at(395, 5) };
  assert.ok(isNear(colours.content, [128, 0, 127], 4), `content ${String(colours.content)}`);
  assert.ok(isNear(colours.letterhead, [128, 127, 0], 4), `letterhead ${String(colours.letterhead)}`);
  assert.ok(isNear(colours.colour, [255, 127, 0], 4), `colour ${String(colours.colour)}`);
});

test('links of the content, headers and footers are where they are visible', async () => {
  const document = await print(body);
  await finish(document);
  const [bodyLink, foot] = webLinks(document);
  assert.equal(bodyLink?.url, 'https://example.com/body');
  assert.equal(foot?.url, 'https://example.com/foot');
  const [left = 0, bottom = 0, right = 0, top = 0] = foot.box;
  assert.ok(left > 20 && right < 60 && bottom >= 10 && top <= 30, foot.box.join());
});

test('a tagged document keeps its structure when it is placed on paper and finished', async () => {
  const tagged = { generateTaggedPDF: true, generateDocumentOutline: true };
  const document = await print(body, tagged);
  const before = structure(await saveDocument(document));
  assert.match(before, /H1[\s\S]*Heading[\s\S]*second/);
  const paper = { width: 5, height: 4 };
  placeOnPaper(document, { scale: 0.8, paper, left: 0.2, bottom: 0.3 });
  await finish(document);
  const pdf = await saveDocument(document);
  assert.equal(structure(pdf), before);
  assertValid(pdf);
});

test('a page that is placed on paper keeps its gradients and links', async () => {
  const document = await print(body);
  placeOnPaper(document, { scale: 2, paper: { width: 12, height: 10 }, left: 0.5, bottom: 0.25 });
  const image = await pixels(document);
  // The upper left corner of the page is 36 points from the left and 102 from the top.
  const first = image.at(36 + 205, 102 + 450);
  const last = image.at(36 + 395, 102 + 450);
  assert.ok(
    isNear(first, [250, 0, 5], 12) && isNear(last, [5, 0, 250], 12),
    `${first.join()} ${last.join()}`,
  );
  const [link] = webLinks(await print(body));
  const [placed] = webLinks(document);
  const expected = link?.box.map((value, index) => value * 2 + (index % 2 === 0 ? 36 : 18)) ?? [];
  placed?.box.forEach((value, index) => {
    assert.ok(
      Math.abs(value - (expected[index] ?? NaN)) <= 2,
      `${placed.box.join()} is not ${expected.join()}`,
    );
  });
  assert.ok(placed);
});

/** Returns the structure elements of a tagged PDF and their text, as pdfinfo prints them. */
function structure(pdf: Buffer): string {
  return spawnSync('pdfinfo', ['-struct-text', '-'], { input: pdf }).stdout.toString();
}

function isNear(colour: readonly number[], expected: readonly number[], tolerance: number): boolean {
  return colour.every((channel, index) => Math.abs(channel - (expected[index] ?? NaN)) <= tolerance);
}
