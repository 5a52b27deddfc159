/** Reduces the images in a finished PDF: fewer pixels, lower JPEG quality, JPEG instead of lossless compression. */
import { PDFName, PDFNull, PDFRawStream, PDFStream, type PDFDocument, type PDFRef } from '@cantoo/pdf-lib';
import { imageExtents } from './image-placements.ts';
import {
  isScaled,
  readDrawnImage,
  replacementFor,
  type ImageReplacementOptions,
  type ReplacementWork,
} from './image-replacement.ts';
import { openPixelTools } from './pixel-tools.ts';

/** The numbers of images that pages draw, and the bytes of these images, including their masks. */
export interface ImageReport {
  readonly images: number;
  readonly changed: number;
  readonly scaled: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/** Replaces the images. Keeps images that Chromium does not write, damaged images, and images that no page draws. */
export async function recompressImages(
  document: PDFDocument,
  options: ImageReplacementOptions,
): Promise<ImageReport> {
  const { jpeg_quality, convert_images_to_jpeg, image_dpi } = options;
  const report = { images: 0, changed: 0, scaled: 0, bytesBefore: 0, bytesAfter: 0 };
  if (jpeg_quality >= 100 && convert_images_to_jpeg === 'none' && image_dpi === 0) return report;
  const work: ReplacementWork = { document, options, tools: openPixelTools() };
  const extents = imageExtents(document);
  const masks: PDFRef[] = [];
  for (const [reference, extent] of extents) {
    report.images += 1;
    report.bytesBefore += bytesOf(document, reference);
    try {
      const drawn = readDrawnImage(work, reference, extent);
      const replacement = drawn && (await replacementFor(work, drawn));
      if (drawn !== undefined && replacement !== undefined) {
        document.context.assign(reference, replacement);
        if (drawn.image.softMask) masks.push(drawn.image.softMask.reference);
        report.changed += 1;
        report.scaled += isScaled(drawn) ? 1 : 0;
      }
    } catch {
      // Keeps an unreadable image, because a PDF viewer may still be able to show it.
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
 * Replaces the unused masks of replaced images with null. Deleting the objects would leave gaps in the cross-reference table, which
 * are not allowed (ISO 32000-1, 7.5.4).
 */
function emptyMasks({ context }: PDFDocument, masks: readonly PDFRef[]): void {
  if (masks.length === 0) return;
  const name = PDFName.of('SMask');
  const usedMasks = new Set(
    context
      .enumerateIndirectObjects()
      .map(([, object]) => (object instanceof PDFStream ? object.dict.get(name) : undefined)),
  );
  for (const mask of masks) if (!usedMasks.has(mask)) context.assign(mask, PDFNull);
}
