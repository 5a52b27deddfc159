/** Two documents, each in two forms: an archive and the same page in one file; a template with data and its result. */
import sharp from 'sharp';
import { randomOf } from '../../soak/random.ts';
import { pdfOf, type BenchDocument } from './document.ts';
import { openProse, page } from './prose.ts';

/** An archive of 50 files: the page, a style sheet and 48 images. */
export async function brochure(): Promise<BenchDocument> {
  const { files, html } = await brochureParts((path) => path);
  return brochureOf({ name: 'brochure', title: 'brochure, archive of 50 files', html, by: 'archive', files });
}

/** The brochure as one HTML text. */
export async function inlineBrochure(): Promise<BenchDocument> {
  const { html } = await brochureParts((_path, url) => url);
  return brochureOf({ name: 'brochure-inline', title: 'brochure, one file', html });
}

function brochureOf(parts: Pick<BenchDocument, 'name' | 'title' | 'html' | 'by' | 'files'>): BenchDocument {
  return { ...parts, scripts: false, expected: pdfOf(2, 4), long: false };
}

interface BrochureParts {
  readonly html: string;
  readonly files: Readonly<Record<string, Buffer>>;
}

async function brochureParts(addressOf: (path: string, dataUrl: string) => string): Promise<BrochureParts> {
  const { paragraph } = openProse(9);
  const icons = await Promise.all(
    Array.from(
      { length: 48 },
      async (_, index) => [`icons/${index + 1}.png`, await icon(index + 1)] as const,
    ),
  );
  const item = ([path, bytes]: readonly [string, Buffer]) =>
    `<section><img src="${addressOf(path, dataUrl('image/png', bytes))}">${paragraph(1)}</section>`;
  const sheet = Buffer.from(
    'section { float: left; width: 48%; margin: 4px 1% } img { float: left; margin: 4px }',
  );
  const link = `<link rel="stylesheet" href="${addressOf('style.css', dataUrl('text/css', sheet))}">`;
  const html = page('Brochure', '', `${link}<h1>Brochure</h1>${icons.map(item).join('')}`);
  return { html, files: { 'style.css': sheet, ...Object.fromEntries(icons) } };
}

function dataUrl(type: string, bytes: Buffer): string {
  return `data:${type};base64,${bytes.toString('base64')}`;
}

const lines = 12_000;

/** A template with 5 MB of data. It shows each record, but not all its values. */
export function statement(): BenchDocument {
  const records = Array.from({ length: lines }, (_, index) => recordOf(index));
  const html = statementPage(
    '{% for line in lines %}<tr><td>{{ line.date }}<td>{{ line.text }}<td>{{ line.sum }}{% endfor %}',
  );
  return {
    ...filledStatement(),
    name: 'statement',
    title: 'statement, template with 5 MB of data',
    html,
    fields: { data_string: JSON.stringify({ lines: records }), data_format: 'json' },
  };
}

/** The same document without a template. */
export function filledStatement(): BenchDocument {
  const rows = Array.from({ length: lines }, (_, index) => {
    const { date, text, sum } = recordOf(index);
    return `<tr><td>${date}<td>${text}<td>${sum}`;
  });
  return {
    name: 'statement-filled',
    title: 'statement, the same HTML',
    html: statementPage(rows.join('')),
    scripts: false,
    expected: pdfOf(100, 400),
    long: true,
  };
}

function statementPage(rows: string): string {
  const style = 'table { width: 100%; border-collapse: collapse } td { border-bottom: 1px solid #ddd }';
  return page('Statement', style, `<h1>Statement</h1><table><tbody>${rows}</table>`);
}

function recordOf(index: number) {
  const random = randomOf(index + 1);
  return {
    date: `2026-${String((index % 12) + 1).padStart(2, '0')}-${String((index % 28) + 1).padStart(2, '0')}`,
    text: `Payment ${1000 + index}`,
    sum: Math.floor(random() * 100_000) / 100,
    account: `DE${String(Math.floor(random() * 1e15)).padStart(20, '0')}`,
    // Not shown.
    remark: 'Reference of the customer, as it was received with the payment. '.repeat(5),
  };
}

/** Returns a PNG of 32 x 32 pixels with some noise. */
async function icon(seed: number): Promise<Buffer> {
  const random = randomOf(seed);
  const raw = { width: 32, height: 32, channels: 3 } as const;
  const pixels = Buffer.from(Array.from({ length: 32 * 32 * 3 }, () => 100 + random() * 100));
  return await sharp(pixels, { raw }).png().toBuffer();
}
