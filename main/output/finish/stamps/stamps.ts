/** Adds watermarks over and backgrounds under printed pages. These stamps are pages of a PDF, or images. */
import {
  PDFName,
  PDFObjectCopier,
  type PDFDocument,
  type PDFPage,
  type PDFRef,
  type PDFContext,
  type PDFRawStream,
} from '@cantoo/pdf-lib';
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { gunzipSync } from '../../../async/thread-zlib.ts';
import { layerPainter } from '../layers/layers.ts';
import { centreIn, fitInto, multiply, type Box, type Size, type Matrix } from '../../geometry.ts';
import { frameOf } from '../layers/page-forms.ts';
import { Failure } from '../../../failure/failure.ts';
import { maxDecodedBytes } from '../../pdf-reader/inflate.ts';
import { isPdf } from '../../pdf-reader/pdf-file.ts';
import { plainPages } from '../../uploaded-pdf/plain-pdf.ts';
import { readPdf } from '../pdf-document.ts';
import { loadSharp, maxPixels } from '../../image/sharp.ts';

export interface Stamp {
  /** The option that provides the file. */
  readonly name: string;
  /** An image, or a plain PDF (plain-pdf.ts). */
  readonly bytes: Uint8Array;
  readonly position: 'over' | 'under';
  /**
   * If true, page n of the file is applied to page n, and its last page to all further pages. If false, its first page is applied
   * to all pages.
   */
  readonly multipage: boolean;
}

/** Tolerance for equal sizes in points, because programs round paper sizes differently. */
const sizeTolerance = 2;

/**
 * Applies the stamps in order. Each stamp over the pages is above the earlier ones, and each stamp under the pages is below them.
 * @throws Failure valueNotAllowed, which names the option, for a file that cannot be applied
 */
export async function stampPages(document: PDFDocument, stamps: readonly Stamp[]): Promise<void> {
  for (const stamp of stamps) await applyStamp(document, stamp);
}

async function applyStamp(document: PDFDocument, stamp: Stamp): Promise<void> {
  const pages = document.getPages();
  const [first] = pages;
  if (first === undefined) return;
  const sheets = await openStamp(document, stamp, frameOf(first));
  const painters = new Map<string, (page: PDFPage) => void>();
  for (const [index, page] of pages.entries()) {
    const number = stamp.multipage ? Math.min(index, sheets.count - 1) : 0;
    const { width, height } = frameOf(page);
    const key = `${number} ${width} ${height}`;
    const painter = painters.get(key) ?? painterFor(await sheets.at(number), stamp, { width, height });
    painters.set(key, painter);
    painter(page);
  }
}

function painterFor(sheet: StampPage, { position }: Stamp, page: Size): (page: PDFPage) => void {
  const { xobject } = sheet;
  if (xobject === undefined) return () => {};
  const { left, bottom, width, height } = boxFor(sheet, page);
  const matrix = multiply(sheet.toUnit, [width, 0, 0, height, left, bottom]);
  return layerPainter({
    position,
    artifact: position === 'over' ? 'Watermark' : 'Background',
    xobject,
    matrix,
  });
}

/** Scales the stamp to fit the page and centres it. A stamp of the size of the page is not scaled, so letterheads stay aligned. */
function boxFor(sheet: StampPage, page: Size): Box {
  const isPageSize =
    Math.abs(sheet.width - page.width) <= sizeTolerance &&
    Math.abs(sheet.height - page.height) <= sizeTolerance;
  return sheet.isPaper && isPageSize ? centreIn(page, 1, sheet) : fitInto(page, sheet);
}

// The pages of a watermark or background file of any supported format.

/** A page or an image of a stamp file. */
interface StampPage extends Size {
  /** Undefined if the page is empty. */
  readonly xobject: PDFRef | undefined;
  /** Maps the space of the object to the unit square. */
  readonly toUnit: Matrix;
  /** Whether the size is in points; only the proportions of an image count. */
  readonly isPaper: boolean;
}

interface StampPages {
  readonly count: number;
  /** Returns a page, which is embedded on first use. @throws Failure valueNotAllowed if it cannot be read */
  readonly at: (index: number) => Promise<StampPage>;
}

