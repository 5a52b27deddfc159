/** Compares printed documents page by page, as images with 96 dpi. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Fuzzy } from './reftests.ts';

/** Converts each page of a PDF to an image file, and returns the paths in order. @throws Error if pdftoppm fails */
export async function rasterize(pdf: string): Promise<string[]> {
  const stem = pdf.replace(/\.pdf$/, '');
  const child = spawn('pdftoppm', ['-r', '96', pdf, stem], { stdio: 'ignore' });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`pdftoppm cannot read ${pdf}`);
  const name = `${basename(stem)}-`;
  const number = (file: string) => Number.parseInt(file.slice(name.length), 10);
  return readdirSync(dirname(stem))
    .filter((file) => file.startsWith(name) && /^\d+\.ppm$/.test(file.slice(name.length)))
    .sort((left, right) => number(left) - number(right))
    .map((file) => join(dirname(stem), file));
}

/** Returns a message for the first difference; undefined if all pages are equal within the tolerance. */
export function difference(
  pages: readonly string[],
  others: readonly string[],
  fuzzy: Fuzzy,
): string | undefined {
  if (pages.length !== others.length) return `${pages.length} / ${others.length} pages`;
  for (const [index, page] of pages.entries()) {
    const found = differenceOfPages(page, others[index] ?? '', fuzzy);
    if (found !== undefined) return `page ${index + 1} of ${pages.length}: ${found}`;
  }
  return undefined;
}

function differenceOfPages(leftFile: string, rightFile: string, fuzzy: Fuzzy): string | undefined {
  const a = readPpm(leftFile);
  const b = readPpm(rightFile);
  if (a.size !== b.size) return `${a.size} / ${b.size}`;
  if (a.pixels.equals(b.pixels)) return undefined;
  let maximum = 0;
  let count = 0;
  for (let at = 0; at < a.pixels.length; at += 3) {
    const channel = (offset: number) => Math.abs((a.pixels[at + offset] ?? 0) - (b.pixels[at + offset] ?? 0));
    const pixelDifference = Math.max(channel(0), channel(1), channel(2));
    if (pixelDifference > 0) count += 1;
    maximum = Math.max(maximum, pixelDifference);
  }
  const isWithin = maximum <= fuzzy.difference && count <= fuzzy.pixels;
  return isWithin ? undefined : `${count} pixels differ by up to ${maximum}`;
}

function readPpm(file: string): { size: string; pixels: Buffer } {
  const bytes = readFileSync(file);
  const head = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.subarray(0, 60).toString('latin1'));
  if (head === null) throw new Error(`${file} is not a PPM image.`);
  return { size: `${head[1]}x${head[2]}`, pixels: bytes.subarray(head[0].length) };
}
