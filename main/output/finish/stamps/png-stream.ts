/** The pixels of a PNG as a PDF image: both pack them the same way (ISO 32000-1, 7.4.4.4), so they are taken as they are. */
import type { PDFContext, PDFRawStream } from '@cantoo/pdf-lib';

const signatureLength = 8;
/** Length, type and checksum. */
const chunkOverhead = 12;
/** PNG colour types without transparency and palette: their PDF name and channels. */
const colourSpaces: Readonly<Record<number, readonly [name: string, channels: number]>> = {
  0: ['DeviceGray', 1],
  2: ['DeviceRGB', 3],
};

/** For PNGs that are neither interlaced nor transparent, without a palette. @throws Error for others */
export function pngStream(context: PDFContext, png: Buffer): PDFRawStream {
  const chunks = chunksOf(png);
  const header = chunks.find(({ type }) => type === 'IHDR')?.data;
  const [colourSpace, channels] = colourSpaces[header?.[9] ?? -1] ?? [];
  if (header === undefined || channels === undefined || header[12] !== 0) throw new Error('No plain PNG.');
  const [width, height, depth] = [header.readUInt32BE(0), header.readUInt32BE(4), header[8]];
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