interface StampFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Opens the pages of a stamp file. @throws Failure valueNotAllowed if the file is neither a PDF nor an image, or cannot be read */
async function openStamp(document: PDFDocument, file: StampFile, page: Size): Promise<StampPages> {
  if (file.bytes.length === 0)
    throw new Failure(
      'valueNotAllowed',
      `The file of ${file.name} is empty; send a PDF document or an image.`,
    );
  const stampPages = isPdf(file.bytes)
    ? await openPlainPdf(document, file.bytes)
    : await openImage(document, file, page);
  const pageByIndex = new Map<number, Promise<StampPage>>();
  return {
    count: stampPages.count,
    at(index) {
      const stampPage = pageByIndex.get(index) ?? stampPages.at(index);
      pageByIndex.set(index, stampPage);
      return stampPage;
    },
  };
}

async function openPlainPdf(document: PDFDocument, bytes: Uint8Array): Promise<StampPages> {
  const source = await readPdf(bytes);
  const copier = PDFObjectCopier.for(source.context, document.context);
  const pages = plainPages(source);
  return {
    count: pages.length,
    at(index) {
      const page = pages[index];
      if (page === undefined) throw new Error(`The document has no page ${index + 1}.`);
      const { width, height, form } = page;
      const xobject = form && copier.copy(form);
      return Promise.resolve({
        width,
        height,
        xobject,
        toUnit: [1 / width, 0, 0, 1 / height, 0, 0],
        isPaper: true,
      });
    },
  };
}

async function openImage({ context }: PDFDocument, file: StampFile, page: Size): Promise<StampPages> {
  const images = await withFailure(file, imageProblem, () => openImages(context, file.bytes, page));
  return {
    count: images.count,
    at: (index) =>
      withFailure(
        file,
        () => damagedImage,
        async () => imageOf(await images.at(index)),
      ),
  };
}

function imageOf({ width, height, ref }: StampImage): StampPage {
  return { width, height, xobject: ref, toUnit: [1, 0, 0, 1, 0, 0], isPaper: false };
}

const damagedImage = 'is a damaged image; save it again with an image program and send the new file';

function imageProblem(cause: unknown): string {
  if (String(cause).includes('pixel limit'))
    return `is an image of more than ${maxPixels / 1e6} million pixels; send a smaller image`;
  if (String(cause).includes(textInDrawing))
    return 'is an SVG drawing with text, which needs fonts; convert the text to paths, or send the drawing as a PDF';
  if (String(cause).includes('unsupported image format'))
    return 'is neither a PDF document nor an image; send a PDF, PNG, JPEG, WebP, GIF, TIFF, SVG or AVIF file';
  return damagedImage;
}

/** Turns an error of `work` into a Failure. The error becomes its cause, which only the log shows. */
async function withFailure<T>(
  { name }: StampFile,
  problemOf: (cause: unknown) => string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new Failure('valueNotAllowed', `The file of ${name} ${problemOf(cause)}.`, { cause });
  }
}

// Converts images of any format to image objects of a PDF.

interface StampImage extends Size {
  /** The image object, which fills the unit square. */
  readonly ref: PDFRef;
}

interface StampImages {
  /** The number of pages in a TIFF; 1 for other formats. Only the first frame of an animation is used. */
  readonly count: number;
  /** Embeds an image, again on each call. @throws Error if the image is damaged */
  readonly at: (index: number) => Promise<StampImage>;
}

const textInDrawing = 'The drawing has text.';
const svgDotsPerInch = 300;
const maxSvgPixels = 25_000_000;
const pointsPerInch = 72;

/**
 * Opens the images in a file. Rasterises an SVG at printer resolution for the sheet, whose size is in points.
 * @throws Error if the format is unknown, the image has too many pixels, or it is an SVG with text
 */
async function openImages(context: PDFContext, bytes: Uint8Array, sheet: Size): Promise<StampImages> {
  const limit = { limitInputPixels: maxPixels };
  const metadata = await loadSharp()(bytes, limit).metadata();
  if (metadata.format === 'svg' && hasText(bytes)) throw new Error(textInDrawing);
  const svgOptions = metadata.format === 'svg' ? { density: densityFor(metadata, sheet) } : {};
  return {
    count: metadata.format === 'tiff' ? (metadata.pages ?? 1) : 1,
    at: (page) => embed(context, bytes, { ...limit, ...svgOptions, page, pages: 1 }),
  };
}

