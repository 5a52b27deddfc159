/** Saves pdf-lib documents, and checks their pixels, links and validity. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDFArray, PDFDict, PDFName, PDFString, type PDFDocument } from '@cantoo/pdf-lib';
import type { extent, PixelImage } from './image.ts';
import { temporaryFolder } from '../service/service.ts';

export async function saveDocument(document: PDFDocument): Promise<Buffer> {
  return Buffer.from(await document.save({ useObjectStreams: false, updateFieldAppearances: false }));
}

/**
 * Renders a page with `scale` pixels per point. It does not use sharp, whose native build does not work in Electron on Linux.
 */
export async function pixels(document: PDFDocument, page = 1, scale = 1): Promise<PixelImage> {
  const range = ['-f', String(page), '-l', String(page)];
  const { stdout, stderr } = spawnSync('pdftoppm', ['-r', String(72 * scale), ...range, '-'], {
    input: await saveDocument(document),
    maxBuffer: 1e9,
  });
  const header = /^P6\s(\d+) (\d+)\s255\s/.exec(stdout.toString('latin1', 0, 40));
  assert.ok(header, stderr.toString());
  const start = header[0].length;
  const width = Number(header[1]);
  const height = Number(header[2]);
  const at: PixelImage['at'] = (x, y) => {
    const offset = start + (y * width + x) * 3;
    return [stdout[offset] ?? -1, stdout[offset + 1] ?? -1, stdout[offset + 2] ?? -1];
  };
  return { width, height, format: 'ppm', at };
}

export interface WebLink {
  readonly url: string;
  /** Left, bottom, right and top, in whole points. */
  readonly box: readonly number[];
}

/** Returns the links to URLs on a page; page numbers start at 0. */
export function webLinks(document: PDFDocument, page = 0): WebLink[] {
  const annotations = document.getPage(page).node.Annots()?.asArray() ?? [];
  return annotations.flatMap((annotation) => {
    const link = document.context.lookup(annotation, PDFDict);
    const url = link.lookupMaybe(PDFName.of('A'), PDFDict)?.lookup(PDFName.of('URI'));
    if (!(url instanceof PDFString)) return [];
    const corners = link.lookup(PDFName.of('Rect'), PDFArray).asArray();
    const box = corners.map((corner) => Math.round(Number(corner.toString())));
    return [{ url: url.asString(), box }];
  });
}

/** Checks the document with qpdf if it is installed. */
export function assertValid(pdf: Buffer): void {
  const file = join(temporaryFolder(), 'document.pdf');
  writeFileSync(file, pdf);
  const { status, stdout, stderr, error } = spawnSync('qpdf', ['--check', file]);
  rmSync(join(file, '..'), { recursive: true });
  if (error === undefined) assert.equal(status, 0, `${stdout.toString()}${stderr.toString()}`);
}

/** Asserts that two boxes differ by at most one pixel per side, because poppler blurs edges. */
export function assertBox(
  box: ReturnType<typeof extent>,
  expected: NonNullable<ReturnType<typeof extent>>,
): void {
  for (const side of ['left', 'top', 'right', 'bottom'] as const)
    assert.ok(
      Math.abs((box?.[side] ?? NaN) - expected[side]) <= 1,
      `${JSON.stringify(box)} is not ${JSON.stringify(expected)}`,
    );
}
