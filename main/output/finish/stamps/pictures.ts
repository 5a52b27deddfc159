/** Pictures of any format as picture objects of a PDF document. */
import { gunzipSync } from 'node:zlib';
import { PDFName, type PDFContext, type PDFRawStream, type PDFRef } from '@cantoo/pdf-lib';
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import type { Size } from '../../geometry.ts';
import { pngStream } from './png-stream.ts';
import { loadSharp } from '../../sharp.ts';

export interface Picture extends Size {
  /** Fills the unit square. */
  readonly ref: PDFRef;
}

export interface Pictures {
  /** Pages of a TIFF. Of an animation the first frame stands for all. */
  readonly count: number;
  /** The picture, embedded anew each time. @throws Error for a damaged one */
  readonly at: (index: number) => Promise<Picture>;
}

/** Enough for A3 at 600 dots per inch; unpacked it takes 400 MB. */
export const mostPixels = 100_000_000;
export const textInDrawing = 'The drawing has text.';
const drawnDotsPerInch = 300;
const mostDrawnPixels = 25_000_000;
const pointsPerInch = 72;

/**
 * A drawing (SVG) is made into pixels as fine as a printer shows on the sheet, in points.
 * @throws Error when the bytes are no picture of a known format, it has too many pixels, or is a drawing with text
 */
export async function openPictures(context: PDFContext, bytes: Uint8Array, sheet: Size): Promise<Pictures> {
  const limit = { limitInputPixels: mostPixels };
  const metadata = await loadSharp()(bytes, limit).metadata();
  if (metadata.format === 'svg' && hasText(bytes)) throw new Error(textInDrawing);
  const drawn = metadata.format === 'svg' ? { density: densityFor(metadata, sheet) } : {};
  return {
    count: metadata.format === 'tiff' ? (metadata.pages ?? 1) : 1,
    at: (page) => embed(context, bytes, { ...limit, ...drawn, page, pages: 1 }),
  };
}

/** The WebAssembly build of sharp has no fonts: text would be left out, and nobody told. */
function hasText(svg: Uint8Array): boolean {
  const isPacked = svg[0] === 0x1f && svg[1] === 0x8b;
  const source = Buffer.from(isPacked ? gunzipSync(svg) : svg).toString('latin1');
  // UTF-16 has a zero in every other byte.
  return /<(?:[\w-]+:)?text[\s>]/.test(source.replaceAll('\0', ''));
}

function densityFor({ width, height, density = pointsPerInch }: Metadata, sheet: Size): number {
  const [inchesWide, inchesHigh] = [width / density, height / density];
  const scale = Math.min(sheet.width / inchesWide, sheet.height / inchesHigh) / pointsPerInch;
  const most = Math.sqrt(mostDrawnPixels / (inchesWide * inchesHigh));
  return Math.min(Math.max(Math.min(scale * drawnDotsPerInch, most), 1), 100_000);
}

async function embed(context: PDFContext, bytes: Uint8Array, options: SharpOptions): Promise<Picture> {
  const image = loadSharp()(bytes, options);
  const metadata = await image.metadata();
  // Reads every pixel, so a damaged picture is found out.
  const { isOpaque } = await image.stats();
  const stream = isPlainJpeg(metadata)
    ? jpegStream(context, bytes, metadata)
    : await pixelStream(context, image.autoOrient(), isOpaque);
  const { width, height } = metadata.autoOrient;
  return { ref: context.register(stream), width, height };
}

/** One that can be taken as it is: upright, and its colours mean the same without its profile. */
function isPlainJpeg({ format, orientation = 1, space, hasProfile, channels }: Metadata): boolean {
  const isCommon = (space === 'srgb' && channels === 3) || (space === 'b-w' && channels === 1);
  return format === 'jpeg' && orientation === 1 && isCommon && !hasProfile;
}

function jpegStream(
  context: PDFContext,
  bytes: Uint8Array,
  { width, height, channels }: Metadata,
): PDFRawStream {
  return context.stream(bytes, {
    Type: 'XObject',
    Subtype: 'Image',
    Width: width,
    Height: height,
    ColorSpace: channels === 1 ? 'DeviceGray' : 'DeviceRGB',
    BitsPerComponent: 8,
    Filter: 'DCTDecode',
  });
}

/** Lossless, in sRGB. */
async function pixelStream(context: PDFContext, image: Sharp, isOpaque: boolean): Promise<PDFRawStream> {
  const png = { adaptiveFiltering: true, palette: false } as const;
  const colours = await image.clone().removeAlpha().toColourspace('srgb').png(png).toBuffer();
  const stream = pngStream(context, colours);
  if (isOpaque) return stream;
  const alpha = await image.clone().extractChannel('alpha').toColourspace('b-w').png(png).toBuffer();
  stream.dict.set(PDFName.of('SMask'), context.register(pngStream(context, alpha)));
  return stream;
}
