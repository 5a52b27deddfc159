/** Navigation within a PDF: links and the outline. */
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import { startOf, type ViewPosition } from '../layout.ts';
import type { OutlineEntry, PdfLink, PdfDestination } from '../pages/sheets.ts';

interface Annotation {
  readonly subtype: string;
  readonly rect: readonly [number, number, number, number];
  readonly url?: string;
  readonly dest?: PdfDestination | null;
  readonly overlaidText?: string;
}

export async function linksOf(page: PDFPageProxy): Promise<readonly PdfLink[]> {
  const viewport = page.getViewport({ scale: 1 });
  const annotations = (await page.getAnnotations({ intent: 'display' })) as readonly Annotation[];
  return annotations.flatMap(({ subtype, rect, url, dest, overlaidText = '' }) => {
    if (subtype !== 'Link' || (url === undefined && !dest)) return [];
    const [left, top, right, bottom] = viewport.convertToViewportRectangle([
      ...rect,
    ]) as unknown as typeof rect;
    const box = {
      x: Math.min(left, right) / viewport.width,
      y: Math.min(top, bottom) / viewport.height,
      width: Math.abs(right - left) / viewport.width,
      height: Math.abs(bottom - top) / viewport.height,
    };
    const label = overlaidText.replace(/\s+/g, ' ').trim();
    return [
      {
        box,
        ...(url !== undefined && { url }),
        ...(dest && { target: dest }),
        ...(label !== '' && { label }),
      },
    ];
  });
}

type Outline = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>;

export function outlineOf(outline: Outline | null): readonly OutlineEntry[] {
  return (outline ?? []).map(({ title, dest, items }) => ({
    title,
    ...(dest !== null && { target: dest }),
    items: outlineOf(items as Outline),
  }));
}

/** Returns the position of a destination; undefined if the destination is not valid. */
export async function positionOf(
  document: PDFDocumentProxy,
  target: PdfDestination,
): Promise<ViewPosition | undefined> {
  try {
    const destination: readonly unknown[] | null =
      typeof target === 'string' ? await document.getDestination(target) : target;
    if (destination === null) return undefined;
    const page = await pageOf(document, destination[0]);
    return { ...startOf(page), y: await heightOf(document, page, destination) };
  } catch {
    return undefined;
  }
}

type PageReference = Parameters<PDFDocumentProxy['getPageIndex']>[0];

async function pageOf(document: PDFDocumentProxy, page: unknown): Promise<number> {
  return typeof page === 'number' ? page : document.getPageIndex(page as PageReference);
}

/** Returns the vertical position of a destination as a fraction of the page's height; 0 if the destination is the whole page. */
async function heightOf(
  document: PDFDocumentProxy,
  number: number,
  destination: readonly unknown[],
): Promise<number> {
  const fit = (destination[1] as { readonly name?: string } | undefined)?.name ?? '';
  const top = { XYZ: destination[3], FitH: destination[2], FitBH: destination[2], FitR: destination[5] }[fit];
  if (typeof top !== 'number') return 0;
  const viewport = (await document.getPage(number + 1)).getViewport({ scale: 1 });
  const y = viewport.convertToViewportPoint(0, top)[1] as number;
  return Math.min(1, Math.max(0, y / viewport.height));
}
