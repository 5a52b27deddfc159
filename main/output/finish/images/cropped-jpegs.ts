/**
 * Replaces unpacked parts of JPEG images. Chromium unpacks a JPEG of which it draws a part (`object-fit: cover`, `background-size:
 * cover`, `slice` in SVG, sprites), which makes it ten times larger. A part with exactly the pixels of the JPEG becomes the JPEG,
 * clipped (decision 74).
 */
import { PDFName, PDFRawStream, type PDFDocument, type PDFObject, type PDFRef } from '@cantoo/pdf-lib';
import { loadSharp } from '../../image/sharp.ts';
import { bufferOf } from '../../../input/bytes.ts';
import type { Sharp } from './pixel-tools.ts';
import { plainPixels, readStoredImage, type StoredImage } from './stored-image.ts';

interface UnpackedImage {
  readonly reference: PDFRef;
  readonly image: StoredImage;
  /** The middle row of the pixels. */
  readonly probe: Buffer;
}

interface DecodedJpeg {
  readonly file: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
}

/** A part of a JPEG. Pixels are counted from the upper left corner. */
interface JpegPart {
  readonly unpacked: UnpackedImage;
  readonly left: number;
  readonly top: number;
}

/** Smaller images are not worth a search. */
const minBytes = 20_000;
const maxJpegPixels = 50_000_000;
const channels = 3;

// A hostile page may have any number of images. Images beyond these limits stay as Chromium wrote them.

const maxImages = 1000;
/** The pixels of all JPEG files together. */
const maxDecodedPixels = 200_000_000;
/** The bytes of pixels in which parts are searched, all searches together. */
const maxSearchedBytes = 3_000_000_000;
/** The places at which the middle row of a part is found. */
const maxCandidates = 20;

/** Replaces the images in the document that are parts of the JPEG files. */
export async function restoreJpegs(document: PDFDocument, files: readonly Uint8Array[]): Promise<void> {
  let images = unpackedImages(document);
  const open = loadSharp();
  let pixelsLeft = maxDecodedPixels;
  let searchLeft = maxSearchedBytes;
  for (const file of files) {
    if (images.length === 0) break;
    const size = await sizeOf(open, file);
    if (size === undefined || size.width * size.height > Math.min(pixelsLeft, maxJpegPixels)) continue;
    const fitting = images.filter(({ image }) => image.width <= size.width && image.height <= size.height);
    if (fitting.length === 0) continue;
    pixelsLeft -= size.width * size.height;
    const jpeg = await decode(open, file);
    if (jpeg === undefined) continue;
    const parts: JpegPart[] = [];
    for (const unpacked of fitting) {
      if (searchLeft < jpeg.bytes.length) break;
      searchLeft -= jpeg.bytes.length;
      const part = findPart(jpeg, unpacked);
      if (part !== undefined) parts.push(part);
    }
    if (!replaceParts(document, jpeg, parts)) continue;
    const found = new Set(parts.map(({ unpacked }) => unpacked));
    images = images.filter((image) => !found.has(image));
  }
}

function unpackedImages({ context }: PDFDocument): UnpackedImage[] {
  const found: UnpackedImage[] = [];
  for (const [reference, stream] of context.enumerateIndirectObjects()) {
    if (found.length === maxImages) break;
    if (!(stream instanceof PDFRawStream) || stream.contents.length < minBytes) continue;
    if (stream.dict.get(PDFName.of('Subtype')) !== PDFName.of('Image')) continue;
    const image = readStoredImage(stream);
    if (image?.encoding !== 'plain' || image.channels !== channels || image.softMask !== undefined) continue;
    if (image.palette !== undefined) continue;
    try {
      const row = image.width * channels;
      const start = Math.floor(image.height / 2) * row;
      const probe = Buffer.from(plainPixels(image).bytes.subarray(start, start + row));
      found.push({ reference, image, probe });
    } catch {
      // The image is damaged, and stays as it is.
    }
  }
  return found;
}