/** Returns whether an SVG contains text. The WebAssembly build of sharp has no fonts, so it would omit text without an error. */
function hasText(svg: Uint8Array): boolean {
  const isPacked = svg[0] === 0x1f && svg[1] === 0x8b;
  const bytes = isPacked ? gunzipSync(svg, { maxOutputLength: maxDecodedBytes }) : svg;
  const source = Buffer.from(bytes).toString('latin1');
  // Removes the zero bytes of UTF-16.
  return /<(?:[\w-]+:)?text[\s>]/.test(source.replaceAll('\0', ''));
}

function densityFor({ width, height, density = pointsPerInch }: Metadata, sheet: Size): number {
  const inchesWide = width / density;
  const inchesHigh = height / density;
  const scale = Math.min(sheet.width / inchesWide, sheet.height / inchesHigh) / pointsPerInch;
  const maxDensity = Math.sqrt(maxSvgPixels / (inchesWide * inchesHigh));
  return Math.min(Math.max(Math.min(scale * svgDotsPerInch, maxDensity), 1), 100_000);
}

async function embed(context: PDFContext, bytes: Uint8Array, options: SharpOptions): Promise<StampImage> {
  const image = loadSharp()(bytes, options);
  const metadata = await image.metadata();
  // Decodes every pixel to detect damaged images.
  const { isOpaque } = await image.stats();
  const stream = isPlainJpeg(metadata)
    ? jpegStream(context, bytes, metadata)
    : await pixelStream(context, image.autoOrient(), isOpaque);
  const { width, height } = metadata.autoOrient;
  return { ref: context.register(stream), width, height };
}

/**
 * Returns whether the image is a JPEG that can be embedded unchanged: it is upright, and its colours do not depend on a profile.
 */
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

/** Returns the image in sRGB, compressed losslessly, with its transparency as a soft mask. */
async function pixelStream(context: PDFContext, image: Sharp, isOpaque: boolean): Promise<PDFRawStream> {
  const png = { adaptiveFiltering: true, palette: false } as const;
  const colours = await image.clone().removeAlpha().toColourspace('srgb').png(png).toBuffer();
  const stream = pngStream(context, colours);
  if (isOpaque) return stream;
  const alpha = await image.clone().extractChannel('alpha').toColourspace('b-w').png(png).toBuffer();
  stream.dict.set(PDFName.of('SMask'), context.register(pngStream(context, alpha)));
  return stream;
}

// Embeds the compressed pixels of a PNG unchanged, because PDF supports the same coding (ISO 32000-1, 7.4.4.4).

const signatureLength = 8;
/** Bytes of a chunk in addition to its data: length, type and checksum. */
const chunkOverhead = 12;
/** The PDF name and the number of channels of each PNG colour type without transparency and palette. */
const colourSpaces: Readonly<Record<number, readonly [name: string, channels: number]>> = {
  0: ['DeviceGray', 1],
  2: ['DeviceRGB', 3],
};

/** Returns a PNG as an image object. @throws Error if the PNG is interlaced or transparent, or has a palette */
function pngStream(context: PDFContext, png: Buffer): PDFRawStream {
  const chunks = chunksOf(png);
  const header = chunks.find(({ type }) => type === 'IHDR')?.data;
  const [colourSpace, channels] = colourSpaces[header?.[9] ?? -1] ?? [];
  if (header === undefined || channels === undefined || header[12] !== 0)
    throw new Error('The PNG is interlaced or transparent, or has a palette.');
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  const depth = header[8];
  const pixels = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data);
  return context.stream(Buffer.concat(pixels), {
    Type: 'XObject',
    Subtype: 'Image',
    Width: width,
    Height: height,
    ColorSpace: colourSpace,
    BitsPerComponent: depth,
    Filter: 'FlateDecode',
    DecodeParms: { Predictor: 15, Colors: channels, BitsPerComponent: depth, Columns: width },
  });
}

function chunksOf(png: Buffer): { readonly type: string; readonly data: Buffer }[] {
  const chunks = [];
  for (let at = signatureLength; at + chunkOverhead <= png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) });
    at += chunkOverhead + length;
  }
  return chunks;
}
