/** Operations on pixels: decode, scale, flatten, encode as JPEG. */
import type sharp from 'sharp';
import { loadSharp } from '../../image/sharp.ts';
import { plainPixels, type Pixels, type StoredImage } from './stored-image.ts';

interface PixelSize {
  readonly width: number;
  readonly height: number;
}

interface DecodedImage {
  readonly colours: Pixels;
  /** The alpha channel. It may have another size than the colours; `resize` returns both in the same size. */
  readonly alpha?: Pixels;
}

export interface PixelTools {
  /** Decodes the pixels without colour conversion. @throws Error if bytes are missing or differ from the image dictionary */
  readonly read: (image: StoredImage) => Promise<Pixels>;
  readonly resize: (image: DecodedImage, size: PixelSize) => Promise<DecodedImage>;
  /** Returns the JPEG file. `quality`: from 1 to 100. */
  readonly encodeJpeg: (pixels: Pixels, quality: number) => Promise<Uint8Array>;
}

/** From this quality on, JPEG stores the colour of every pixel; below it, one colour for two by two pixels. */
const fullColourQuality = 90;

export function openPixelTools(): PixelTools {
  const open = loadSharp();
  return {
    read: (image) =>
      image.encoding === 'jpeg' ? readJpeg(open, image) : Promise.resolve(plainPixels(image)),
    resize: (image, size) => resize(open, image, size),
    async encodeJpeg(pixels, quality) {
      const chromaSubsampling = quality >= fullColourQuality ? '4:4:4' : '4:2:0';
      return openPixels(open, pixels).jpeg({ quality, chromaSubsampling }).toBuffer();
    },
  };
}

/** Returns RGB pixels, in which transparent pixels are blended with the background colour RRGGBB. */
export function flatten(colours: Pixels, alpha: Pixels, background: string): Pixels {
  const { width, height, channels } = colours;
  const behind = Buffer.from(/^[\da-f]{6}/i.exec(background)?.[0] ?? 'ffffff', 'hex');
  const bytes = new Uint8Array(width * height * 3);
  for (let at = 0; at < bytes.length; at += 1) {
    const pixel = Math.floor(at / 3);
    const colour = colours.bytes[channels === 1 ? pixel : at] ?? 0;
    const share = (alpha.bytes[pixel] ?? 0) / 255;
    bytes[at] = Math.round(colour * share + (behind[at % 3] ?? 0) * (1 - share));
  }
  return { width, height, channels: 3, bytes };
}

export type Sharp = typeof sharp;

/** Decodes a JPEG. Ignores its colour profile, because a PDF uses the colour space of the image dictionary. */
async function readJpeg(open: Sharp, { stream, width, height, channels }: StoredImage): Promise<Pixels> {
  const options = { ignoreIcc: true, limitInputPixels: width * height };
  const { data, info } = await open(stream.contents, options)
    .toColourspace(channels === 1 ? 'b-w' : 'srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const stored = await open(stream.contents, options).metadata();
  if (
    stored.channels !== channels ||
    info.channels !== channels ||
    info.width !== width ||
    info.height !== height
  )
    throw new Error('The JPEG differs from the image dictionary of the PDF.');
  return { width, height, channels, bytes: data };
}

/** Scales colours and alpha together, so that the colours of transparent pixels do not bleed into other pixels. */
async function resize(open: Sharp, { colours, alpha }: DecodedImage, size: PixelSize): Promise<DecodedImage> {
  const { channels } = colours;
  if (alpha === undefined) return { colours: await scale(open, colours, size) };
  const mask = await scale(open, alpha, colours);
  if (size.width === colours.width && size.height === colours.height) return { colours, alpha: mask };
  const layers = { ...colours, channels: channels === 1 ? 2 : 4, bytes: interleave(colours, mask) } as const;
  const scaled = (await scale(open, layers, size)).bytes;
  return {
    colours: { ...size, channels, bytes: extractChannels(scaled, layers.channels, [0, channels]) },
    alpha: {
      ...size,
      channels: 1,
      bytes: extractChannels(scaled, layers.channels, [channels, channels + 1]),
    },
  };
}

/** Pixels with alpha as the last channel, if present. */
type Layers = Omit<Pixels, 'channels'> & { readonly channels: 1 | 2 | 3 | 4 };

async function scale<Kind extends Layers>(
  open: Sharp,
  layers: Kind,
  { width, height }: PixelSize,
): Promise<Kind> {
  if (layers.width === width && layers.height === height) return layers;
  const bytes = await openPixels(open, layers).resize(width, height, { fit: 'fill' }).raw().toBuffer();
  return { ...layers, width, height, bytes };
}

function openPixels(open: Sharp, { width, height, channels, bytes }: Layers): ReturnType<Sharp> {
  const opened = open(bytes, { raw: { width, height, channels }, limitInputPixels: false });
  return channels < 3 ? opened.toColourspace('b-w') : opened;
}

function interleave(colours: Pixels, alpha: Pixels): Uint8Array {
  const { channels } = colours;
  const bytes = new Uint8Array(alpha.bytes.length * (channels + 1));
  for (let pixel = 0; pixel < alpha.bytes.length; pixel += 1) {
    for (let channel = 0; channel < channels; channel += 1)
      bytes[pixel * (channels + 1) + channel] = colours.bytes[pixel * channels + channel] ?? 0;
    bytes[pixel * (channels + 1) + channels] = alpha.bytes[pixel] ?? 0;
  }
  return bytes;
}

/** Returns the channels from `from` up to but excluding `to`. */
function extractChannels(
  bytes: Uint8Array,
  channels: number,
  [from, to]: readonly [number, number],
): Uint8Array {
  const picked = new Uint8Array((bytes.length / channels) * (to - from));
  for (let at = 0; at < picked.length; at += 1)
    picked[at] = bytes[Math.floor(at / (to - from)) * channels + from + (at % (to - from))] ?? 0;
  return picked;
}
