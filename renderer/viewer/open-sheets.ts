/** Opens an output or a file from disk according to its type: PDFs with pdf.js, images with the browser. */
import { openPdf } from './pdf/open-pdf.ts';
import { type Sheets, newId } from './pages/sheets.ts';
import { signal } from '@preact/signals';
import type { SheetSize } from './layout.ts';

/** Larger outputs are not opened. A PDF is in memory twice: here and in pdf.js. */
const maxBytes = 200e6;

/** Thrown for outputs that would use too much memory. */
export class TooLarge extends Error {
  constructor() {
    super('The output is too large to display.');
    this.name = 'TooLarge';
  }
}

/** Opens an output. @throws PdfProblem, ImageProblem, TooLarge */
export async function openSheets(blob: Blob, type: string, password?: string): Promise<Sheets> {
  if (blob.size > maxBytes) throw new TooLarge();
  return isPdf(type)
    ? openPdf(blob, password)
    : openImage(blob.type === type ? blob : new Blob([blob], { type }));
}

export function isPdf(type: string): boolean {
  return type.split(';')[0]?.trim() === 'application/pdf';
}

/** Opens an image. @throws ImageProblem if the browser cannot decode the image */
export async function openImage(blob: Blob): Promise<Sheets> {
  const url = URL.createObjectURL(blob);
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
  } catch {
    URL.revokeObjectURL(url);
    throw new ImageProblem();
  }
  const size = sizeOf(image);
  return {
    id: newId(),
    kind: 'image',
    // 100 % is one image pixel per screen pixel.
    sizes: signal([{ width: size.width / devicePixelRatio, height: size.height / devicePixelRatio }]),
    measured: Promise.resolve(),
    draw: (_page, canvas) => {
      const context = canvas.getContext('2d', { willReadFrequently: true });
      context?.drawImage(image, 0, 0, canvas.width, canvas.height);
      return Promise.resolve();
    },
    image: { url, size },
    close: () => {
      URL.revokeObjectURL(url);
    },
  };
}

/** Thrown for an image that is damaged, or whose format browsers cannot show, such as TIFF. */
export class ImageProblem extends Error {
  constructor() {
    super('The image cannot be decoded.');
    this.name = 'ImageProblem';
  }
}

/** Returns the intrinsic size in pixels. For an SVG without one, this is the size that the browser assumes. */
function sizeOf({ naturalWidth, naturalHeight }: HTMLImageElement): SheetSize {
  return { width: Math.max(1, naturalWidth), height: Math.max(1, naturalHeight) };
}
