/** Encodes bands as an image file: with sharp if sharp supports the format, otherwise with the encoders in this file. */
import { writeFile, open, type FileHandle } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import type { ImageFormat } from '../../../job/image-formats.ts';
import { loadSharp } from '../sharp.ts';
import type { EncodingTask } from './encoding-task.ts';
import {
  toBgr,
  padded,
  type OpenRaster,
  type Raster,
  type RasterSize,
  type Rows,
  type PixelBlock,
} from './raster.ts';

const rasters: Record<Exclude<ImageFormat, SharpFormat | 'ico'>, OpenRaster> = {
  bmp: openBmp,
  ppm: openPpm,
  pnm: openPpm,
  pgm: openPgm,
  pbm: openPbm,
  tga: openTga,
  sgi: openSgi,
  ras: openSunRaster,
  sun: openSunRaster,
};

/** Writes the encoded image to the file `out`. @throws Error if the image cannot be encoded or written */
export async function encodeTo(out: string, task: EncodingTask): Promise<void> {
  const { format } = task;
  // Each band is read only once, so a cache would be useless.
  loadSharp().cache(false);
  if (format in rasters) await writeRaster(out, task, rasters[format as keyof typeof rasters]);
  else if (format === 'ico') await writeFile(out, await encodeIcon(joinBands(task)));
  else await encodeWithSharp(task, format as SharpFormat).toFile(out);
}

// Windows bitmap: BITMAPFILEHEADER and BITMAPINFOHEADER, 24 bits per pixel, rows from the bottom up, padded to multiples of 4
// bytes.

const bmpHeaderBytes = 54;
/** 96 pixels per inch. */
const pixelsPerMetre = 3780;

