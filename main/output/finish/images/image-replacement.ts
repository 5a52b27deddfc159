/** Creates the replacement for an image of a PDF, with a new size, compression or transparency. */
import { PDFName, PDFRawStream, type PDFDocument, type PDFObject, type PDFRef } from '@cantoo/pdf-lib';
import type { ImageExtent } from './image-placements.ts';
import { flatten, type PixelTools } from './pixel-tools.ts';
import {
  readStoredImage,
  storeImage,
  type NewContents,
  type Pixels,
  type StoredImage,
} from './stored-image.ts';

export interface ImageReplacementOptions {
  /** 100 keeps existing JPEG images. */
  readonly jpeg_quality: number;
  readonly convert_images_to_jpeg: 'none' | 'opaque' | 'all';
  /** 0 keeps the size of the images. */
  readonly image_dpi: number;
  /** The colour behind transparent images that become JPEG, as RRGGBB; white if invalid. */
  readonly background: string;
}

export interface ReplacementWork {
  readonly document: PDFDocument;
  readonly options: ImageReplacementOptions;
  readonly tools: PixelTools;
}

interface DrawnImage {
  readonly image: StoredImage;
  /** The size of the replacement in pixels. */
  readonly size: { readonly width: number; readonly height: number };
}

const pointsPerInch = 72;
/** The highest quality for a JPEG that is encoded again. A higher quality would not restore lost detail. */
const scaledJpegQuality = 92;

/** Returns an image with the size of its replacement; undefined for an image that Chromium does not write. */
export function readDrawnImage(
  { document, options }: ReplacementWork,
  reference: PDFRef,
  extent: ImageExtent,
): DrawnImage | undefined {
  const stream = document.context.lookup(reference);
  const image = stream instanceof PDFRawStream ? readStoredImage(stream) : undefined;
  return image && { image, size: sizeFor(image, extent, options.image_dpi) };
}

/**
 * Returns the size in pixels at which the image has the given dpi. Scales each side separately, because a page may stretch an
 * image.
 */
function sizeFor({ width, height }: StoredImage, extent: ImageExtent, dpi: number): DrawnImage['size'] {
  if (dpi === 0) return { width, height };
  const side = (pixels: number, points: number) =>
    Math.min(pixels, Math.max(1, Math.round((points / pointsPerInch) * dpi)));
  return { width: side(width, extent.width), height: side(height, extent.height) };
}

export function isScaled({ size, image }: DrawnImage): boolean {
  return size.width < image.width || size.height < image.height;
}

/** Returns the new image; undefined if the image needs no change. @throws Error if its bytes are damaged */
export async function replacementFor(
  work: ReplacementWork,
  drawn: DrawnImage,
): Promise<PDFRawStream | undefined> {
  const { jpeg_quality, convert_images_to_jpeg } = work.options;
  const { image } = drawn;
  const flattened = convert_images_to_jpeg === 'all' && image.softMask !== undefined;
  const converted =
    convert_images_to_jpeg === 'all' || (convert_images_to_jpeg === 'opaque' && !image.softMask);
  if (isScaled(drawn) || flattened) return resizeImage(work, drawn, { flattened, converted });
  if (image.encoding === 'jpeg') return jpeg_quality < 100 ? recompressJpeg(work, image) : undefined;
  return converted ? convertToJpeg(work, image) : undefined;
}

/** Returns the image with a lower JPEG quality; undefined if the result would not be smaller. */
async function recompressJpeg(
  { tools, options }: ReplacementWork,
  image: StoredImage,
): Promise<PDFRawStream | undefined> {
  const jpeg = await tools.encodeJpeg(await tools.read(image), options.jpeg_quality);
  if (jpeg.length >= image.stream.contents.length) return undefined;
  return storeImage(image, { ...contentsOf(image), jpeg });
}

async function convertToJpeg({ tools, options }: ReplacementWork, image: StoredImage): Promise<PDFRawStream> {
  const jpeg = await tools.encodeJpeg(await tools.read(image), options.jpeg_quality);
  return storeImage(image, { ...contentsOf(image), jpeg });
}

function contentsOf({ width, height, space, softMask }: StoredImage): NewContents {
  return { width, height, space, ...(softMask && { softMask: softMask.reference }) };
}

async function resizeImage(
  { document, tools, options }: ReplacementWork,
  { image, size }: DrawnImage,
  { flattened, converted }: { readonly flattened: boolean; readonly converted: boolean },
): Promise<PDFRawStream> {
  const mask = image.softMask && (await tools.read(image.softMask.image));
  const decoded = { colours: await tools.read(image), ...(mask && { alpha: mask }) };
  const { colours, alpha } = await tools.resize(decoded, size);
  const quality =
    image.encoding === 'jpeg' ? Math.min(options.jpeg_quality, scaledJpegQuality) : options.jpeg_quality;
  if (flattened && alpha !== undefined) {
    const jpeg = await tools.encodeJpeg(flatten(colours, alpha, options.background), quality);
    return storeImage(image, { ...size, space: opaqueSpace(image), jpeg });
  }
  const asJpeg = converted || image.encoding === 'jpeg';
  const stored = asJpeg ? { jpeg: await tools.encodeJpeg(colours, quality) } : { plain: colours.bytes };
  const softMask = alpha && storeMask(document, image, alpha);
  return storeImage(image, { ...size, space: image.space, ...stored, ...(softMask && { softMask }) });
}

/** Returns the colour space of the image without transparency. A grey image blended with a coloured background becomes RGB. */
function opaqueSpace({ channels, space }: StoredImage): PDFObject {
  return channels === 1 ? PDFName.of('DeviceRGB') : space;
}

function storeMask({ context }: PDFDocument, { softMask }: StoredImage, alpha: Pixels): PDFRef | undefined {
  if (softMask === undefined) return undefined;
  const { width, height, bytes } = alpha;
  const { space } = softMask.image;
  return context.register(storeImage(softMask.image, { width, height, space, plain: bytes }));
}