/** Returns undefined for a file that is no RGB JPEG. */
async function sizeOf(open: Sharp, file: Uint8Array): Promise<{ width: number; height: number } | undefined> {
  try {
    const { format, channels: count, width, height } = await open(file).metadata();
    return format === 'jpeg' && count === channels ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}

async function decode(open: Sharp, file: Uint8Array): Promise<DecodedJpeg | undefined> {
  try {
    const options = { ignoreIcc: true, limitInputPixels: maxJpegPixels };
    const { data, info } = await open(file, options).raw().toBuffer({ resolveWithObject: true });
    return info.channels === channels
      ? { file, width: info.width, height: info.height, bytes: data }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Searches the part with exactly the pixels of the image. */
function findPart(jpeg: DecodedJpeg, unpacked: UnpackedImage): JpegPart | undefined {
  const { probe, image } = unpacked;
  let pixels: Buffer | undefined;
  let at = jpeg.bytes.indexOf(probe);
  for (let candidates = 0; at !== -1 && candidates < maxCandidates; candidates += 1) {
    const pixel = at / channels;
    const left = pixel % jpeg.width;
    const top = Math.floor(pixel / jpeg.width) - Math.floor(image.height / 2);
    const isInside =
      Number.isInteger(pixel) &&
      left + image.width <= jpeg.width &&
      top >= 0 &&
      top + image.height <= jpeg.height;
    if (isInside) {
      pixels ??= bufferOf(plainPixels(image).bytes);
      if (isEqualAt(jpeg, { left, top }, { width: image.width, pixels })) return { unpacked, left, top };
    }
    at = jpeg.bytes.indexOf(probe, at + 1);
  }
  return undefined;
}

function isEqualAt(
  jpeg: DecodedJpeg,
  { left, top }: { readonly left: number; readonly top: number },
  { width, pixels }: { readonly width: number; readonly pixels: Buffer },
): boolean {
  const row = width * channels;
  for (let start = 0, y = top; start < pixels.length; start += row, y += 1) {
    const from = (y * jpeg.width + left) * channels;
    if (pixels.compare(jpeg.bytes, from, from + row, start, start + row) !== 0) return false;
  }
  return true;
}

/** Replaces the parts if the document becomes smaller, and returns whether it did. */
function replaceParts(document: PDFDocument, jpeg: DecodedJpeg, parts: readonly JpegPart[]): boolean {
  const [first] = parts;
  if (first === undefined) return false;
  const { context } = document;
  const existing = embeddedJpeg(document, jpeg.file);
  const saved = parts.reduce((sum, { unpacked }) => sum + unpacked.image.stream.contents.length, 0);
  if (existing === undefined && saved <= jpeg.file.length) return false;
  const whole = existing ?? context.register(jpegStream(document, jpeg, first.unpacked.image.space));
  for (const { unpacked, left, top } of parts) {
    const { width, height } = unpacked.image;
    const matrix = [
      jpeg.width / width,
      0,
      0,
      jpeg.height / height,
      -left / width,
      (top + height - jpeg.height) / height,
    ];
    // An image fills the unit square of its matrix (ISO 32000-1, 8.9.3). The form has the same square, which clips the JPEG.
    const form = context.stream(`${matrix.map(decimal).join(' ')} cm /Image Do`, {
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [0, 0, 1, 1],
      Resources: { XObject: { Image: whole } },
    });
    context.assign(unpacked.reference, form);
  }
  return true;
}

/** PDF has no exponents. */
function decimal(value: number): string {
  return String(Number(value.toFixed(9)));
}

/** Returns the image of the document that is the JPEG file. */
function embeddedJpeg({ context }: PDFDocument, file: Uint8Array): PDFRef | undefined {
  const found = context
    .enumerateIndirectObjects()
    .find(
      ([, stream]) =>
        stream instanceof PDFRawStream &&
        stream.contents.length === file.length &&
        stream.dict.get(PDFName.of('Filter')) === PDFName.of('DCTDecode') &&
        bufferOf(stream.contents).equals(file),
    );
  return found?.[0];
}

function jpegStream({ context }: PDFDocument, jpeg: DecodedJpeg, space: PDFObject): PDFRawStream {
  const entries = {
    Type: 'XObject',
    Subtype: 'Image',
    Width: jpeg.width,
    Height: jpeg.height,
    ColorSpace: space,
    BitsPerComponent: 8,
    Filter: 'DCTDecode',
  };
  return PDFRawStream.of(context.obj(entries), jpeg.file);
}
