/** Reads PDF documents with poppler, independently of the service. */
import { spawnSync } from 'node:child_process';

export interface PdfFacts {
  readonly pages: number;
  /** The size of the first page in points. */
  readonly width: number;
  readonly height: number;
}

export function pdfFacts(pdf: Buffer): PdfFacts {
  const output = run('pdfinfo', ['-'], pdf).toString();
  const size = /^Page size:\s+([\d.]+) x ([\d.]+) pts/m.exec(output);
  return {
    pages: Number(/^Pages:\s+(\d+)/m.exec(output)?.[1]),
    width: Number(size?.[1]),
    height: Number(size?.[2]),
  };
}

/** Returns the displayed sizes of all pages in whole points, such as `595 x 842`. */
export function pdfSizes(pdf: Buffer): string[] {
  const output = run('pdfinfo', ['-f', '1', '-l', '9999', '-'], pdf).toString();
  return [...output.matchAll(/^Page +\d+ size: +([\d.]+) x ([\d.]+) pts/gm)].map(
    ([, width, height]) => `${Math.round(Number(width))} x ${Math.round(Number(height))}`,
  );
}

/** Returns the text of one page (default: of all pages), with collapsed whitespace. */
export function pdfText(pdf: Buffer, page?: number): string {
  const range = page === undefined ? [] : ['-f', String(page), '-l', String(page)];
  return run('pdftotext', [...range, '-', '-'], pdf)
    .toString()
    .replace(/\s+/g, ' ')
    .trim();
}

export interface Word {
  readonly text: string;
  /** In points from the left or top edge of the page. */
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Returns the words of one page with their positions. */
export function pdfWords(pdf: Buffer, page = 1): Word[] {
  const range = ['-f', String(page), '-l', String(page)];
  const output = run('pdftotext', ['-bbox', ...range, '-', '-'], pdf).toString();
  const pattern = /<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*?)<\/word>/g;
  return [...output.matchAll(pattern)].map(([, left, top, right, bottom, text = '']) => ({
    text,
    left: Number(left),
    top: Number(top),
    right: Number(right),
    bottom: Number(bottom),
  }));
}

/** Returns a page (default: the first) as a PNG with `scale` pixels per point. */
export function pdfImage(pdf: Buffer, scale = 1, page = 1): Buffer {
  return run(
    'pdftoppm',
    ['-png', '-r', String(72 * scale), '-f', String(page), '-l', String(page), '-'],
    pdf,
  );
}

/** Returns poppler's table of the fonts in the document. */
export function pdfFonts(pdf: Buffer): string {
  return run('pdffonts', ['-'], pdf).toString();
}

/** Returns the named destinations as `<page> <name>`. */
export function pdfDestinations(pdf: Buffer): string[] {
  const output = run('pdfinfo', ['-dests', '-'], pdf).toString();
  return [...output.matchAll(/^ +(\d+) \[.*"(.*)"$/gm)].map(([, page = '', name = '']) => `${page} ${name}`);
}

/** Returns the structure tree on one line: the types of the elements with their attributes and text. */
export function pdfTags(pdf: Buffer): string {
  return run('pdfinfo', ['-struct-text', '-'], pdf)
    .toString()
    .replace(/ <node\d+>/g, '')
    .replace(/\bObject \d+ 0\b/g, 'Object')
    .replace(/ \((block|inline)\)/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function run(program: string, parameters: readonly string[], input: Buffer): Buffer {
  const { stdout, stderr, status, error } = spawnSync(program, parameters, { input, maxBuffer: 1e9 });
  if (status !== 0) throw new Error(`${program}: ${error?.message ?? stderr.toString()}`);
  return stdout;
}
