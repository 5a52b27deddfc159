/** Draws PDF pages with several viewers: poppler, PDFium (Chromium's viewer) and pdf.js (Firefox's viewer). */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { openPdfPages } from '../../../main/comparison/pdf-pages.ts';
import { pdfImage } from './pdf.ts';

/** Each returns the first page as a PNG with `scale` pixels per point. */
export const viewers: Readonly<Record<string, (pdf: Buffer, scale: number) => Promise<Buffer>>> = {
  poppler: (pdf, scale) => Promise.resolve(pdfImage(pdf, scale)),
  PDFium: drawWithPdfium,
  'pdf.js': drawWithPdfJs,
};

async function drawWithPdfium(pdf: Buffer, scale: number): Promise<Buffer> {
  const { width, height, data } = await (await openPdfPages(pdf)).draw(1, scale);
  return sharp(data, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
}

async function drawWithPdfJs(pdf: Buffer, scale: number): Promise<Buffer> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const { resolve } = createRequire(import.meta.url);
  const fonts = join(dirname(resolve('pdfjs-dist/package.json')), 'standard_fonts/');
  const loading = getDocument({ data: new Uint8Array(pdf), standardFontDataUrl: fonts, verbosity: 0 });
  const document = await loading.promise;
  const page = await document.getPage(1);
  const viewport = page.getViewport({ scale });
  // The type for Node.js is not that of a browser's canvas.
  const factory = document.canvasFactory as {
    create: (
      width: number,
      height: number,
    ) => { canvas: HTMLCanvasElement & { toBuffer: (type: string) => Buffer } };
  };
  const { canvas } = factory.create(Math.round(viewport.width), Math.round(viewport.height));
  await page.render({ canvas, viewport }).promise;
  const png = canvas.toBuffer('image/png');
  await loading.destroy();
  return png;
}
