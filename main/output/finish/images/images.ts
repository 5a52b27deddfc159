/** Makes the images in a finished PDF smaller: fewer pixels, stronger JPEG, JPEG for what was stored without loss. */
import { PDFName, PDFNull, PDFRawStream, PDFStream, type PDFDocument, type PDFRef } from '@cantoo/pdf-lib';
import { imageExtents } from './image-placements.ts';
import { isScaled, readDrawn, replacementFor, type ImageOptions, type Work } from './image-replacement.ts';
import { openPixelTools } from './pixel-tools.ts';

/** Of the images drawn on pages, and of their bytes as they are stored, masks included. */
export interface ImageReport {
  readonly images: number;
  readonly changed: number;
  readonly scaled: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/** Images of other kinds than Chromium writes, damaged ones and those drawn nowhere stay as they are. */
export async function recompressImages(document: PDFDocument, options: ImageOptions): Promise<ImageReport> {
  const { jpeg_quality, convert_images_to_jpeg, image_dpi } = options;
  const report = { images: 0, changed: 0, scaled: 0, bytesBefore: 0, bytesAfter: 0 };
  if (jpeg_quality >= 100 && convert_images_to_jpeg === 'none' && image_dpi === 0) return report;
  const work: Work = { document, options, tools: openPixelTools() };
  const extents = imageExtents(document);
  const masks: PDFRef[] = [];
  for (const [reference, extent] of extents) {
    const drawn = readDrawn(work, reference, extent);
    report.images += 1;
    report.bytesBefore += bytesOf(document, reference);
    // What cannot be read is left to the reader of the document, who may know better.
    const replacement = drawn && (await replacementFor(work, drawn).catch(() => undefined));
    if (drawn !== undefined && replacement !== undefined) {
      document.context.assign(reference, replacement);
      if (drawn.image.softMask) masks.push(drawn.image.softMask.reference);
      report.changed += 1;
      report.scaled += isScaled(drawn) ? 1 : 0;
    }
    report.bytesAfter += bytesOf(document, reference);
  }
  const replaced = masks.filter((mask) => !extents.has(mask));
  emptyMasks(document, replaced);
  return report;
}

function bytesOf({ context }: PDFDocument, reference: PDFRef): number {
  const stream = context.lookup(reference);
  if (!(stream instanceof PDFRawStream)) return 0;
  const mask = stream.dict.lookup(PDFName.of('SMask'));
  return stream.contents.length + (mask instanceof PDFRawStream ? mask.contents.length : 0);
}

/**
 * Masks of images that have been replaced. They become nothing and keep their numbers: deleted, they would leave gaps in the
 * cross-reference table, which must not have any (ISO 32000-1, 7.5.4).
 */
function emptyMasks({ context }: PDFDocument, masks: readonly PDFRef[]): void {
  if (masks.length === 0) return;
  const name = PDFName.of('SMask');
  const streams = context.enumerateIndirectObjects().map(([, object]) => object);
  const used = streams.map((object) => (object instanceof PDFStream ? object.dict.get(name) : undefined));
  for (const mask of masks) if (!used.includes(mask)) context.assign(mask, PDFNull);
}
