/** Reads the pixels of images stored in a PDF, and stores new pixels in their place. */
import {
  PDFArray,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFRawStream,
  PDFRef,
  PDFString,
  type PDFDict,
  type PDFObject,
} from '@cantoo/pdf-lib';
import { deflateSync } from '../../../async/thread-zlib.ts';
import { numberIn } from '../pdf-document.ts';
import { inflateBounded } from '../../pdf-reader/inflate.ts';
import { maxPixels } from '../../image/sharp.ts';

/** Pixels with eight bits per channel, in rows without padding. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
  readonly bytes: Uint8Array;
}

export interface StoredImage {
  readonly stream: PDFRawStream;
  readonly width: number;
  readonly height: number;
  /** The number of colour channels after the palette lookup. */
  readonly channels: 1 | 3;
  readonly encoding: 'jpeg' | 'plain';
  /** The colours of an indexed image, with `channels` bytes each. */
  readonly palette?: Uint8Array;
  /** The colour space of the pixels. */
  readonly space: PDFObject;
  readonly softMask?: { readonly reference: PDFRef; readonly image: StoredImage };
}

/** Returns undefined for an image that Chromium does not write, or that has too many pixels. Such images stay unchanged. */
export function readStoredImage(stream: PDFRawStream): StoredImage | undefined {
  const { dict } = stream;
  const has = (name: string) => dict.get(PDFName.of(name)) !== undefined;
  if (has('ImageMask') || has('Mask') || has('Decode') || has('DecodeParms') || has('Matte'))
    return undefined;
  const [width, height, bits] = ['Width', 'Height', 'BitsPerComponent'].map((name) => numberIn(dict, name));
  const encoding = encodingOf(dict);
  const colours = coloursOf(dict.lookup(PDFName.of('ColorSpace')));
  if (!width || !height || bits !== 8 || encoding === undefined || colours === undefined) return undefined;
  if (width * height > maxPixels || (encoding === 'jpeg' && colours.palette !== undefined)) return undefined;
  const image = { stream, width, height, encoding, ...colours };
  if (!has('SMask')) return image;
  const softMask = readSoftMask(dict);
  return softMask && { ...image, softMask };
}

/** Bytes after the pixels that an image may have. */
const maxSurplusBytes = 1000;

/** Returns the pixels of an image without JPEG compression. @throws Error if bytes are missing, or if there are many more */
export function plainPixels({ stream, width, height, channels, palette }: StoredImage): Pixels {
  const flate = stream.dict.get(PDFName.of('Filter')) !== undefined;
  const size = width * height * (palette ? 1 : channels);
  const stored = flate ? inflateBounded(stream.contents, size + maxSurplusBytes) : stream.contents;
  if (stored.length < size) throw new Error(`The image has ${stored.length} of ${size} bytes.`);
  const bytes = stored.subarray(0, size);
  return { width, height, channels, bytes: palette ? lookUp(bytes, palette, channels) : bytes };
}

export interface NewContents {
  readonly width: number;
  readonly height: number;
  readonly space: PDFObject;
  readonly jpeg?: Uint8Array;
  /** Uncompressed pixels. Present if `jpeg` is not. */
  readonly plain?: Uint8Array;
  readonly softMask?: PDFRef;
}

export function storeImage({ stream }: StoredImage, contents: NewContents): PDFRawStream {
  const { width, height, space, jpeg, plain, softMask } = contents;
  const dict = stream.dict.clone();
  dict.set(PDFName.of('Width'), PDFNumber.of(width));
  dict.set(PDFName.of('Height'), PDFNumber.of(height));
  dict.set(PDFName.of('ColorSpace'), space);
  dict.set(PDFName.of('Filter'), PDFName.of(jpeg ? 'DCTDecode' : 'FlateDecode'));
  // Skia writes this key into the image dictionary, where it has no effect. A JPEG itself declares its colour transform.
  dict.delete(PDFName.of('ColorTransform'));
  dict.delete(PDFName.of('SMask'));
  if (softMask !== undefined) dict.set(PDFName.of('SMask'), softMask);
  return PDFRawStream.of(dict, jpeg ?? deflateSync(plain ?? new Uint8Array()));
}

function encodingOf(dict: PDFDict): StoredImage['encoding'] | undefined {
  const filter = dict.lookup(PDFName.of('Filter'));
  const only = filter instanceof PDFArray && filter.size() === 1 ? filter.lookup(0) : filter;
  if (only === PDFName.of('DCTDecode')) return 'jpeg';
  return only === undefined || only === PDFName.of('FlateDecode') ? 'plain' : undefined;
}

type Colours = Pick<StoredImage, 'channels' | 'palette' | 'space'>;

function coloursOf(space: PDFObject | undefined): Colours | undefined {
  if (space === PDFName.of('DeviceRGB')) return { channels: 3, space };
  if (space === PDFName.of('DeviceGray')) return { channels: 1, space };
  if (!(space instanceof PDFArray)) return undefined;
  const kind = space.lookup(0);
  if (kind === PDFName.of('ICCBased')) return profileColours(space);
  return kind === PDFName.of('Indexed') ? indexedColours(space) : undefined;
}

function profileColours(space: PDFArray): Colours | undefined {
  const profile = space.lookup(1);
  const channels = profile instanceof PDFRawStream ? numberIn(profile.dict, 'N') : undefined;
  return channels === 1 || channels === 3 ? { channels, space } : undefined;
}

function indexedColours(space: PDFArray): Colours | undefined {
  const base = coloursOf(space.lookup(1));
  if (base === undefined || base.palette !== undefined) return undefined;
  const palette = paletteIn(space.lookup(3));
  return palette && { ...base, palette };
}

/** A palette has up to 256 colours of 3 bytes. */
const maxPaletteBytes = 256 * 3 + maxSurplusBytes;

function paletteIn(table: PDFObject | undefined): Uint8Array | undefined {
  if (table instanceof PDFString || table instanceof PDFHexString) return table.asBytes();
  if (!(table instanceof PDFRawStream)) return undefined;
  const flate = table.dict.get(PDFName.of('Filter'));
  if (flate === undefined) return table.contents;
  return flate === PDFName.of('FlateDecode') ? inflateBounded(table.contents, maxPaletteBytes) : undefined;
}

function readSoftMask(dict: PDFDict): StoredImage['softMask'] {
  const reference = dict.get(PDFName.of('SMask'));
  const stream = dict.lookup(PDFName.of('SMask'));
  if (!(reference instanceof PDFRef) || !(stream instanceof PDFRawStream)) return undefined;
  const image = readStoredImage(stream);
  return image?.channels === 1 && image.softMask === undefined ? { reference, image } : undefined;
}

function lookUp(indices: Uint8Array, palette: Uint8Array, channels: number): Uint8Array {
  const bytes = new Uint8Array(indices.length * channels);
  indices.forEach((index, at) => {
    bytes.set(palette.subarray(index * channels, (index + 1) * channels), at * channels);
  });
  return bytes;
}
