/** A document with many images, and documents that are converted to images. */
import sharp from 'sharp';
import { randomOf } from '../../soak/random.ts';
import { pdfOf, type BenchDocument } from './document.ts';
import { openProse, page } from './prose.ts';
import { report } from './report.ts';

const photos = 16;

const allPhotos = (): Promise<Buffer[]> =>
  Promise.all(Array.from({ length: photos }, (_, index) => photo(index + 1)));

export async function images(): Promise<BenchDocument> {
  const urls = (await allPhotos()).map((bytes) => `data:image/jpeg;base64,${bytes.toString('base64')}`);
  return catalogue(urls, { name: 'images', title: `${photos} photographs as data:` });
}

export async function archivedImages(): Promise<BenchDocument> {
  const files = await photoFiles();
  const title = `${photos} photographs in an archive`;
  return { ...catalogue(Object.keys(files), { name: 'images-archive', title }), by: 'archive', files };
}

export async function servedImages(): Promise<BenchDocument> {
  const files = await photoFiles();
  const title = `${photos} photographs, at an address`;
  const document = catalogue(Object.keys(files), { name: 'images-site', title });
  return { ...document, by: 'url', files, scripts: true };
}

async function photoFiles(): Promise<Record<string, Buffer>> {
  return Object.fromEntries((await allPhotos()).map((bytes, index) => [`photos/${index + 1}.jpg`, bytes]));
}

function catalogue(
  urls: readonly string[],
  { name, title }: Pick<BenchDocument, 'name' | 'title'>,
): BenchDocument {
  const style = 'img { width: 49%; margin: 0 0.5% 10px 0 } body { line-height: 0 }';
  const html = page('Catalogue', style, urls.map((url) => `<img src="${url}">`).join(''));
  return { name, title, html, scripts: false, expected: pdfOf(3), long: false };
}

/** Returns a JPEG of smooth colours with some noise, which compresses about as well as a photograph. */
async function photo(seed: number): Promise<Buffer> {
  const width = 1200;
  const height = 900;
  const random = randomOf(seed);
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length; at += 3) {
    const x = (at / 3) % width;
    const y = Math.floor(at / 3 / width);
    const grain = random() * 24;
    pixels[at] = 100 + 80 * Math.sin((x * seed) / 190) + grain;
    pixels[at + 1] = 110 + 80 * Math.sin((y + x) / 170) + grain;
    pixels[at + 2] = 120 + 80 * Math.cos((y * seed) / 210) + grain;
  }
  return await sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 80 })
    .toBuffer();
}

export function screenshot(): BenchDocument {
  const expected = { kind: 'image', width: 1280, height: 720, whole: false } as const;
  return { ...report(), name: 'screenshot', title: 'screenshot 1280 x 720', expected };
}

export function tall(): BenchDocument {
  const { paragraph } = openProse(6);
  const text = Array.from({ length: 400 }, (_, index) => `<h2>${index + 1}</h2>${paragraph(5)}`).join('');
  const style = 'main { height: 20000px; overflow: hidden } h2 { color: #036 }';
  const html = page('Tall', style, `<main>${text}</main>`);
  const expected = { kind: 'image', width: 1024, height: 20_000, whole: true } as const;
  const title = 'screenshot 1024 x 20,000';
  return { name: 'tall', title, html, scripts: false, expected, long: true };
}