function openBmp({ width, height }: RasterSize): Raster {
  const stride = padded(width * 3, 4);
  const header = Buffer.alloc(bmpHeaderBytes);
  header.write('BM', 'latin1');
  header.writeUInt32LE(bmpHeaderBytes + stride * height, 2);
  header.writeUInt32LE(bmpHeaderBytes, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(width, 18);
  header.writeInt32LE(height, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(24, 28);
  header.writeUInt32LE(stride * height, 34);
  header.writeInt32LE(pixelsPerMetre, 38);
  header.writeInt32LE(pixelsPerMetre, 42);
  return {
    header,
    blocksFor: (rows) => {
      const below = height - rows.top - rows.height;
      return [{ at: bmpHeaderBytes + below * stride, bytes: toBgr(rows, stride, true) }];
    },
  };
}

// Windows icon: a directory with one entry, which is a PNG (since Windows Vista), at most 256 x 256 pixels.

const icoSizeLimit = 256;
const icoHeaderBytes = 22;

/** Returns the bytes of the icon file. Scales larger images down to 256 x 256 pixels. */
async function encodeIcon(image: Sharp): Promise<Buffer> {
  const fitting = image.resize({
    width: icoSizeLimit,
    height: icoSizeLimit,
    fit: 'inside',
    withoutEnlargement: true,
  });
  const { data, info } = await fitting.ensureAlpha().png().toBuffer({ resolveWithObject: true });
  const header = Buffer.alloc(icoHeaderBytes);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  // 0 means 256.
  header.writeUInt8(info.width % icoSizeLimit, 6);
  header.writeUInt8(info.height % icoSizeLimit, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(data.length, 14);
  header.writeUInt32LE(icoHeaderBytes, 18);
  return Buffer.concat([header, data]);
}

// Sun raster: RT_STANDARD, 24 bits per pixel, blue first, rows from the top down, padded to multiples of 2 bytes.

const rasMagicNumber = 0x59_a6_6a_95;
const sunRasterHeaderBytes = 32;
const standard = 1;

function openSunRaster({ width, height }: RasterSize): Raster {
  const stride = padded(width * 3, 2);
  const header = Buffer.alloc(sunRasterHeaderBytes);
  const facts = [rasMagicNumber, width, height, 24, stride * height, standard, 0, 0];
  for (const [index, fact] of facts.entries()) header.writeUInt32BE(fact, index * 4);
  return {
    header,
    blocksFor: (rows) => [{ at: sunRasterHeaderBytes + rows.top * stride, bytes: toBgr(rows, stride) }],
  };
}

// Truevision TGA 2.0: type 2 (true colour), 24 bits per pixel, rows from the top down.

const tgaHeaderBytes = 18;
const topLeftOrigin = 0x20;

function openTga({ width, height }: RasterSize): Raster {
  const header = Buffer.alloc(tgaHeaderBytes);
  header.writeUInt8(2, 2);
  header.writeUInt16LE(width, 12);
  header.writeUInt16LE(height, 14);
  header.writeUInt8(24, 16);
  header.writeUInt8(topLeftOrigin, 17);
  // Readers recognise the format by this footer, because it has no magic number at the start.
  const footer = Buffer.concat([Buffer.alloc(8), Buffer.from('TRUEVISION-XFILE.\0', 'latin1')]);
  const stride = width * 3;
  return {
    header,
    blocksFor: (rows) => [
      { at: tgaHeaderBytes + rows.top * stride, bytes: toBgr(rows, stride) },
      ...(rows.top + rows.height === height ? [{ at: tgaHeaderBytes + height * stride, bytes: footer }] : []),
    ],
  };
}

// Silicon Graphics image, uncompressed: the red of all rows, then the green, then the blue; rows from the bottom up.

const sgiHeaderBytes = 512;

function openSgi({ width, height }: RasterSize): Raster {
  const header = Buffer.alloc(sgiHeaderBytes);
  header.writeUInt16BE(474, 0);
  header.writeUInt8(1, 3);
  header.writeUInt16BE(3, 4);
  header.writeUInt16BE(width, 6);
  header.writeUInt16BE(height, 8);
  header.writeUInt16BE(3, 10);
  header.writeUInt32BE(255, 16);
  return {
    header,
    blocksFor: (rows) => {
      const below = (height - rows.top - rows.height) * width;
      return [0, 1, 2].map((channel) => ({
        at: sgiHeaderBytes + channel * width * height + below,
        bytes: plane(rows, channel),
      }));
    },
  };
}

function plane({ width, height, pixels }: Rows, channel: number): Buffer {
  const bytes = Buffer.alloc(width * height);
  for (let row = 0; row < height; row += 1) {
    let from = row * width * 3 + channel;
    const end = (height - row) * width;
    for (let to = end - width; to < end; to += 1, from += 3) bytes[to] = pixels[from] ?? 0;
  }
  return bytes;
}

// Writes an uncompressed format band by band, with only one band in memory.

async function writeRaster(out: string, task: EncodingTask, openRaster: OpenRaster): Promise<void> {
  const raster = openRaster(task);
  await using file = await open(out, 'w');
  await writeAll(file, { at: 0, bytes: raster.header });
  let top = 0;
  for (const band of task.bands) {
    const rows = await rowsOf(band, top);
    for (const block of raster.blocksFor(rows)) await writeAll(file, block);
    top += rows.height;
  }
}

/** Writes all bytes. If the disk is almost full, one write may be partial, and only the next one fails (write(2)). */
async function writeAll(file: FileHandle, { at, bytes }: PixelBlock): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}

async function rowsOf(band: string, top: number): Promise<Rows> {
  const image = loadSharp()(band, { limitInputPixels: false }).removeAlpha().toColourspace('srgb').raw();
  const { data: pixels, info } = await image.toBuffer({ resolveWithObject: true });
  return { top, width: info.width, height: info.height, pixels };
}

// The binary Netpbm formats: P6 (colour), P5 (greyscale), P4 (black and white).

function openPpm({ width, height }: RasterSize): Raster {
  const header = Buffer.from(`P6\n${width} ${height}\n255\n`, 'latin1');
  return {
    header,
    blocksFor: ({ top, pixels }) => [{ at: header.length + top * width * 3, bytes: pixels }],
  };
}

function openPgm({ width, height }: RasterSize): Raster {
  const header = Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1');
  return {
    header,
    blocksFor: (rows) => [{ at: header.length + rows.top * width, bytes: Buffer.from(greysOf(rows)) }],
  };
}

/** Dithers the greys (Floyd and Steinberg, 1976). A bit of 1 is black; rows are padded to whole bytes. */
function openPbm({ width, height }: RasterSize): Raster {
  const header = Buffer.from(`P4\n${width} ${height}\n`, 'latin1');
  const stride = Math.ceil(width / 8);
  // The error carried over from the row above for each pixel, with one extra entry at either end.
  let carried = new Float32Array(width + 2);
  return {
    header,
    blocksFor: (rows) => {
      const greys = greysOf(rows);
      const bytes = Buffer.alloc(stride * rows.height);
      for (let row = 0; row < rows.height; row += 1) {
        const line = greys.subarray(row * width, (row + 1) * width);
        carried = dither(line, carried, bytes.subarray(row * stride));
      }
      return [{ at: header.length + rows.top * stride, bytes }];
    },
  };
}

/** Sets the bits of dark pixels. Returns the errors that are carried over to the next row. */
function dither(line: Uint8Array, carried: Float32Array, bits: Buffer): Float32Array<ArrayBuffer> {
  const next = new Float32Array(carried.length);
  let ahead = 0;
  for (const [x, grey] of line.entries()) {
    const value = grey + ahead + (carried[x + 1] ?? 0);
    const isDark = value < 128;
    if (isDark) bits[x >> 3] = (bits[x >> 3] ?? 0) | (128 >> (x & 7));
    const error = isDark ? value : value - 255;
    ahead = (error * 7) / 16;
    next[x] = (next[x] ?? 0) + (error * 3) / 16;
    next[x + 1] = (next[x + 1] ?? 0) + (error * 5) / 16;
    next[x + 2] = error / 16;
  }
  return next;
}

/** Returns the luma of each pixel (ITU-R BT.709). */
function greysOf({ pixels }: Rows): Uint8Array {
  const greys = new Uint8Array(pixels.length / 3);
  for (let at = 0; at < greys.length; at += 1) {
    const red = pixels[at * 3] ?? 0;
    const green = pixels[at * 3 + 1] ?? 0;
    const blue = pixels[at * 3 + 2] ?? 0;
    greys[at] = Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue);
  }
  return greys;
}

// Joins bands into one image and encodes it with sharp. Libvips streams the rows, so the image is never in memory as a whole.

type SharpFormat = 'png' | 'jpg' | 'webp' | 'gif' | 'tiff' | 'avif';

function joinBands({ bands, width, height, hasAlpha: alpha }: EncodingTask): Sharp {
  const readOptions = { limitInputPixels: false, sequentialRead: true } as const;
  const [first] = bands;
  const isSingleBand = bands.length === 1 && first !== undefined;
  const sharp = loadSharp();
  const image = isSingleBand
    ? sharp(first, readOptions)
    : sharp([...bands], { ...readOptions, join: { across: 1 } });
  // sharp joins the bands as if the last one were as high as the others, so the excess rows are cut off.
  const whole = image.extract({ left: 0, top: 0, width, height });
  return alpha ? whole : whole.removeAlpha();
}

function encodeWithSharp(task: EncodingTask, format: SharpFormat): Sharp {
  const image = joinBands(task);
  const { quality } = task;
  switch (format) {
    case 'png':
      // Higher levels take twice the time and save 3 %.
      return image.png({ compressionLevel: 3 });
    case 'jpg':
      // Optimised tables would need the whole image in memory.
      return image.jpeg({ quality, optimizeCoding: false });
    case 'webp':
      return image.webp({ quality, effort: 2 });
    case 'gif':
      return image.gif({ effort: 1 });
    case 'tiff':
      return image.tiff({ compression: 'lzw', predictor: 'horizontal', ...pixelsPerMillimetre });
    case 'avif':
      return image.avif({ quality, effort: 2 });
  }
}

/** A CSS inch is 96 pixels. */
const pixelsPerMillimetre = { xres: 96 / 25.4, yres: 96 / 25.4 } as const;
