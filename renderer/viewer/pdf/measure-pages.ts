/** Measures the pages of a PDF. */
import type { SheetSize } from '../layout.ts';

/** A document of pdf.js. */
interface PagedDocument {
  readonly numPages: number;
  /** @throws if the page is damaged */
  readonly getPage: (number: number) => Promise<PdfPage>;
}

interface PdfPage {
  /** Returns the size in points, multiplied by `scale`. */
  readonly getViewport: (options: { scale: number }) => SheetSize;
}

/** The number of pages that are requested together. */
const batchSize = 50;

/**
 * Measures the pages in batches, so that a thousand pages do not delay the first one. An unreadable page gets the size of the first
 * page, and an error is shown when it is drawn. Returns undefined if all pages have the same size, or if the document was closed
 * meanwhile. Never rejects.
 */
export async function measurePages(
  document: PagedDocument,
  closed: AbortSignal,
): Promise<readonly SheetSize[] | undefined> {
  const measured: (SheetSize | undefined)[] = [];
  while (measured.length < document.numPages) {
    const from = measured.length + 1;
    const length = Math.min(batchSize, document.numPages - measured.length);
    const pages = Array.from({ length }, async (_, index) => sizeOf(await document.getPage(from + index)));
    const batch = await Promise.allSettled(pages);
    if (closed.aborted) return undefined;
    for (const page of batch) measured.push(page.status === 'fulfilled' ? page.value : undefined);
  }
  const [first] = measured;
  if (first === undefined) return undefined;
  const sizes = measured.map((size) => size ?? first);
  const isUniform = sizes.every(({ width, height }) => width === first.width && height === first.height);
  return isUniform ? undefined : sizes;
}

/** Returns the size in CSS pixels. A point is 1/72 inch, a CSS pixel 1/96 inch. */
export function sizeOf(page: PdfPage): SheetSize {
  const { width, height } = page.getViewport({ scale: 96 / 72 });
  return { width, height };
}
